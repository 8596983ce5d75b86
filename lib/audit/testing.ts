import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Db } from "@/lib/store/store";
import { publicKeyOf, type SignedHead, signingKey } from "./head";
import { record } from "./record";
import { signHeadWhenDue } from "./head";

export const TENANT = "aurora";

/** Signs into a folder of its own; each time a minute later than the one before. */
export function givenHeads(db: Db) {
  const directory = mkdtempSync(join(tmpdir(), "audit-heads-"));
  const key = signingKey(Buffer.alloc(32, 3));
  const shipped: SignedHead[] = [];
  let nowMs = Date.UTC(2026, 10, 21);
  return {
    directory,
    shipped,
    trust: { directories: [directory], publicKeys: [publicKeyOf(key)] },
    sign: (tenant: string = TENANT, laterMs = 60_000) => {
      nowMs += laterMs;
      return signHeadWhenDue(db, tenant, { directory, key, now: () => nowMs, ship: (head) => shipped.push(head) });
    },
  };
}

/** So many rows more on record. */
export async function givenRows(db: Db, rows: number, tenant: string = TENANT): Promise<void> {
  await db.transaction(async (tx) => {
    for (let n = 0; n < rows; n += 1) {
      await record(tx, {
        tenant,
        actor: "ana",
        code: "kyc.decide",
        outcome: "DONE",
        object: `kyc:${n}`,
        detail: { n },
      });
    }
  });
}

/** What the owner of the database can do to it: nothing of ours is in the way. */
export async function tamper(db: Db, ...statements: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}

/** Numbers and chains all that stands as if it had come like this, head and all. */
export const REWRITE = `DO $$
DECLARE event audit_event; head audit_head; n bigint := 0;
BEGIN
  FOR event IN SELECT * FROM audit_event WHERE tenant = '${TENANT}' ORDER BY seq LOOP
    n := n + 1;
    event.hash := audit_hash(event, coalesce(head.hash, ''));
    UPDATE audit_event SET hash = event.hash WHERE tenant = event.tenant AND seq = event.seq;
    head := ROW(event.tenant, event.seq, event.at, event.hash);
  END LOOP;
  UPDATE audit_head SET seq = head.seq, at = head.at, hash = head.hash WHERE tenant = head.tenant;
END;
$$`;
