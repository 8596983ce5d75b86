import type { Db, Tx } from "@/lib/store/store";
import { kycEvent } from "./schema";

/** What can happen to a case. */
export const CASE_EVENT_KINDS = [
  /** First seen; detail: status, process. */
  "seen",
  /** The provider moved it; detail: from, to, process. */
  "moved",
  /** Another process of a case that was known already was listed; detail: status, process. */
  "record-seen",
  "started",
  "claimed",
  "released",
  /** detail: to (staff id). */
  "assigned",
  /** detail: from (staff id). */
  "taken-over",
  /** detail: tag. */
  "tagged",
  "untagged",
  /** detail: noteId. */
  "noted",
  "note-retracted",
  /** detail: fileId. */
  "file-added",
  "file-removed",
  /** A decision went out; detail: intentId, decision. */
  "decided",
  /** It ended otherwise; detail: intentId, decision, state. */
  "decision-refused",
  "decision-unknown",
  /** detail: dossierId. */
  "dossier-sealed",
] as const;
export type CaseEventKind = (typeof CASE_EVENT_KINDS)[number];

export type CaseEvent = {
  tenant: string;
  kycUUID: string;
  kind: CaseEventKind;
  /** Staff id; null: the provider, or nobody. */
  actor: string | null;
  /** Ids, codes and numbers; never personal data. */
  detail?: Record<string, string | number | boolean | null>;
};

/** Puts on the timelines what happened, in the transaction in which it does. */
export async function noteEvents(tx: Db | Tx, events: readonly CaseEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.insert(kycEvent).values(events.map(({ detail = {}, ...event }) => ({ ...event, detail })));
}
