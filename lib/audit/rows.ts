import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { auditEvent } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import type { ChainRow } from "./chain";
import { auditHead } from "./schema";

const BATCH_ROWS = 1_000;

export type Head = { seq: number; hash: string };

const NOTHING: Head = { seq: 0, hash: "" };

/** Where the store says that the tenant's record ends. */
export async function readHead(db: Db, tenant: string): Promise<Head> {
  const [head] = await db
    .select({ seq: auditHead.seq, hash: auditHead.hash })
    .from(auditHead)
    .where(eq(auditHead.tenant, tenant));
  return head ?? NOTHING;
}

const COLUMNS = {
  tenant: auditEvent.tenant,
  seq: auditEvent.seq,
  atMicros: sql<string>`(extract(epoch from ${auditEvent.at}) * 1000000)::bigint::text`,
  code: auditEvent.code,
  outcome: auditEvent.outcome,
  actor: auditEvent.actor,
  object: auditEvent.object,
  intentId: auditEvent.intentId,
  detail: sql<string>`${auditEvent.detail}::text`,
  hash: auditEvent.hash,
};

export type Stretch = { tenant: string; after: number; upTo: number };

/** The rows after one and up to another, in order, a batch at a time: as many as there may be. */
export async function* chainRows(db: Db, { tenant, after, upTo }: Stretch): AsyncGenerator<ChainRow[]> {
  let last = after;
  while (last < upTo) {
    const batch: ChainRow[] = await db
      .select(COLUMNS)
      .from(auditEvent)
      .where(and(eq(auditEvent.tenant, tenant), gt(auditEvent.seq, last), lte(auditEvent.seq, upTo)))
      .orderBy(asc(auditEvent.seq))
      .limit(BATCH_ROWS);
    const end = batch.at(-1);
    if (end === undefined) return;
    last = end.seq;
    yield batch;
  }
}
