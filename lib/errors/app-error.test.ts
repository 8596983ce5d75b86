import { expect, test, vi } from "vitest";
import { BankError } from "./app-error";

test("an error is known whichever copy of the code made it", async () => {
  vi.resetModules();
  const copy = await import("./app-error");
  expect(copy.BankError).not.toBe(BankError);
  expect(new copy.BankError("not-found")).toBeInstanceOf(BankError);
});

test.each([new Error("not-found"), { kind: "not-found" }, "not-found", null])(
  "%o is no failure of the bank",
  (other) => {
    expect(other).not.toBeInstanceOf(BankError);
  },
);
