import type { KeyObject } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { CHAIN_START, type ChainRow, chainRows, hashAfter, type Head, readHead } from "@/lib/audit/chain";
import { digestOfLine, type HeadLine, headLines, isSigned, type SignedHead } from "@/lib/audit/head";
import { type BegunWrite, createOpenIntents } from "@/lib/audit/incident";

/** Two instances may write together, so a head may name one a few lines before it. */
const RECENT_LINES = 16;

type HeadFault = { kind: "forged-head" | "missing-head" | "restored"; seq: number };

type HeadsRead = {
  heads: number;
  cutShort: number;
  newest: Pick<SignedHead, "seq" | "at"> | null;
};

type HeadSource = {
  tenant: string;
  directory: string;
  publicKeys: readonly KeyObject[];
};

/** In order, up to the first that is not signed by us, names no recent line or goes back. */
async function* signedHeads(
  { directory, tenant, publicKeys }: HeadSource,
  read: HeadsRead,
): AsyncGenerator<SignedHead | HeadFault> {
  let recent: string[] = [];
  let last = 0;
  for await (const { line, head } of headLines(directory, tenant)) {
    if (head === null) {
      read.cutShort += line === "" ? 0 : 1;
      continue;
    }
    const seq = last + 1;
    const fault = faultOf(head, { tenant, publicKeys, recent, last });
    if (fault !== null) {
      yield { kind: fault, seq };
      return;
    }
    read.heads += 1;
    if (read.newest === null || head.seq > read.newest.seq) read.newest = { seq: head.seq, at: head.at };
    last = head.seq;
    recent = [...recent, digestOfLine(line)].slice(-RECENT_LINES);
    yield head;
  }
}

type Before = Pick<HeadSource, "tenant" | "publicKeys"> & { recent: readonly string[]; last: number };

function faultOf(head: NonNullable<HeadLine["head"]>, before: Before): HeadFault["kind"] | null {
  const { tenant, publicKeys, recent, last } = before;
  if (head.tenant !== tenant || !isSigned(head, publicKeys)) return "forged-head";
  const isFirst = head.previous === null && last === 0;
  if (!isFirst && (head.previous === null || !recent.includes(head.previous))) return "missing-head";
  return head.seq < last ? "restored" : null;
}

export const FAULT_KINDS = [
  "altered",
  "missing",
  "inserted",
  "truncated",
  "restored",
  "rewritten",
  "forged-head",
  "missing-head",
] as const;

export type Fault = { kind: (typeof FAULT_KINDS)[number]; seq: number };

export type Verified = {
  tenant: string;
  upTo: Head;
  heads: number;
  cutShort: number;
  newest: HeadsRead["newest"];
  fault: Fault | null;
  /** Writes without a recorded end, including those in flight. */
  begun: BegunWrite[];
};

export type Trust = { directories: readonly string[]; publicKeys: readonly KeyObject[] };

/** `bad` null: every row follows the previous one; `last`: the last intact one. */
export function firstBad(last: Head, rows: readonly ChainRow[]): { bad: ChainRow | null; last: Head } {
  let before = last;
  for (const row of rows) {
    if (row.seq !== before.seq + 1 || hashAfter(before.hash, row) !== row.hash) return { bad: row, last: before };
    before = row;
  }
  return { bad: null, last: { seq: before.seq, hash: before.hash } };
}

/** A forged row may have a fitting hash: then the next row is named. */
const faultOfRow = (bad: ChainRow, last: Head): Fault =>
  bad.seq === last.seq + 1 ? { kind: "altered", seq: bad.seq } : { kind: "missing", seq: last.seq + 1 };

/** Advances with the rows. */
function createHeadReader(heads: AsyncGenerator<SignedHead | HeadFault>) {
  let next: Promise<IteratorResult<SignedHead | HeadFault>> | undefined;
  let agreed = 0;
  return {
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

async function isBehindHeads(db: Db, tenant: string, readers: readonly HeadReader[]): Promise<boolean> {
  const signed = await Promise.all(readers.map((reader) => reader.next()));
  const { seq } = await readHead(db, tenant);
  return signed.some((next) => next !== null && next > seq);
}

/** Recomputes every row's hash and verifies every signed head, in batches; stops at the first fault. */
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
    if (bad !== null) return answer(faultOfRow(bad, last));
  }
  const fault = (await faultFromHeads(readers, last)) ?? (await faultAtEnd(db, tenant, { last, head }));
  if (fault !== null) return answer(fault);
  return answer((await isBehindHeads(db, tenant, readers)) ? { kind: "restored", seq: last.seq + 1 } : null);
}
