import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Call } from "@/service/context";
import { startService } from "@/test/support/service/harness";
import { transaction } from "@/service/store/transaction";
import { BRL, closeAccounts, type LedgerAccount, type Movement, openAccounts, worldAccount } from "./account";
import { openBooks, post, readBalances } from "./books";
import { ledgerAccount } from "@/service/store/schema";
import { expectBalancedBooks } from "@/test/support/service/ledger";

let call: Call;
let world: LedgerAccount;
let ana: LedgerAccount;
let posted = 0;
beforeEach(async () => {
  call = (await startService()).call();
  world = await worldAccount(call.db, BRL);
  const [opened] = await transaction(call.db, (tx) =>
    openAccounts(tx, [{ holder: "ana", assetId: BRL, kind: "available" }]),
  );
  ana = opened ?? world;
});
afterEach(() => expectBalancedBooks(call.db));

function giving(cents: bigint): Movement {
  const lines = [
    { account: world, amount: -cents },
    { account: ana, amount: cents },
  ];
  posted += 1;
  return { id: `b${posted}`, type: "PIX", description: "PIX", occurredAt: new Date("2026-03-10T12:00:00Z"), lines };
}

const enter = (movement: Movement) => transaction(call.db, (tx) => post(tx, movement));

async function stored(): Promise<bigint | null | undefined> {
  const [row] = await call.db.select().from(ledgerAccount).where(eq(ledgerAccount.id, ana.id));
  return row?.balance;
}

describe("readBalances", () => {
  it("reads committed movements", async () => {
    expect(await readBalances(call.db, [ana.id])).toEqual([0n]);
    await enter(giving(700n));
    expect(await readBalances(call.db, [ana.id])).toEqual([700n]);
  });

  it("ignores rolled-back movements", async () => {
    const failing = transaction(call.db, async (tx) => {
      await post(tx, giving(1n));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await readBalances(call.db, [ana.id])).toEqual([0n]);
  });

  it("throws for an unknown account", async () => {
    await expect(readBalances(call.db, [999_999])).rejects.toThrow("does not exist");
  });
});

describe("the books", () => {
  it("takes nothing in a dry run, and reports what entering would", async () => {
    await transaction(call.db, async (tx) => {
      const books = await openBooks(tx, [ana]);
      books.check(giving(5n));
      expect(() => books.check(giving(-1n))).toThrow("Insufficient balance");
      expect(books.balanceOf(ana)).toBe(0n);
      await books.write();
    });
    expect(await stored()).toBe(0n);
  });

  it("posts payable movements after one that could not be paid", async () => {
    await transaction(call.db, async (tx) => {
      const books = await openBooks(tx, [ana]);
      books.enter(giving(5n));
      expect(() => books.enter(giving(-6n))).toThrow("Insufficient balance");
      books.enter(giving(-5n));
      await books.write();
    });
    expect(await stored()).toBe(0n);
  });

  it("refuses movements on a closed account, in either direction", async () => {
    await transaction(call.db, (tx) => closeAccounts(tx, [ana]));
    await expect(enter(giving(1n))).rejects.toMatchObject({ status: 422 });
    await expect(transaction(call.db, (tx) => closeAccounts(tx, [ana]))).rejects.toMatchObject({ status: 422 });
  });

  it("refuses to close an account with money on it", async () => {
    await enter(giving(1n));
    await expect(transaction(call.db, (tx) => closeAccounts(tx, [ana]))).rejects.toMatchObject({ status: 422 });
    await enter(giving(-1n));
    await transaction(call.db, (tx) => closeAccounts(tx, [ana]));
  });

  it("refuses a movement on an account that was not locked", async () => {
    const moving = transaction(call.db, async (tx) => (await openBooks(tx, [])).enter(giving(1n)));
    await expect(moving).rejects.toThrow("was not locked");
  });
});
