import { createHash } from "node:crypto";
import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { auditEvent, auditHead } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";

const BATCH_ROWS = 1_000;

export type Head = { seq: number; hash: string };

const NOTHING: Head = { seq: 0, hash: "" };

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

type Stretch = { tenant: string; after: number; upTo: number };

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

/** As the store holds it, to the microsecond. */
export type ChainRow = {
  tenant: string;
  seq: number;
  /** Microseconds since 1970, as a whole number. */
  atMicros: string;
  code: string;
  outcome: string;
  actor: string;
  object: string | null;
  intentId: string | null;
  detail: string;
  hash: string;
};

export const CHAIN_START = "";

/** Each field after its length in bytes, so that no two lists read alike; `-` for null. */
export const joinFields = (fields: readonly (string | null)[]): string =>
  fields.map((text) => (text === null ? "-," : `${Buffer.byteLength(text)}:${text},`)).join("");

/** Recomputes the hash of the store's trigger independently. */
export function hashAfter(previous: string, row: Omit<ChainRow, "hash">): string {
  const { tenant, seq, atMicros, code, outcome, actor, object, intentId, detail } = row;
  const fields = ["audit-1", tenant, String(seq), atMicros, code, outcome, actor, object, intentId, detail, previous];
  return createHash("sha256").update(joinFields(fields)).digest("hex");
}
