import { describe, expect, it } from "vitest";
import { differenceOf, type Reading, type Subject, sumReadings } from "./sum";
import type { Figure } from "@/lib/db/enums/position";

const early = new Date("2026-07-01T03:10:00Z");
const late = new Date("2026-07-01T03:40:00Z");

const reais = (available: string | null, blocked: string | null): Figure[] => [
  { asset: "BRL", token: "", part: "available", amount: available },
  { asset: "BRL", token: "", part: "blocked", amount: blocked },
];

const account = (id: string, figures: Figure[] | null, readAt: Date | null = early): Reading => {
  return { subject: `account:${id}`, network: "", kind: "account", figures, readAt };
};

const wallet = (id: string, figures: Figure[] | null, kind: Subject["kind"] = "customer"): Reading => {
  return { subject: `wallet:${id}`, network: "ETHEREUM", kind, figures, readAt: figures === null ? null : early };
};

const ether = (amount: string | null): Figure => ({ asset: "ETH", token: "", part: "available", amount });

describe("the sums of a day", () => {
  it("add reais exactly, and name the oldest reading", () => {
    const sums = sumReadings([account("a", reais("0.10", "1.00"), late), account("b", reais("0.20", "0.00"))], []);
    expect(sums).toMatchObject([
      { part: "available", amount: "0.30", readings: 2, unread: 0, oldestAt: early.toISOString() },
      { part: "blocked", amount: "1.00", readings: 2, unread: 0 },
    ]);
  });

  it("add 18 decimals and 10^30 units without losing one", () => {
    const large = `1${"0".repeat(30)}`;
    const readings = [wallet("a", [ether(large)]), wallet("b", [ether("0.000000000000000001")])];
    const [sum] = sumReadings(readings, []);
    expect(sum?.amount).toBe(`${large}.000000000000000001`);
  });

  it("count an account that could not be read, and never add it as 0", () => {
    const sums = sumReadings([account("a", reais("5.00", "0.00")), account("b", null, null)], []);
    expect(sums.map(({ amount, unread }) => [amount, unread])).toEqual([
      ["5.00", 1],
      ["0.00", 1],
    ]);
  });

  it("count one unreadable figure in its own sum alone", () => {
    const sums = sumReadings([account("a", reais("5.00", null)), account("b", reais("1.00", "2.00"))], []);
    expect(sums.map(({ amount, unread }) => [amount, unread])).toEqual([
      ["6.00", 0],
      ["2.00", 1],
    ]);
  });

  it("know no amount of what was read nowhere", () => {
    expect(sumReadings([account("a", reais(null, "0.00"))], [])[0]).toMatchObject({ amount: null, unread: 1 });
    expect(sumReadings([account("a", null, null)], [])).toMatchObject([{ asset: "BRL", amount: null, unread: 1 }]);
    expect(sumReadings([wallet("a", null)], [])).toMatchObject([{ asset: "", amount: null, unread: 1 }]);
  });

  it("count what the round has still to read", () => {
    const place = { network: "ETHEREUM", kind: "customer" } as const;
    const expected = ["a", "b", "c"].map((id) => ({ subject: `wallet:${id}`, ...place }));
    expect(sumReadings([wallet("a", [ether("1.5")])], expected)).toMatchObject([{ amount: "1.50", unread: 2 }]);
  });

  it("count an entry without asset in every sum of its network and kind", () => {
    const unknown: Figure = { asset: "", token: "", part: "available", amount: null };
    const sums = sumReadings([wallet("a", [ether("1")]), wallet("b", [unknown])], []);
    expect(sums).toMatchObject([{ asset: "ETH", amount: "1.00", unread: 1 }]);
  });

  it("keep kinds, networks and contracts apart", () => {
    const token: Figure = { asset: "ETH", token: "0xfake", part: "available", amount: "9" };
    const sums = sumReadings([wallet("a", [ether("1"), token]), wallet("b", [ether("2")], "checkout")], []);
    expect(sums.map(({ kind, token: contract, amount }) => [kind, contract, amount])).toEqual([
      ["customer", "", "1.00"],
      ["customer", "0xfake", "9.00"],
      ["checkout", "", "2.00"],
    ]);
  });
});

describe("a difference", () => {
  it("is exact, and unknown where one side is", () => {
    expect(differenceOf("1.000000000000000001", "2")).toBe("-0.999999999999999999");
    expect(differenceOf("1", null)).toBeNull();
    expect(differenceOf(null, "1")).toBeNull();
  });
});
