import { describe, expect, it } from "vitest";
import { leftOf } from "./left-of";

const MINUTE_MS = 60_000;

describe("the time left until a deadline", () => {
  it.each([
    { leftMs: 0, unit: "over", value: 0 },
    { leftMs: -1, unit: "over", value: 0 },
    { leftMs: 1, unit: "minutes", value: 1 },
    { leftMs: 90 * MINUTE_MS, unit: "minutes", value: 90 },
    { leftMs: 24 * 60 * MINUTE_MS - 5_000, unit: "hours", value: 24 },
    { leftMs: 23.4 * 60 * MINUTE_MS, unit: "hours", value: 23 },
    { leftMs: 7 * 24 * 60 * MINUTE_MS - 5_000, unit: "days", value: 7 },
    { leftMs: 48 * 60 * MINUTE_MS, unit: "days", value: 2 },
  ])("shows $leftMs ms as $value $unit", ({ leftMs, unit, value }) => {
    expect(leftOf(1_000_000 + leftMs, 1_000_000)).toEqual({ unit, value });
  });
});
