import { expect, test, vi } from "vitest";
import { AppError } from "./app-error";

test("an error is known whichever copy of the code made it", async () => {
  vi.resetModules();
  const copy = await import("./app-error");
  expect(copy.AppError).not.toBe(AppError);
  expect(new copy.AppError("not-found")).toBeInstanceOf(AppError);
});

test.each([new Error("not-found"), { kind: "not-found" }, "not-found", null])(
  "%o is no failure of the bank",
  (other) => {
    expect(other).not.toBeInstanceOf(AppError);
  },
);
