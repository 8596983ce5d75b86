import { describe, expect, it } from "vitest";
import { areaOf, marksOf, pathOf, placesOf } from "./line-scale";

const days = Array.from({ length: 9 }, (_, nth) => `2026-07-0${nth + 1}`);
const pointsOf = (...amounts: (string | null)[]) =>
  amounts.flatMap((amount, nth) => (amount === null ? [] : [{ day: days[nth] ?? "", amount, unread: 0 }]));
const heights = (...amounts: string[]) => placesOf(pointsOf(...amounts), days).map(({ y }) => y);

describe("the line of a sum", () => {
  it("stands where its axis says", () => {
    expect(heights("0", "0.00")).toEqual([100, 100]);
    expect(heights("0", "5", "10")).toEqual([100, 50, 0]);
  });

  it("is parted where a day was not read", () => {
    const places = placesOf(pointsOf("2", "2", null, "2"), days);
    expect(pathOf(places)).toBe("M0 0h0L1 0h0M3 0h0");
    expect(areaOf(places)).toBe("M0 100L0 0L1 0L1 100zM3 100L3 0L3 100z");
  });

  it("does not fall where a day was read in part, but has a mark there", () => {
    const [first, part, last] = pointsOf("10", "1", "10");
    if (first === undefined || part === undefined || last === undefined) throw new Error("there are three");
    const places = placesOf([first, { ...part, unread: 9 }, last], days);
    expect(pathOf(places)).toBe("M0 0h0M2 0h0");
    expect(marksOf(places)).toBe("M1 100h0");
  });
});
