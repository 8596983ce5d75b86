import type { KeyObject } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { auditEvent } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { digestOfLine, type SignedHead, signHead } from "./head";
import { appendHead, readLastHead } from "./heads-file";
import { readHead } from "./rows";

const EVERY_MS = 60_000;
const EVERY_ROWS = 1_000;

export type HeadDoor = {
  directory: string;
  key: KeyObject;
  now: () => number;
  /** Sends a signed head off this machine. */
  ship: (head: SignedHead) => void;
};

/** The record does not continue what was signed: nothing more is signed for it. */
export class BrokenRecordError extends Error {
  constructor(
    readonly tenant: string,
    readonly seq: number,
  ) {
    super(`the audit record of ${tenant} no longer holds row ${seq} as it was signed; run npm run audit:verify`);
  }
}

/** Whether the record still holds this row as it was. */
export async function continues(
  db: Db,
  { tenant, seq, hash }: Pick<SignedHead, "tenant" | "seq" | "hash">,
): Promise<boolean> {
  const [row] = await db
    .select({ hash: auditEvent.hash })
    .from(auditEvent)
    .where(and(eq(auditEvent.tenant, tenant), eq(auditEvent.seq, seq)));
  return row?.hash === hash;
}

/**
 * Signs where the tenant's record ends when a thousand rows or a minute came since the last time, into its file and off
 * the machine. Throws `BrokenRecordError` when what was signed last is no longer there.
 */
export async function signHeadWhenDue(db: Db, tenant: string, door: HeadDoor): Promise<SignedHead | null> {
  const last = await readLastHead(door.directory, tenant);
  if (last !== null && !(await continues(db, last.head))) throw new BrokenRecordError(tenant, last.head.seq);
  const { seq, hash } = await readHead(db, tenant);
  const rows = seq - (last?.head.seq ?? 0);
  if (rows <= 0) return null;
  const isDue = last === null || rows >= EVERY_ROWS || door.now() - Date.parse(last.head.at) >= EVERY_MS;
  if (!isDue) return null;
  const previous = last === null ? null : digestOfLine(last.line);
  const signed = signHead({ tenant, seq, hash, at: new Date(door.now()).toISOString(), previous }, door.key);
  await appendHead(door.directory, signed);
  door.ship(signed);
  return signed;
}
