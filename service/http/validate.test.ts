import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ServiceError } from "@/service/error";
import { operations } from "@/service/gateway/operations";
import { validate } from "./mount";

function faultOf(schema: z.ZodType, value: unknown): string {
  try {
    validate(schema, value);
    return "none";
  } catch (error) {
    return error instanceof ServiceError ? `${error.status} ${error.message}` : "not a service error";
  }
}

test.each([
  [z.object({ a: z.string() }), {}, "400 a: is required"],
  [z.object({ a: z.string() }), undefined, "400 body: is required"],
  [z.object({ a: z.string() }), [], "400 body: must be an object"],
  [z.object({ a: z.object({ b: z.string() }) }), { a: { b: 7 } }, "400 a.b: must be a string"],
  [z.object({ a: z.array(z.number().int()) }), { a: [1, 2.5] }, "400 a.1: must be an int"],
  [z.object({ a: z.array(z.number()).min(2) }), { a: [1] }, "400 a: must be at least 2 item(s)"],
  [z.object({ a: z.string().max(3) }), { a: "four" }, "400 a: must be at most 3 character(s)"],
  [z.object({ a: z.number().positive() }), { a: 0 }, "400 a: must be more than 0"],
  [z.object({ a: z.number().min(0) }), { a: -1 }, "400 a: must be at least 0"],
  [z.object({ a: z.number().lt(5) }), { a: 5 }, "400 a: must be less than 5"],
  [z.object({ a: z.number().max(5) }), { a: 6 }, "400 a: must be at most 5"],
  [z.object({ a: z.enum(["X", "Y"]) }), { a: "Z" }, "400 a: must be one of X, Y"],
  [z.object({ a: z.string().min(1, { error: "is required" }) }), { a: "" }, "400 a: is required"],
  [z.strictObject({}), { b: 1 }, "400 body: has no field b"],
  [z.object({ a: z.literal([0, 1], { error: "must be 0 or 1" }) }), { a: 2 }, "400 a: must be 0 or 1"],
  [
    z.object({ a: z.union([z.literal(0), z.literal(1)], { error: "must be 0 or 1" }) }),
    { a: 2 },
    "400 a: must be 0 or 1",
  ],
])("reports the first fault with its field (%#)", (schema, value, message) => {
  expect(faultOf(schema, value)).toBe(message);
});

describe("of the two ways to ask for an account", () => {
  const schema = operations.createAccount.input;
  const common = { email: "a@b.example", transactionPassword: "1", bankDocuments: {} };

  test("reports errors of the intended one", () => {
    expect(faultOf(schema, { ...common, person: {} })).toMatch(/^400 person\.fullName: is required/);
    expect(faultOf(schema, { ...common, legalPerson: {} })).toMatch(/^400 legalPerson\.businessName: is required/);
  });
});
