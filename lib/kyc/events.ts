import { kycEvent } from "@/lib/db/tables/kyc";
import type { Db, Tx } from "@/lib/db/connection";
import type { CaseEventKind } from "@/lib/db/enums/kyc";

export type CaseEvent = {
  tenant: string;
  kycUUID: string;
  kind: CaseEventKind;
  /** Staff id; null: the provider or the system. */
  actor: string | null;
  /** Ids, codes and numbers; never personal data. */
  detail?: Record<string, string | number | boolean | null>;
};

export async function noteCaseEvents(tx: Db | Tx, events: readonly CaseEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.insert(kycEvent).values(events.map(({ detail = {}, ...event }) => ({ ...event, detail })));
}
