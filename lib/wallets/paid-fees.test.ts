import * as fc from "fast-check";
import { expect, it } from "vitest";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { paidFees } from "./paid-fees";

const fee = fc.integer({ min: 0, max: 1_000 }).map((units) => `0.${String(units).padStart(4, "0")}`);

/** A transaction of one wallet: what it cost, which of its entries tell it, and whether it was derived. */
const transaction = fc.record({
  wallet: fc.constantFrom("a", "b"),
  fee,
  derived: fc.option(fee),
  tells: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
});

it("counts each transaction's fee once, as told by any of its entries", () => {
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 8 }), fc.nat(), (all, seed) => {
      const rows = all.flatMap(({ wallet, fee: paid, derived, tells }, nth) =>
        tells.map((isTold, at) => ({
          walletId: wallet,
          network: "ETHEREUM" as const,
          hash: at % 2 === 0 ? `0xA${nth}` : `a${nth}`,
          toldFee: isTold ? paid : null,
          derivedFee: at === 0 ? derived : null,
        })),
      );
      const turned =
        rows.length === 0 ? rows : [...rows.slice(seed % rows.length), ...rows.slice(0, seed % rows.length)];
      const counted = [...paidFees(turned).values()].reduce((sum, one) => sum + unitsOf(one), 0n);
      const expected = all.reduce(
        (sum, one) => sum + unitsOf(one.tells.includes(true) ? one.fee : (one.derived ?? "0")),
        0n,
      );
      expect(decimalOf(counted)).toBe(decimalOf(expected));
    }),
  );
});

it("takes the highest where a transaction's entries tell different fees", () => {
  const row = { walletId: "a", network: "BITCOIN" as const, hash: "1", derivedFee: null };
  const rows = ["0.01", "0.2", "0.1"].map((toldFee) => ({ ...row, toldFee }));
  expect([...paidFees(rows).values()]).toEqual(["0.2"]);
});
