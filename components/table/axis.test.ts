import { describe, expect, it } from "vitest";
import { axisOf, heightOf, shareOf, sidesOf, ticksOf } from "./axis";

const ticks = (...amounts: string[]) => ticksOf(axisOf(amounts));

describe("an axis", () => {
  it("has round figures from 0 to above the highest amount, however large", () => {
    expect(ticks("3", "1", "5.5")).toEqual(["6.00", "4.00", "2.00", "0.00"]);
    expect(ticks("0", `1${"0".repeat(31)}`)).toEqual([`1${"0".repeat(31)}.00`, `5${"0".repeat(30)}.00`, "0.00"]);
    expect(ticks("0.000000000000000003", "0")).toEqual([3, 2, 1].map((n) => `0.${"0".repeat(17)}${n}`).concat("0.00"));
  });

  it("begins near the lowest amount where that is more than half of the highest", () => {
    expect(ticks("1010", "1240")).toEqual(["1300.00", "1200.00", "1100.00", "1000.00"]);
    expect(ticks("7", "7")).toEqual(["10.00", "5.00", "0.00"]);
  });

  it("goes below 0 where an amount does", () => {
    expect(ticks("-1", "2")).toEqual(["2.00", "1.00", "0.00", "-1.00"]);
    expect(ticks("-3", "0")).toEqual(["0.00", "-1.00", "-2.00", "-3.00"]);
  });

  it("is one line where nothing was ever held", () => {
    expect(ticks("0", "0.00")).toEqual(["0.00"]);
    expect(heightOf(axisOf(["0"]), "0")).toBe(0);
  });

  it("has whole numbers alone for counts", () => {
    expect(ticksOf(axisOf(["0", "1"], "1"))).toEqual(["1.00", "0.00"]);
    expect(ticksOf(axisOf(["0", "1", "-1"], "1"))).toEqual(["1.00", "0.00", "-1.00"]);
    expect(ticksOf(axisOf(["0", "31"], "1"))).toEqual(["40.00", "20.00", "0.00"]);
  });

  it("gives what an amount spans, and how far it stands from the foot", () => {
    const axis = axisOf(["-1", "2"]);
    expect(shareOf(axis, "1.5")).toBe(0.5);
    expect(heightOf(axis, "0.5")).toBe(0.5);
    expect(sidesOf(axis)).toEqual({ up: 0.6666, down: 0.3333 });
  });
});
