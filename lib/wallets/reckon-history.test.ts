import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { reckonHistory } from "./reckon-history";

const BALANCES_AT = new Date("2026-11-30T12:00:00Z");
const HOUR_MS = 60 * 60_000;

type Row = Parameters<typeof reckonHistory>[0][number];
type Told = Parameters<typeof reckonHistory>[1];

const ROW: Row = {
  tenant: "aurora",
  walletId: "w",
  network: "SOLANA",
  key: "",
  ordinal: 0,
  hash: "1",
  subtype: "incoming",
  counterAddress: "x",
  amount: "1",
  blockNumber: "9",
  at: new Date("2026-11-01T12:00:00Z"),
  isDated: true,
  status: null,
  droppedAt: null,
  tokenAddress: null,
  asset: "SOL",
  toldFee: null,
  derivedFee: null,
  isOwn: false,
  writtenAt: null,
};

const held = (balance: string, changes: Partial<Told["balances"][number]> = {}) => ({
  network: "SOLANA" as const,
  asset: "SOL",
  balance,
  decimals: 9,
  doubt: null,
  tokenAddress: null,
  ...changes,
});

const gapsOf = (rows: Row[], balances: Told["balances"]) =>
  reckonHistory(rows, { network: "SOLANA", hasNoToken: false, balances, balancesAt: BALANCES_AT });

const received = (changes: Partial<Row> = {}): Row => ({ ...ROW, hash: "in", amount: "40", ...changes });
const sent = (changes: Partial<Row> = {}): Row => ({
  ...ROW,
  hash: "out",
  subtype: "outgoing",
  amount: "10",
  toldFee: "0.5",
  ...changes,
});

describe("a wallet's history", () => {
  it("adds up to the balance, by what came in, went out and was paid for it", () => {
    expect(gapsOf([received(), sent()], [held("29.5")])).toEqual([]);
    expect(gapsOf([received(), sent({ toldFee: null, derivedFee: "0.5" })], [held("29.5")])).toEqual([]);
  });

  it("tells what is held or left out, also where nothing is left", () => {
    expect(gapsOf([received(), sent()], [held("15")])).toEqual([{ asset: "SOL", sum: "29.50", difference: "-14.50" }]);
    expect(gapsOf([received(), sent()], [held("30")])).toMatchObject([{ difference: "0.50" }]);
    expect(gapsOf([received()], [])).toMatchObject([{ sum: "40.00", difference: "-40.00" }]);
  });

  it("counts a transaction's fee once, of a token in the network's coin", () => {
    const token = { tokenAddress: "EPjFWdd5Aufq", asset: "USDC", amount: "2" };
    const rows = [
      received(),
      received({ ...token, hash: "t", amount: "5" }),
      sent(token),
      sent({ ...token, key: "b" }),
    ];
    const usdc = held("1", { asset: "USDC", tokenAddress: "EPjFWdd5Aufq" });
    expect(gapsOf(rows, [held("39.5"), usdc])).toEqual([]);
  });

  it.each([
    ["a fee that nobody told", [sent({ toldFee: null })]],
    ["a movement without a block", [received({ blockNumber: null, isDated: false })]],
    ["a failed movement", [received({ status: "failed" })]],
    ["an unknown direction", [received({ subtype: "mystery" })]],
    ["an asset that is not told", [received({ asset: null })]],
    ["an amount that is none", [received({ amount: "1e5" })]],
    ["a movement beside the reading", [received({ at: new Date(BALANCES_AT.getTime() - 60_000) })]],
  ])("says nothing because of %s", (_, rows) => {
    expect(gapsOf([received(), ...rows], [held("7")])).toEqual([]);
  });

  it("leaves out what was dropped and what moved after the balances were read", () => {
    const later = received({ at: new Date(BALANCES_AT.getTime() + HOUR_MS), amount: "3" });
    const dropped = received({ droppedAt: BALANCES_AT, amount: "99" });
    expect(gapsOf([received(), later, dropped], [held("40")])).toEqual([]);
  });

  it("says nothing of balances that are doubted or told twice", () => {
    expect(gapsOf([received()], [held("7"), held("8")])).toEqual([]);
    expect(gapsOf([received()], [held("7", { doubt: "above-supply" })])).toEqual([]);
  });

  it("finds exactly the difference, in any order of any movements", () => {
    const amounts = fc.array(fc.record({ isIn: fc.boolean(), units: fc.integer({ min: 1, max: 10 ** 9 }) }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(amounts, fc.integer({ min: -(10 ** 6), max: 10 ** 6 }), (all, missing) => {
        const rows = all.map(({ isIn, units }, nth) =>
          (isIn ? received : sent)({ hash: `h${nth}`, amount: decimalOf(BigInt(units) * unitsOf("0.001")) }),
        );
        const sum = all.reduce(
          (left, { isIn, units }) =>
            left + (isIn ? 1n : -1n) * BigInt(units) * unitsOf("0.001") - (isIn ? 0n : unitsOf("0.5")),
          0n,
        );
        const off = BigInt(missing) * unitsOf("0.001");
        const gaps = gapsOf(rows.toReversed(), [held(decimalOf(sum + off))]);
        expect(gaps.map(({ difference }) => difference)).toEqual(missing === 0 ? [] : [decimalOf(off)]);
      }),
    );
  });
});
