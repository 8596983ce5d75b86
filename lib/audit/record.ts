import type { AuditOutcome } from "@/lib/store/schema";
import { auditEvent } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import type { AuditCode } from "./codes";

export type AuditEntry = {
  tenant: string;
  /** Staff id, or `watch:<name>`. */
  actor: string;
  code: AuditCode;
  outcome: AuditOutcome;
  object?: string;
  intentId?: string;
  /** Names and numbers; never personal data in clear, never a secret. */
  detail?: Record<string, string | number | boolean | null>;
};

/** Appends to the record; called with the transaction of the write it tells of, so that neither stands without the other. */
export async function record(tx: Db | Tx, entry: AuditEntry): Promise<void> {
  await tx.insert(auditEvent).values({
    tenant: entry.tenant,
    actor: entry.actor,
    code: entry.code,
    outcome: entry.outcome,
    object: entry.object ?? null,
    intentId: entry.intentId ?? null,
    detail: entry.detail ?? {},
  });
}
