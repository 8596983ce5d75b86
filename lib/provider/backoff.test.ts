import { expect, it } from "vitest";
import { backoffMs } from "./answer";

it("waits up to a quarter longer by chance, and never more than 30 s", () => {
  expect(backoffMs(0, () => 0)).toBe(1000);
  expect(backoffMs(1, () => 0.999)).toBeGreaterThan(2400);
  expect(backoffMs(9, () => 0.999)).toBe(30_000);
});
