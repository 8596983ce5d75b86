import type { KeyObject } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { auditEvent } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { CHAIN_START, type ChainRow, chainRows, hashAfter, type Head, readHead } from "./chain";
import { digestOfLine, type HeadLine, headLines, isSigned, type SignedHead } from "./head";
import { type BegunWrite, createOpenIntents } from "./incident";

/** What became of a row whose hash is not the one it must have; `edited` is what nothing else explains. */
type RowFault = "edited" | "missing" | "inserted" | "reordered";

/** A stretch of the record, in its order, around its first bad row, which is the one at `at`. */
type Surroundings = { rows: readonly ChainRow[]; at: number };

/** How many rows put in at one place are still recognised as such. */
const MOST_PUT_IN = 50;

/** The hash that the row would have in another place. */
const hashAt = (previous: string, row: ChainRow, seq: number) => hashAfter(previous, { ...row, seq });

function isFromFurtherOn({ rows, at }: Surroundings): boolean {
  const row = rows[at];
  if (row === undefined) return false;
  return rows.slice(at + 1).some((other, index) => {
    const before = [rows[at + index]?.hash ?? "", other.hash, row.hash];
    const own = before.map((hash) => hashAt(hash, row, other.seq));
    return own.includes(row.hash) || own.includes(other.hash);
  });
}

/** The place from which this row was pushed back by what was put in before it. */
function placeBefore(rows: readonly ChainRow[], place: number): number | null {
  const row = rows[place];
  if (row === undefined) return null;
  const nearest = rows.slice(Math.max(1, place - MOST_PUT_IN), place);
  const own = nearest.find(({ seq }) => {
    const before = rows.find((candidate) => candidate.seq === seq - 1);
    return before !== undefined && hashAt(before.hash, row, seq) === row.hash;
  });
  return own?.seq ?? null;
}

/** The row after this one has moved up: what stood before the two was taken out. */
function hasLostOneBefore({ rows, at }: Surroundings): boolean {
  const [row, after] = [rows[at], rows[at + 1]];
  if (row === undefined || after === undefined) return false;
  return rows.some((_, gap) => gap > 0 && hashAt(row.hash, after, after.seq + gap) === after.hash);
}

/**
 * Names what was done around the first bad row by asking which deed explains the hashes that are still there, and where it
 * begins.
 */
function diagnose(found: Surroundings): { kind: RowFault; seq: number } {
  const { rows, at } = found;
  const seq = rows[at]?.seq ?? 0;
  if (isFromFurtherOn(found)) return { kind: "reordered", seq };
  for (let place = at; place <= at + MOST_PUT_IN; place += 1) {
    // A forged row may have been given the hash that fits: then the first bad one is a row after it.
    const own = placeBefore(rows, place);
    if (own !== null) return { kind: "inserted", seq: Math.min(own, seq) };
  }
  if (hasLostOneBefore(found)) return { kind: "missing", seq };
  return { kind: "edited", seq };
}

/** Two instances may have written at once: what a head names stands a few lines before it, at most. */
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

/**
 * The signed heads of a file in order, each checked on its own: signed by us, naming a line that stands before it, and
 * further on than the one before. The first that is not is given as a fault, and nothing after it.
 */
async function* signedHeads(
  { directory, tenant, publicKeys }: HeadSource,
  read: HeadsRead,
): AsyncGenerator<SignedHead | HeadFault> {
  let lately: string[] = [];
  let last = 0;
  for await (const { line, head } of headLines(directory, tenant)) {
    if (head === null) {
      read.cutShort += line === "" ? 0 : 1;
      continue;
    }
    const seq = last + 1;
    const fault = faultOf(head, { tenant, publicKeys, lately, last });
    if (fault !== null) {
      yield { kind: fault, seq };
      return;
    }
    read.heads += 1;
    if (read.newest === null || head.seq > read.newest.seq) read.newest = { seq: head.seq, at: head.at };
    last = head.seq;
    lately = [...lately, digestOfLine(line)].slice(-RECENT_LINES);
    yield head;
  }
}

type Before = Pick<HeadSource, "tenant" | "publicKeys"> & { lately: readonly string[]; last: number };

function faultOf(head: NonNullable<HeadLine["head"]>, before: Before): HeadFault["kind"] | null {
  const { tenant, publicKeys, lately, last } = before;
  if (head.tenant !== tenant || !isSigned(head, publicKeys)) return "forged-head";
  const isFirst = head.previous === null && last === 0;
  if (!isFirst && (head.previous === null || !lately.includes(head.previous))) return "missing-head";
  return head.seq < last ? "restored" : null;
}

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

export type Fault = { kind: (typeof FAULT_KINDS)[number]; seq: number };

export type Verified = {
  tenant: string;
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
async function explainBad(db: Db, tenant: string, { bad, last }: { bad: ChainRow; last: Head }): Promise<Fault> {
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
