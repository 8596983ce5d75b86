import { describe, expect, it } from "vitest";
import { civilDaysAgo } from "@/lib/text/time";
import { MovementOrder } from "./inputs";

const order = (from: string, to: string) =>
  MovementOrder.safeParse({ from, to, format: "csv", scope: "all", names: "" });

describe("the period of a file", () => {
  it("accepts a period of typed days", () => {
    expect(order("26/02/2026", "01/03/2026").data).toMatchObject({ from: "2026-02-26", to: "2026-03-01" });
  });

  it.each([
    ["an end before its start", "2026-03-02", "2026-03-01", "to", "period"],
    ["a day that has not come", "2026-03-01", civilDaysAgo(-1), "to", "day-ahead"],
    ["more than 366 days", "2024-01-01", "2025-01-01", "from", "period-long"],
    ["no date", "", "2026-03-01", "from", "date"],
  ])("refuses a period of %s", (...[, from, to, field, code]) => {
    expect(order(from, to).error?.issues[0]).toMatchObject({ path: [field], params: { code } });
  });

  it("accepts a period of a leap year", () => {
    expect(order("2024-01-01", "2024-12-31").success).toBe(true);
  });
});
