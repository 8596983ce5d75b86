import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BalanceEntry } from "@/lib/contract/crypto";
import { NETWORKS } from "@/lib/contract/crypto";
import { heldAs } from "./held";

const TOKEN = { asset: "USDT", tokenAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7" };
const ETH = { asset: "ETH", type: "native" };
const BTC = { asset: "BTC", type: "native" };

type Told = Partial<BalanceEntry> & Pick<BalanceEntry, "balance" | "asset" | "decimals">;
const entryOf = (told: Told): BalanceEntry => ({ address: "", ...told });

const read = (counted: "units" | "smallest", network: (typeof NETWORKS)[number], told: Told) =>
  heldAs(counted, network, [entryOf(told)]).map(({ balance, doubt }) => [balance, doubt]);

describe("a balance in units", () => {
  it.each([
    ["ETHEREUM", { ...ETH, balance: "1.5", decimals: 18 }, "1.5", null],
    ["ETHEREUM", { ...ETH, balance: "25", decimals: 18 }, "25", null],
    ["ETHEREUM", { ...TOKEN, balance: "1500000", decimals: 6 }, "1500000", null],
    ["ETHEREUM", { ...TOKEN, balance: "1500000000000000000", decimals: 18 }, "1500000000000000000", null],
    ["ETHEREUM", { ...ETH, balance: "1500000000000000000", decimals: 18 }, "1500000000000000000", "above-supply"],
    ["BITCOIN", { ...BTC, balance: "21000000", decimals: 8 }, "21000000", null],
    ["BITCOIN", { ...BTC, balance: "21000000.00000001", decimals: 8 }, "21000000.00000001", "above-supply"],
    ["BITCOIN", { ...BTC, balance: "150000", decimals: 8 }, "150000", null],
    ["ETHEREUM", { ...ETH, balance: "muito", decimals: 18 }, "muito", null],
  ] as const)("shows a balance on %s as the provider gives it: %o", (network, told, balance, doubt) => {
    expect(read("units", network, told)).toEqual([[balance, doubt]]);
  });

  it("reads a balance the same whatever else the answer holds", () => {
    const foreign = fc.record({
      asset: fc.oneof(fc.constantFrom("ETH", "USDT", "", "ЕТН", "BTC"), fc.string({ maxLength: 12 })),
      decimals: fc.option(fc.nat(60)),
      balance: fc.oneof(
        fc.bigInt(0n, 10n ** 45n).map(String),
        fc.constantFrom("0.5", "1500000000000000000", "muito", "-1", "1e9"),
      ),
      tokenAddress: fc.bigInt(1n, 2n ** 160n - 1n).map((n) => `0x${n.toString(16).padStart(40, "0")}`),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...NETWORKS),
        fc.constantFrom("units" as const, "smallest" as const),
        fc.bigInt(0n, 10n ** 30n).map(String),
        fc.record({ others: fc.array(foreign, { maxLength: 8 }), at: fc.nat(8) }),
        (network, counted, balance, { others, at }) => {
          const own = [entryOf({ ...ETH, balance, decimals: 18 }), entryOf({ asset: "X", balance, decimals: 6 })];
          const strangers = others.map((one) => entryOf(one));
          const mixed = [...strangers.slice(0, at), ...own, ...strangers.slice(at)];
          const alone = heldAs(counted, network, own);
          const among = heldAs(counted, network, mixed).filter(({ tokenAddress }) => tokenAddress === undefined);
          expect(among).toEqual(alone);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("a balance in smallest units", () => {
  it.each([
    ["ETHEREUM", { ...ETH, balance: "1500000000000000000", decimals: 18 }, "1.5", null],
    ["ETHEREUM", { ...ETH, balance: "1000000000000000001", decimals: 18 }, "1.000000000000000001", null],
    ["ETHEREUM", { ...ETH, balance: "25", decimals: 18 }, "0.000000000000000025", null],
    ["ETHEREUM", { ...TOKEN, balance: "1500000", decimals: 0 }, "1500000", null],
    ["BITCOIN", { ...BTC, balance: "1500000000", decimals: 8 }, "15", null],
    ["ETHEREUM", { ...ETH, balance: "0", decimals: null }, "0", null],
    ["ETHEREUM", { ...ETH, balance: "1.5", decimals: 18 }, "1.5", "no-smallest"],
    ["ETHEREUM", { ...ETH, balance: "15", decimals: null }, "15", "no-smallest"],
  ] as const)("divides a balance on %s by its own decimals: %o", (network, told, balance, doubt) => {
    expect(read("smallest", network, told)).toEqual([[balance, doubt]]);
  });
});

describe("an asset told twice in one answer", () => {
  const lower = { ...TOKEN, tokenAddress: TOKEN.tokenAddress.toLowerCase() };
  it("counts a repeated asset once in two spellings", () => {
    const told = [
      entryOf({ ...TOKEN, balance: "1.50", decimals: 6 }),
      entryOf({ ...lower, balance: "1.5", decimals: 6 }),
    ];
    expect(heldAs("units", "ETHEREUM", told)).toMatchObject([{ balance: "1.50", doubt: null }]);
  });

  it("flags a repeated asset with two balances", () => {
    const told = [entryOf({ ...TOKEN, balance: "1.5", decimals: 6 }), entryOf({ ...lower, balance: "2", decimals: 6 })];
    expect(heldAs("units", "ETHEREUM", told).map(({ balance, doubt }) => [balance, doubt])).toEqual([
      ["1.5", "told-twice"],
      ["2", "told-twice"],
    ]);
  });
});
