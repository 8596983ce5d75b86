import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeError } from "./main";

const CPF = "12345678909";

test("writes a database error without its values", () => {
  const cause = Object.assign(new Error(`invalid input "${CPF}"`), { code: "22P02", detail: `Key (${CPF})` });
  const written = JSON.stringify(describeError(new DrizzleQueryError("select $1", [CPF], cause)));
  expect(written).toContain("22P02");
  expect(written).not.toContain(CPF);
});

test("writes a query that never reached the database without its values", () => {
  const written = JSON.stringify(describeError(new DrizzleQueryError("select $1", [CPF], new Error("timeout"))));
  expect(written).not.toContain(CPF);
});

test("writes any other error with its message and origin", () => {
  expect(describeError(new RangeError("too far"))).toEqual({
    type: "RangeError",
    message: "too far",
    stack: expect.arrayContaining([expect.stringContaining("log.test.ts")]),
  });
});
