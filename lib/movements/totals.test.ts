import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { type Counted, controlTotals } from "./totals";
import type { Coin } from "@/lib/db/enums/movements";

/** Seeded random numbers: a linear congruential generator. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
}

const UNIT = 10n ** 18n;

/** Reais, one token on two networks, another with its name, and an unknown asset. */
const COINS: readonly (Coin | null)[] = [
  null,
  { network: "ETHEREUM", asset: "USDT", token: "0xdac1" },
  { network: "TRON", asset: "USDT", token: "TR7" },
  { network: "ETHEREUM", asset: "USDT", token: "0xfake" },
  { network: "ETHEREUM", asset: null, token: null },
  { network: "BITCOIN", asset: null, token: null },
];

function randomEntry(next: () => number): { counted: Counted; units: bigint } {
  const digits = Array.from({ length: 1 + (next() % 30) }, () => String(next() % 10)).join("");
  const units = BigInt(digits);
  const amount = `${units / UNIT}.${String(units % UNIT).padStart(18, "0")}`;
  const side = next() % 2 === 0 ? "in" : "out";
  const moved = next() % 10 === 0 ? null : ({ side, amount } as const);
  const coin = COINS[next() % COINS.length];
  return { counted: { ...(coin && { coin }), moved }, units };
}

const unitsIn = (decimal: string) => {
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(18, "0"));
};

describe("control totals", () => {
  it("adds up to the entries for 200 seeded files, read in any parts", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const next = seeded(seed);
      const entries = Array.from({ length: next() % 60 }, () => randomEntry(next));
      const whole = controlTotals();
      const joined = controlTotals();
      for (const { counted } of entries) whole.count(counted);
      for (let at = 0; at < entries.length; at += 7) {
        const part = controlTotals();
        for (const { counted } of entries.slice(at, at + 7)) part.count(counted);
        joined.join(part.totals());
      }
      expect(joined.totals()).toEqual(whole.totals());
      expect(Object.values(whole.totals()).reduce((sum, { count }) => sum + count, 0)).toBe(entries.length);
      for (const totals of Object.values(whole.totals())) {
        const own = entries.filter(({ counted }) => isDeepStrictEqual(counted.coin, totals.coin));
        const sumOf = (side: "in" | "out") =>
          own.reduce((sum, { counted, units }) => (counted.moved?.side === side ? sum + units : sum), 0n);
        expect(totals.count).toBe(own.length);
        expect(totals.unsigned).toBe(own.filter(({ counted }) => counted.moved === null).length);
        expect([unitsIn(totals.in), unitsIn(totals.out)]).toEqual([sumOf("in"), sumOf("out")]);
      }
    }
  });
});
