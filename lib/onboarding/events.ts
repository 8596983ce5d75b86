import type { Db, Tx } from "@/lib/db/connection";
import { onboardingEvent } from "@/lib/db/tables/onboarding";
import type { OnboardingEventKind } from "@/lib/db/enums/onboarding";

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
