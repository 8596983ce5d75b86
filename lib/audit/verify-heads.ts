import type { KeyObject } from "node:crypto";
import { digestOfLine, isSigned, type SignedHead } from "./head";
import { type HeadLine, headLines } from "./heads-file";

/** Two instances may have written at once: what a head names stands a few lines before it, at most. */
const RECENT_LINES = 16;

export type HeadFault = { kind: "forged-head" | "missing-head" | "restored"; seq: number };

export type HeadsRead = {
  /** Whole heads read so far. */
  heads: number;
  /** Lines that were cut short. */
  cutShort: number;
  /** The one that goes furthest. */
  newest: Pick<SignedHead, "seq" | "at"> | null;
};

export type HeadSource = {
  tenant: string;
  directory: string;
  publicKeys: readonly KeyObject[];
};

/**
 * The signed heads of a file in order, each checked on its own: signed by us, naming a line that stands before it, and
 * further on than the one before. The first that is not is given as a fault, and nothing after it.
 */
export async function* signedHeads(
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
