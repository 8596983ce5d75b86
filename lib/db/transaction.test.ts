import { sql, type SQL } from "drizzle-orm";
import { beforeEach, describe, expect, it, type Mock, vi } from "vitest";
import { givenStore } from "@/test/support/console";
import { gate } from "@/test/support/gate";
import { lease } from "./lease";
import { readTestDatabaseUrl } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import { asWork } from "@/lib/log/work";
import { db as openDb, type Db, store as openStore, type Tx } from "./connection";
import { TRANSACTION_WITHIN_MS } from "./transaction";

let db: Db;
beforeEach(async () => {
  db = await givenStore();
});

const server = readTestDatabaseUrl();
const never = new Promise<never>(() => undefined);
const row = { name: "kept", holder: "5f0f7a50-6a0c-4b57-9d8c-0d1d7d4b9a11", until: new Date() };

describe("inside a transaction", () => {
  it.each([
    ["db()", openDb],
    ["store()", openStore],
    ["a query of the outer handle", () => db.execute(sql`select 1`)],
    ["a prepared read of the outer handle", () => db.select().from(lease)],
    ["a count of the outer handle", () => db.$count(lease)],
    ["a write of the outer handle", () => db.insert(lease).values(row)],
    ["another transaction", () => db.transaction(async () => "nested")],
    [
      "a query on the connections for megabytes",
      async () => (await globalThis.retaguardaStore)?.bulk.execute(sql`select 1`),
    ],
  ])("refuses %s inside a transaction", async (_, ask) => {
    const beside = db.transaction(async (tx) => {
      await tx.insert(lease).values(row);
      await ask();
    });
    await expect(beside).rejects.toThrow(/beside the transaction of .*transaction\.test/);
    expect(await db.$count(lease)).toBe(0);
  });

  it("answers a transaction's own queries and savepoints", async () => {
    await db.transaction(async (tx) => {
      await tx.transaction((inner) => inner.insert(lease).values(row));
      expect(await tx.$count(lease)).toBe(1);
    });
    expect(await db.$count(lease)).toBe(1);
  });

  it("runs deferred reads after the transaction is over", async () => {
    const over = gate();
    const countLater = async () => {
      await over.opened;
      return db.$count(lease);
    };
    let counted: Promise<number> | undefined;
    await db.transaction(async () => {
      counted = countLater();
    });
    over.open();
    expect(await counted).toBe(0);
  });

  it("never includes other people's requests in a transaction", async () => {
    const [, counted] = await Promise.all([
      db.transaction(async (tx) => {
        await tx.insert(lease).values(row);
      }),
      db.$count(lease),
    ]);
    expect([0, 1]).toContain(counted);
  });
});

describe("a transaction that is over", () => {
  it("refuses further queries after a transaction", async () => {
    let left: Tx | undefined;
    await db.transaction(async (tx) => {
      left = tx;
    });
    await expect(left?.insert(lease).values(row)).rejects.toThrow("is over");
    expect(await db.$count(lease)).toBe(0);
  });
});

/** Stays open until it is ended from outside. */
function openFor(shorten: SQL) {
  const begun = gate();
  const hold = () =>
    db.transaction(async (tx) => {
      await tx.execute(shorten);
      await tx.insert(lease).values(row);
      begun.open();
      await never;
    });
  const ended = asWork("kyc:decide", hold).catch(String);
  return { begun: begun.opened, ended };
}

describe("a transaction that stays open", () => {
  const named = {
    work: "kyc:decide",
    began: expect.stringContaining("transaction.test"),
    asked: expect.stringContaining('into "lease"'),
  };
  let said: Mock;
  beforeEach(() => {
    said = vi.spyOn(log, "error").mockImplementation(() => undefined);
  });

  it.skipIf(server !== undefined)("ends an open transaction after half a minute and logs its owner", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { begun, ended } = openFor(sql`select 1`);
    await begun;
    vi.advanceTimersByTime(TRANSACTION_WITHIN_MS);
    vi.useRealTimers();
    expect(await ended).toContain("open for too long");
    expect(await db.$count(lease)).toBe(0);
    expect(said).toHaveBeenCalledWith(named, expect.any(String));
  });

  it.skipIf(server === undefined)("logs the owner of a transaction that the server ended", async () => {
    const idle = await db.execute(sql`show idle_in_transaction_session_timeout`);
    expect(idle).toMatchObject({ rows: [{ idle_in_transaction_session_timeout: "30s" }] });
    const { ended } = openFor(sql`set local idle_in_transaction_session_timeout = 100`);
    expect(await ended).toContain("idle-in-transaction timeout");
    expect(await db.$count(lease)).toBe(0);
    expect(said).toHaveBeenCalledWith(named, expect.any(String));
  });
});

describe.skipIf(server !== undefined)("the embedded store", () => {
  it("answers a read between two transactions, however many wait", async () => {
    const told: string[] = [];
    const transactions = Array.from({ length: 5 }, (_, nth) =>
      db.transaction((tx) => tx.$count(lease)).then(() => told.push(`transaction ${nth}`)),
    );
    const read = db.$count(lease).then(() => told.push("read"));
    await Promise.all([...transactions, read]);
    expect(told.indexOf("read")).toBeLessThanOrEqual(1);
  });

  it("yields to the event loop under constant requests", async () => {
    const turned = new AbortController();
    setImmediate(() => turned.abort());
    const askedUntil = performance.now() + 5_000;
    while (!turned.signal.aborted && performance.now() < askedUntil) await db.execute(sql`select 1`);
    expect(turned.signal.aborted).toBe(true);
  });
});
