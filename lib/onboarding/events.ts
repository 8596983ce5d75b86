import type { Db, Tx } from "@/lib/db/connection";
import { onboardingEvent } from "@/lib/db/tables/onboarding";

export const ONBOARDING_EVENT_KINDS = [
  /** First seen; detail: status, stage. */
  "seen",
  /** The provider moved it; detail: from, to. */
  "moved",
  /** detail: from, to. */
  "stage",
  /** It came back to the holder; detail: times. */
  "returned",
  /** The provider wrote to the holder; detail: process, required. */
  "message",
  /** detail: link, host. */
  "link-appeared",
  "link-changed",
  "link-gone",
  /** Somebody had the biometric link shown, or copied it; detail: link. */
  "link-shown",
  "link-copied",
  /** detail: account (its reference). */
  "account-opened",
  /** Somebody asked for the account here. */
  "requested",
  "followed",
  /** detail: older. By nobody: the older attempt of the same document had ended. */
  "attempt-linked",
  "attempt-unlinked",
  /** detail: noteId. */
  "noted",
  "note-retracted",
  /** detail: fileId. */
  "file-added",
  "file-removed",
] as const;
export type OnboardingEventKind = (typeof ONBOARDING_EVENT_KINDS)[number];

export type OnboardingEvent = {
  tenant: string;
  onboardingId: string;
  kind: OnboardingEventKind;
  /** Staff id; null: the provider or the system. */
  actor: string | null;
  /** Ids, codes and numbers; never personal data. */
  detail?: Record<string, string | number | boolean | null>;
};

export async function noteEvents(tx: Db | Tx, events: readonly OnboardingEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.insert(onboardingEvent).values(events.map(({ detail = {}, ...event }) => ({ ...event, detail })));
}
