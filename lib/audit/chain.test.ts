import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { CHAIN_START, type ChainRow, chainRows, hashAfter, readHead } from "./chain";
import { record } from "./record";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const entry = { tenant: "aurora", actor: "watch:kyc", code: "kyc.decide", outcome: "INTENT" } as const;

async function rowsOf(tenant: string): Promise<ChainRow[]> {
  const rows: ChainRow[] = [];
  for await (const batch of chainRows(db, { tenant, after: 0, upTo: 1_000_000 })) rows.push(...batch);
  return rows;
}

/** The rows whose hash differs from the one computed here. */
const broken = (rows: readonly ChainRow[]) =>
  rows.filter((row, index) => row.hash !== hashAfter(rows[index - 1]?.hash ?? CHAIN_START, row));

describe("the chain", () => {
  it("numbers each tenant's rows without gaps and ends where the head says", async () => {
    for (const tenant of ["aurora", "boreal", "aurora", "aurora", "boreal"]) await record(db, { ...entry, tenant });
    const aurora = await rowsOf("aurora");
    const boreal = await rowsOf("boreal");
    expect(aurora.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(boreal.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await readHead(db, "aurora")).toEqual({ seq: 3, hash: aurora[2]?.hash });
    expect(broken(aurora)).toEqual([]);
    expect(broken(boreal)).toEqual([]);
  });

  it("leaves no gap in the audit chain after a rollback", async () => {
    await record(db, entry);
    const failing = db.transaction(async (tx) => {
      await record(tx, entry);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await record(db, entry);
    const rows = await rowsOf("aurora");
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(broken(rows)).toEqual([]);
  });

  it("assigns number, time and hash in the store, whatever a caller passes", async () => {
    await db.execute(sql`insert into audit_event (tenant, seq, at, code, outcome, actor, detail, hash)
      values ('aurora', 77, '2001-01-01', 'kyc.decide', 'DONE', 'x', '{}', 'forged')`);
    const rows = await rowsOf("aurora");
    expect(rows).toMatchObject([{ seq: 1 }]);
    expect(Number(rows[0]?.atMicros)).toBeGreaterThan(Date.UTC(2020, 0, 1) * 1000);
    expect(broken(rows)).toEqual([]);
  });

  it("computes the store's hash, whatever a row holds", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 20 }).filter((value) => !value.includes("\0"));
    const value = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(
        fc.record({ actor: text, object: fc.option(text), intentId: fc.option(fc.uuid()) }),
        fc.dictionary(text, value, { maxKeys: 4, noNullPrototype: true }),
        async (named, detail) => {
          await db.insert(auditEvent).values({ ...entry, ...named, detail });
        },
      ),
      { numRuns: 60 },
    );
    const rows = await rowsOf("aurora");
    expect(rows).toHaveLength(60);
    expect(broken(rows)).toEqual([]);
  });
});

it.each([
  ["set back", "UPDATE audit_head SET seq = 0, hash = ''"],
  ["removed", "DELETE FROM audit_head"],
  ["emptied", "TRUNCATE audit_head"],
  ["added to", "INSERT INTO audit_head VALUES ('cobalto', 0, now(), '')"],
])("refuses to have its head %s by hand", async (_, statement) => {
  await record(db, entry);
  await expect(db.execute(sql.raw(statement))).rejects.toMatchObject({
    cause: { message: "audit_head is kept by its trigger" },
  });
});
