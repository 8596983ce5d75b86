import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Call } from "@/service/context";
import { startService } from "@/test/support/service/harness";
import { transaction } from "@/service/store/transaction";
import { BRL, closeAccounts, type LedgerAccount, type Movement, openAccounts, worldAccount } from "./account";
import { openBooks, post, type Balances, createBalances } from "./books";
import { ledgerAccount } from "@/service/store/schema";
import { expectBalancedBooks } from "@/test/support/service/ledger";

let call: Call;
let balances: Balances;
let world: LedgerAccount;
let ana: LedgerAccount;
let posted = 0;
beforeEach(async () => {
  call = (await startService()).call();
  balances = call.balances;
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

const enter = (movement: Movement) => transaction(call.db, (tx) => post(call, tx, movement));

async function stored(): Promise<bigint | null | undefined> {
  const [row] = await call.db.select().from(ledgerAccount).where(eq(ledgerAccount.id, ana.id));
  return row?.balance;
}

describe("the balances in memory", () => {
  it("are read from the database once, and follow every commit from then on", async () => {
    expect(await balances.read([ana.id])).toEqual([0n]);
    await enter(giving(700n));
    expect(await balances.read([ana.id])).toEqual([700n]);
    expect(await stored()).toBe(700n);
  });

  it("know nothing of what was rolled back", async () => {
    await enter(giving(700n));
    const failing = transaction(call.db, async (tx) => {
      await post(call, tx, giving(1n));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await balances.read([ana.id])).toEqual([700n]);
  });

  it("do not go back when an earlier commit is heard of later", () => {
    balances.note(new Map([[7, { balance: 20n, entryCount: 2 }]]));
    balances.note(new Map([[7, { balance: 10n, entryCount: 1 }]]));
    expect(balances.read([7])).toEqual([20n]);
  });

  it("keep nothing that was read while an unknown end made them forget", async () => {
    await enter(giving(700n));
    const fresh = createBalances(call.db);
    const reading = fresh.read([ana.id]);
    fresh.forget([ana.id]);
    expect(await reading).toEqual([700n]);
    await call.db.update(ledgerAccount).set({ balance: 800n }).where(eq(ledgerAccount.id, ana.id));
    expect(await fresh.read([ana.id])).toEqual([800n]);
    await call.db.update(ledgerAccount).set({ balance: 700n }).where(eq(ledgerAccount.id, ana.id));
  });

  it("of an account that does not exist are a defect, not a zero", async () => {
    await expect(balances.read([999_999])).rejects.toThrow("does not exist");
  });
});

describe("the books", () => {
  it("that are only checked take nothing, and say what entering would say", async () => {
    await transaction(call.db, async (tx) => {
      const books = await openBooks(call, tx, [ana]);
      books.check(giving(5n));
      expect(() => books.check(giving(-1n))).toThrow("Insufficient balance");
      expect(books.balanceOf(ana)).toBe(0n);
      await books.write();
    });
    expect(await stored()).toBe(0n);
  });

  it("take what can be paid although something before it could not", async () => {
    await transaction(call.db, async (tx) => {
      const books = await openBooks(call, tx, [ana]);
      books.enter(giving(5n));
      expect(() => books.enter(giving(-6n))).toThrow("Insufficient balance");
      books.enter(giving(-5n));
      await books.write();
    });
    expect(await stored()).toBe(0n);
  });

  it("take nothing on a closed account, in either direction", async () => {
    await transaction(call.db, (tx) => closeAccounts(tx, [ana]));
    await expect(enter(giving(1n))).rejects.toMatchObject({ status: 422 });
    await expect(transaction(call.db, (tx) => closeAccounts(tx, [ana]))).rejects.toMatchObject({ status: 422 });
  });

  it("of an account with money on it cannot be closed", async () => {
    await enter(giving(1n));
    await expect(transaction(call.db, (tx) => closeAccounts(tx, [ana]))).rejects.toMatchObject({ status: 422 });
    await enter(giving(-1n));
    await transaction(call.db, (tx) => closeAccounts(tx, [ana]));
  });

  it("refuse a movement on an account that was not locked", async () => {
    const moving = transaction(call.db, async (tx) => (await openBooks(call, tx, [])).enter(giving(1n)));
    await expect(moving).rejects.toThrow("was not locked");
  });
});
