import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/text/time";
import { leftOf } from "./left-of";

describe("the time left until a deadline", () => {
  it.each([
    { leftMs: 0, unit: "over", value: 0 },
    { leftMs: -1, unit: "over", value: 0 },
    { leftMs: 1, unit: "minutes", value: 0 },
    { leftMs: 90.9 * MINUTE_MS, unit: "minutes", value: 90 },
    { leftMs: 2 * HOUR_MS + 31 * MINUTE_MS, unit: "hours", value: 2 },
    { leftMs: DAY_MS - 5_000, unit: "hours", value: 23 },
    { leftMs: 7 * DAY_MS - 5_000, unit: "days", value: 6 },
    { leftMs: 2 * DAY_MS, unit: "days", value: 2 },
  ])("shows $leftMs ms as $value $unit", ({ leftMs, unit, value }) => {
    expect(leftOf(1_000_000 + leftMs, 1_000_000)).toEqual({ unit, value });
  });
});
