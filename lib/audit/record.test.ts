import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/log/log";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { CHAIN_START, type ChainRow, chainRows, hashAfter } from "./chain";
import { endRefusedReads, record, recordAll, recordRefusedRead, WITHHELD } from "./record";

const entry = { tenant: "aurora", actor: "watch:kyc", code: "kyc.decide", outcome: "INTENT" } as const;

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

describe("the record", () => {
  it("keeps who did what to what, in order", async () => {
    await record(db, { ...entry, object: "kyc:1", detail: { decision: "APPROVED" } });
    await record(db, { ...entry, outcome: "DONE" });
    expect(await db.select().from(auditEvent).orderBy(auditEvent.seq)).toMatchObject([
      { seq: 1, ...entry, object: "kyc:1", intentId: null, detail: { decision: "APPROVED" } },
      { seq: 2, ...entry, outcome: "DONE", object: null, detail: {} },
    ]);
  });

  it.each([
    ["changed", "UPDATE audit_event SET outcome = 'DONE'"],
    ["changed when nothing fits", "UPDATE audit_event SET outcome = 'DONE' WHERE seq = -1"],
    ["shortened", "DELETE FROM audit_event"],
    ["emptied", "TRUNCATE audit_event"],
    ["emptied along with others", "TRUNCATE staff, audit_event CASCADE"],
    [
      "overwritten by an insert",
      "INSERT INTO audit_event SELECT * FROM audit_event ON CONFLICT (tenant, seq) DO UPDATE SET code = 'x'",
    ],
  ])("refuses to have the record %s, even by its owner", async (_, statement) => {
    await record(db, entry);
    await expect(db.execute(sql.raw(statement))).rejects.toMatchObject({
      cause: { message: "audit_event is append-only" },
    });
    expect(await db.select().from(auditEvent)).toMatchObject([entry]);
  });

  it.each([
    ["a CPF", "39053344705"],
    ["a CPF with its points", "cliente 390.533.447-05"],
    ["a CNPJ", "11222333000181"],
    ["a CNPJ with letters", "12.ABC.345/01DE-35"],
    ["an e-mail address", "escreva a ana@aurora.example"],
  ])("withholds %s and audits the rest", async (_, value) => {
    const error = vi.spyOn(log, "error").mockImplementation(() => undefined);
    await record(db, { ...entry, detail: { value, decision: "APPROVED" } });
    expect(await db.select().from(auditEvent)).toMatchObject([{ detail: { value: WITHHELD, decision: "APPROVED" } }]);
    expect(JSON.stringify(error.mock.calls)).not.toContain(value);
  });

  it.each(["12345678901", "a".repeat(64), "150.00", "2026-11-21T10:00:00Z", "0f390533447051", "support,compliance"])(
    "keeps %s, which identifies nobody",
    async (value) => {
      await record(db, { ...entry, detail: { value } });
      expect(await db.select().from(auditEvent)).toMatchObject([{ detail: { value } }]);
    },
  );

  it("locks tenants' records in one order, whatever their names", async () => {
    await db.transaction((tx) =>
      recordAll(
        tx,
        ["boreal", "aurora", "cobalto"].map((tenant) => ({ ...entry, tenant })),
      ),
    );
    const rows = await db.select({ tenant: auditEvent.tenant }).from(auditEvent).orderBy(auditEvent.at);
    expect(rows.map(({ tenant }) => tenant)).toEqual(["aurora", "boreal", "cobalto"]);
  });

  it("inserts many rows at once and chains them in order", async () => {
    const objects = ["kyc:1", "kyc:2", "kyc:3"];
    await db.transaction(async (tx) => {
      const insert = vi.spyOn(tx, "insert");
      await recordAll(
        tx,
        objects.map((object) => ({ ...entry, object })),
      );
      expect(insert).toHaveBeenCalledOnce();
    });
    const rows: ChainRow[] = [];
    for await (const some of chainRows(db, { tenant: "aurora", after: 0, upTo: 3 })) rows.push(...some);
    expect(rows.map(({ seq, object }) => [seq, object])).toEqual(objects.map((object, nth) => [nth + 1, object]));
    for (const [nth, row] of rows.entries()) expect(row.hash).toBe(hashAfter(rows[nth - 1]?.hash ?? CHAIN_START, row));
  });

  it("commits or rolls back an audit row with its write", async () => {
    const failing = db.transaction(async (tx) => {
      await record(tx, entry);
      throw new Error("the write failed");
    });
    await expect(failing).rejects.toThrow("the write failed");
    expect(await db.select().from(auditEvent)).toEqual([]);
  });
});

const refusals = async () =>
  (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ actor, code, detail }) => [
    actor,
    code,
    detail["times"] ?? null,
  ]);

describe("refused reads", () => {
  const who = { tenant: "aurora", staffId: "staff-1" };

  it("stores at most two refusals per person, code and minute of a flood", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      for (let n = 0; n < 200; n += 1) await recordRefusedRead(who, "wallets:read");
      await recordRefusedRead(who, "kyc:read");
      await recordRefusedRead({ ...who, staffId: "staff-2" }, "wallets:read");
      const first = [
        ["staff-1", "wallets.read", null],
        ["staff-1", "kyc.read", null],
        ["staff-2", "wallets.read", null],
      ];
      expect(await refusals()).toEqual(first);
      vi.advanceTimersByTime(60_000);
      vi.useRealTimers();
      await expect.poll(refusals).toEqual([...first, ["staff-1", "wallets.read", 199]]);
      await recordRefusedRead(who, "wallets:read");
      expect(await refusals()).toHaveLength(5);
    } finally {
      vi.useRealTimers();
    }
  });

  it("stores what is gathered when the process ends, once", async () => {
    for (let n = 0; n < 3; n += 1) await recordRefusedRead(who, "wallets:read");
    await endRefusedReads();
    await endRefusedReads();
    expect((await refusals()).map(([, , times]) => times)).toEqual([null, 2]);
  });
});
