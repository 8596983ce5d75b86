import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeError } from "./main";

const CPF = "12345678909";

test("a database error is written without the values it is about", () => {
  const cause = Object.assign(new Error(`invalid input "${CPF}"`), { code: "22P02", detail: `Key (${CPF})` });
  const written = JSON.stringify(describeError(new DrizzleQueryError("select $1", [CPF], cause)));
  expect(written).toContain("22P02");
  expect(written).not.toContain(CPF);
});

test("a query that failed without reaching the database is written without its values", () => {
  const written = JSON.stringify(describeError(new DrizzleQueryError("select $1", [CPF], new Error("timeout"))));
  expect(written).not.toContain(CPF);
});

test("any other error keeps its message and where it came from", () => {
  expect(describeError(new RangeError("too far"))).toEqual({
    type: "RangeError",
    message: "too far",
    stack: expect.arrayContaining([expect.stringContaining("log.test.ts")]),
  });
});
