import { createHash } from "node:crypto";

/** A row as the chain reads it: what the store holds, to the microsecond and to the letter. */
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
  /** As the store writes its JSON. */
  detail: string;
  /** The hash that the row claims. */
  hash: string;
};

/** What the first row of a tenant follows. */
export const CHAIN_START = "";

/** Fields with their lengths in bytes before them, so that no two lists read alike; "-" is one that is not there. */
export const joinFields = (fields: readonly (string | null)[]): string =>
  fields.map((text) => (text === null ? "-," : `${Buffer.byteLength(text)}:${text},`)).join("");

/** The hash that this row must have after the row of that hash: what the store's trigger computes, on our own. */
export function hashAfter(previous: string, row: Omit<ChainRow, "hash">): string {
  const { tenant, seq, atMicros, code, outcome, actor, object, intentId, detail } = row;
  const fields = ["audit-1", tenant, String(seq), atMicros, code, outcome, actor, object, intentId, detail, previous];
  return createHash("sha256").update(joinFields(fields)).digest("hex");
}
