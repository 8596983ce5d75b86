import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceOf, spanOfReadings, type SubjectReading, type Subject, sumReadings } from "./sum";
import type { Figure } from "@/lib/db/enums/position";

const early = new Date("2026-07-01T03:10:00Z");
const late = new Date("2026-07-01T03:40:00Z");

const reais = (available: string | null, blocked: string | null): Figure[] => [
  { asset: "BRL", token: "", part: "available", amount: available },
  { asset: "BRL", token: "", part: "blocked", amount: blocked },
];

const account = (id: string, figures: Figure[] | null, readAt: Date | null = early): SubjectReading => {
  return { subject: `account:${id}`, network: "", kind: "account", figures, readAt };
};

const wallet = (id: string, figures: Figure[] | null, kind: Subject["kind"] = "customer"): SubjectReading => {
  return { subject: `wallet:${id}`, network: "ETHEREUM", kind, figures, readAt: figures === null ? null : early };
};

const ether = (amount: string | null): Figure => ({ asset: "ETH", token: "", part: "available", amount });

it("dates a day by the readings that hold money, and by all where none does", () => {
  const empty = account("new", reais("0.00", "0.00"), late);
  expect(spanOfReadings([account("a", reais("5.00", "0.00")), empty])).toEqual({ oldestAt: early, newestAt: early });
  expect(spanOfReadings([empty, account("unread", null, null)])).toEqual({ oldestAt: late, newestAt: late });
  expect(spanOfReadings([])).toEqual({ oldestAt: null, newestAt: null });
});

describe("the sums of a day", () => {
  it("adds reais exactly, and gives the oldest reading", () => {
    const sums = sumReadings([account("a", reais("0.10", "1.00"), late), account("b", reais("0.20", "0.00"))], []);
    expect(sums).toMatchObject([
      { part: "available", amount: "0.30", readings: 2, unread: 0, oldestAt: early.toISOString() },
      { part: "blocked", amount: "1.00", readings: 2, unread: 0 },
    ]);
  });

  it("adds 18 decimals and 10^30 units without losing one", () => {
    const large = `1${"0".repeat(30)}`;
    const readings = [wallet("a", [ether(large)]), wallet("b", [ether("0.000000000000000001")])];
    const [sum] = sumReadings(readings, []);
    expect(sum?.amount).toBe(`${large}.000000000000000001`);
  });

  it("counts an unreadable account, and never adds it as 0", () => {
    const sums = sumReadings([account("a", reais("5.00", "0.00")), account("b", null, null)], []);
    expect(sums.map(({ amount, unread }) => [amount, unread])).toEqual([
      ["5.00", 1],
      ["0.00", 1],
    ]);
  });

  it("counts one unreadable figure in its own sum alone", () => {
    const sums = sumReadings([account("a", reais("5.00", null)), account("b", reais("1.00", "2.00"))], []);
    expect(sums.map(({ amount, unread }) => [amount, unread])).toEqual([
      ["6.00", 0],
      ["2.00", 1],
    ]);
  });

  it("gives no amount without any reading", () => {
    expect(sumReadings([account("a", reais(null, "0.00"))], [])[0]).toMatchObject({ amount: null, unread: 1 });
    expect(sumReadings([account("a", null, null)], [])).toMatchObject([{ asset: "BRL", amount: null, unread: 1 }]);
    expect(sumReadings([wallet("a", null)], [])).toMatchObject([{ asset: "", amount: null, unread: 1 }]);
  });

  it("counts the readings that are still missing", () => {
    const place = { network: "ETHEREUM", kind: "customer" } as const;
    const expected = ["a", "b", "c"].map((id) => ({ subject: `wallet:${id}`, ...place }));
    expect(sumReadings([wallet("a", [ether("1.5")])], expected)).toMatchObject([{ amount: "1.50", unread: 2 }]);
  });

  it("counts an entry without asset in every sum of its network and kind", () => {
    const unknown: Figure = { asset: "", token: "", part: "available", amount: null };
    const sums = sumReadings([wallet("a", [ether("1")]), wallet("b", [unknown])], []);
    expect(sums).toMatchObject([{ asset: "ETH", amount: "1.00", unread: 1 }]);
  });

  it("keeps kinds, networks and contracts apart", () => {
    const token: Figure = { asset: "ETH", token: "0xfake", part: "available", amount: "9" };
    const sums = sumReadings([wallet("a", [ether("1"), token]), wallet("b", [ether("2")], "checkout")], []);
    expect(sums.map(({ kind, token: contract, amount }) => [kind, contract, amount])).toEqual([
      ["customer", "", "1.00"],
      ["customer", "0xfake", "9.00"],
      ["checkout", "", "2.00"],
    ]);
  });
});

const usdt = (asset: string, token: string): Figure => ({ asset, token, part: "available", amount: "1" });

describe("a sum", () => {
  it("keeps a sum the same whatever else is read", () => {
    const contract = fc.bigInt(1n, 2n ** 160n - 1n).map((n) => `0x${n.toString(16).padStart(40, "0")}`);
    const foreign = fc.record({
      asset: fc.constantFrom("", "ETH", "ЕТН", "USDT"),
      token: contract,
      part: fc.constant("available" as const),
      amount: fc.option(fc.bigInt(0n, 10n ** 40n).map(String)),
    });
    fc.assert(
      fc.property(fc.array(foreign, { maxLength: 6 }), fc.nat(6), (others, at) => {
        const among = [...others.slice(0, at), ether("1.5"), ...others.slice(at)];
        const [alone] = sumReadings([wallet("a", [ether("1.5")]), wallet("b", [ether("2")])], []);
        const sums = sumReadings([wallet("a", among), wallet("b", [ether("2"), ...others])], []);
        expect(sums.filter(({ token }) => token === "")).toEqual([alone]);
      }),
    );
  });

  it("combines every spelling of one contract in a sum", () => {
    const token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    const readings = [wallet("a", [usdt("USDT", token)]), wallet("b", [usdt("usdt", token.toLowerCase())])];
    expect(sumReadings(readings, [])).toMatchObject([{ asset: "USDT", token, amount: "2.00", readings: 2 }]);
    expect(sumReadings(readings.toReversed(), [])).toEqual(sumReadings(readings, []));
  });
});

describe("a difference", () => {
  it("computes a difference exactly, and leaves it unknown when one side is", () => {
    expect(differenceOf("1.000000000000000001", "2")).toBe("-0.999999999999999999");
    expect(differenceOf("1", null)).toBeNull();
    expect(differenceOf(null, "1")).toBeNull();
  });
});
