import { expect, test, vi } from "vitest";
import { AppError } from "./app-error";

test("recognises an error from another copy of the module", async () => {
  vi.resetModules();
  const copy = await import("./app-error");
  expect(copy.AppError).not.toBe(AppError);
  expect(new copy.AppError("not-found")).toBeInstanceOf(AppError);
});

test.each([new Error("not-found"), { kind: "not-found" }, "not-found", null])(
  "does not count %o as a failure of the provider",
  (other) => {
    expect(other).not.toBeInstanceOf(AppError);
  },
);
