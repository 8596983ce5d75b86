import { describe, expect, it } from "vitest";
import { heightsOf, marksOf, pathOf, scaleOf } from "./line-chart";

const point = (day: string, amount: string) => ({ day, amount, unread: 0 });

describe("the line of a sum", () => {
  it("stands between 0 and the highest amount, however large", () => {
    expect(heightsOf(["0", `5${"0".repeat(30)}`, `1${"0".repeat(31)}`])).toEqual([0, 0.5, 1]);
    expect(heightsOf(["0", "0.00"])).toEqual([0, 0]);
  });

  it("names what its foot and its top stand for", () => {
    expect(scaleOf(["2.5", "0.000000000000000001"])).toEqual({ low: "0.00", high: "2.50" });
    expect(scaleOf(["-1", "3"])).toEqual({ low: "-1.00", high: "3.00" });
  });

  it("goes below 0 where an amount does", () => {
    expect(heightsOf(["-1", "0", "1"])).toEqual([0, 0.5, 1]);
  });

  it("is parted where a day was not read", () => {
    const days = ["2026-07-01", "2026-07-02", "2026-07-03", "2026-07-04"];
    const points = [point("2026-07-01", "1"), point("2026-07-02", "1"), point("2026-07-04", "1")];
    expect(pathOf(points, days)).toBe("M0 0h0L1 0h0M3 0h0");
  });

  it("does not fall where a day was read in part, but has a mark there", () => {
    const days = ["2026-07-01", "2026-07-02", "2026-07-03"];
    const part = { day: "2026-07-02", amount: "1", unread: 9 };
    const points = [point("2026-07-01", "10"), part, point("2026-07-03", "10")];
    expect(pathOf(points, days)).toBe("M0 0h0M2 0h0");
    expect(marksOf(points, days)).toBe("M1 100h0");
  });
});
