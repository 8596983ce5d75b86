import type { KeyObject } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { auditEvent } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { CHAIN_START, type ChainRow, hashAfter } from "./chain";
import { diagnose, type RowFault } from "./diagnosis";
import type { SignedHead } from "./head";
import { type BegunWrite, createOpenIntents } from "./open-intents";
import { chainRows, type Head, readHead } from "./rows";
import { type HeadFault, type HeadsRead, signedHeads } from "./verify-heads";

export const FAULT_KINDS = [
  "edited",
  "missing",
  "inserted",
  "reordered",
  "truncated",
  "restored",
  "rewritten",
  "forged-head",
  "missing-head",
] as const satisfies readonly (RowFault | HeadFault["kind"] | "truncated" | "rewritten")[];

/** The first bad row and what is wrong with it. */
export type Fault = { kind: (typeof FAULT_KINDS)[number]; seq: number };

export type Verified = {
  tenant: string;
  /** As far as all is well. */
  upTo: Head;
  heads: number;
  cutShort: number;
  newest: HeadsRead["newest"];
  fault: Fault | null;
  /** Writes of whose end nothing is on record, those of this moment among them. */
  begun: BegunWrite[];
};

export type Trust = { directories: readonly string[]; publicKeys: readonly KeyObject[] };

const BEFORE = 60;
const AFTER = 2_000;
/** The first row that does not follow the one before it; null when all do. `last` is then the last one. */
export function firstBad(last: Head, rows: readonly ChainRow[]): { bad: ChainRow | null; last: Head } {
  let before = last;
  for (const row of rows) {
    if (row.seq !== before.seq + 1 || hashAfter(before.hash, row) !== row.hash) return { bad: row, last: before };
    before = row;
  }
  return { bad: null, last: { seq: before.seq, hash: before.hash } };
}

/** What is wrong with the first row that does not follow the one before it. */
export async function explainBad(db: Db, tenant: string, { bad, last }: { bad: ChainRow; last: Head }): Promise<Fault> {
  if (bad.seq !== last.seq + 1) return { kind: "missing", seq: last.seq + 1 };
  const rows: ChainRow[] = [];
  const stretch = { tenant, after: Math.max(0, bad.seq - BEFORE), upTo: bad.seq + AFTER };
  for await (const batch of chainRows(db, stretch)) rows.push(...batch);
  return diagnose({ rows, at: rows.findIndex(({ seq }) => seq === bad.seq) });
}

/** The heads of one file, taken as far as the rows have come. */
function createHeadReader(heads: AsyncGenerator<SignedHead | HeadFault>) {
  let next: Promise<IteratorResult<SignedHead | HeadFault>> | undefined;
  let agreed = 0;
  return {
    /** What the heads up to this row say against it. */
    async against(row: Head): Promise<Fault | null> {
      for (;;) {
        next ??= heads.next();
        const { value, done } = await next;
        if (done === true) return null;
        if ("kind" in value) return value;
        if (value.seq > row.seq) return null;
        if (value.seq < row.seq || value.hash !== row.hash) return { kind: "rewritten", seq: agreed + 1 };
        agreed = value.seq;
        next = undefined;
      }
    },
    /** The row that was signed next; null when no more was. */
    async next(): Promise<number | null> {
      next ??= heads.next();
      const { value, done } = await next;
      return done === true ? null : value.seq;
    },
  };
}

async function hasRowsAfter(db: Db, tenant: string, seq: number): Promise<boolean> {
  const after = and(eq(auditEvent.tenant, tenant), gt(auditEvent.seq, seq));
  return (await db.select({ seq: auditEvent.seq }).from(auditEvent).where(after).limit(1)).length > 0;
}

/** What the end of the record says: cut off, put behind the head, or an older copy. */
async function faultAtEnd(db: Db, tenant: string, { last, head }: { last: Head; head: Head }): Promise<Fault | null> {
  if (last.seq < head.seq) return { kind: "truncated", seq: last.seq + 1 };
  if (last.hash !== head.hash) return { kind: "rewritten", seq: last.seq };
  const now = await readHead(db, tenant);
  if (now.seq >= head.seq && (await hasRowsAfter(db, tenant, now.seq))) return { kind: "inserted", seq: now.seq + 1 };
  return null;
}

type HeadReader = ReturnType<typeof createHeadReader>;

async function faultFromHeads(readers: readonly HeadReader[], row: Head): Promise<Fault | null> {
  for (const reader of readers) {
    const fault = await reader.against(row);
    if (fault !== null) return fault;
  }
  return null;
}

/** Whether more was signed than the store holds by now. */
async function isBehindHeads(db: Db, tenant: string, readers: readonly HeadReader[]): Promise<boolean> {
  const signed = await Promise.all(readers.map((reader) => reader.next()));
  const { seq } = await readHead(db, tenant);
  return signed.some((next) => next !== null && next > seq);
}

/**
 * Checks all of a tenant's record: every row's hash on our own, that none is missing, and every head that was signed. Reads a
 * batch at a time, so that memory does not grow with the record. Stops at the first fault.
 */
export async function verifyTenant(db: Db, tenant: string, trust: Trust): Promise<Verified> {
  const read: HeadsRead = { heads: 0, cutShort: 0, newest: null };
  const { publicKeys } = trust;
  const readers = trust.directories.map((directory) =>
    createHeadReader(signedHeads({ tenant, directory, publicKeys }, read)),
  );
  const head = await readHead(db, tenant);
  const open = createOpenIntents();
  let last: Head = { seq: 0, hash: CHAIN_START };
  const answer = (fault: Fault | null): Verified => {
    return { tenant, upTo: last, ...read, fault, begun: open.all() };
  };
  for await (const batch of chainRows(db, { tenant, after: 0, upTo: head.seq })) {
    const { bad, last: sound } = firstBad(last, batch);
    for (const row of batch.slice(0, sound.seq - last.seq)) {
      const fault = await faultFromHeads(readers, row);
      if (fault !== null) return answer(fault);
      open.take(row);
      last = { seq: row.seq, hash: row.hash };
    }
    if (bad !== null) return answer(await explainBad(db, tenant, { bad, last }));
  }
  const fault = (await faultFromHeads(readers, last)) ?? (await faultAtEnd(db, tenant, { last, head }));
  if (fault !== null) return answer(fault);
  return answer((await isBehindHeads(db, tenant, readers)) ? { kind: "restored", seq: last.seq + 1 } : null);
}
