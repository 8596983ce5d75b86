import { and, eq } from "drizzle-orm";
import { log } from "@/lib/log/log";
import { withoutParameters } from "@/lib/db/error";
import { auditEvent } from "@/lib/db/tables/audit";
import { UnsealError } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import type { ChainRow } from "./chain";
import { record } from "./record";

export type BegunWrite = { intentId: string; seq: number; code: string; atMicros: number };

/** Longer than any live sender stays silent. */
const SENDING_MS = 120_000;
const MAX_OPEN = 1_000;

export const abandoned = (begun: readonly BegunWrite[], nowMs: number): BegunWrite[] =>
  begun.filter(({ atMicros }) => atMicros / 1000 < nowMs - SENDING_MS);

export function createOpenIntents(known: readonly BegunWrite[] = []) {
  const open = new Map(known.map((begun) => [begun.intentId, begun]));
  return {
    take({ intentId, outcome, seq, code, atMicros }: ChainRow) {
      if (intentId === null) return;
      if (outcome !== "INTENT") open.delete(intentId);
      else if (open.size < MAX_OPEN) open.set(intentId, { intentId, seq, code, atMicros: Number(atMicros) });
    },
    all: (): BegunWrite[] => [...open.values()],
  };
}

type Incident = {
  tenant: string;
  by: string;
  object: string;
  intentId?: string;
  /** The error; `kind-unknown` for another version's operation; `contradicted` when the provider shows another end. */
  cause: unknown;
};

const CODE = "records.unreadable";

const reasonOf = (cause: unknown): string => {
  if (cause === "kind-unknown") return cause;
  return cause instanceof UnsealError ? "unopened" : "row-broken";
};

/** Recorded once; the row stays as it is and blocks nothing else. */
export async function recordIncident(tx: Db | Tx, { tenant, by, object, intentId, cause }: Incident): Promise<void> {
  const why = reasonOf(cause);
  if (cause === "contradicted") {
    log.error({ tenant, by, object, intentId }, "the provider shows otherwise than a person said");
    const what = { object, ...(intentId !== undefined && { intentId }) };
    return record(tx, { tenant, actor: by, code: "outcomes.contradict", outcome: "UNKNOWN", ...what });
  }
  log.error({ tenant, by, object, intentId, why, err: withoutParameters(cause) }, "a row cannot be worked");
  const isIt = and(eq(auditEvent.tenant, tenant), eq(auditEvent.object, object), eq(auditEvent.code, CODE));
  const known = await tx.$count(
    auditEvent,
    and(isIt, intentId === undefined ? undefined : eq(auditEvent.intentId, intentId)),
  );
  if (known > 0) return;
  const of = { object, ...(intentId !== undefined && { intentId }) };
  await record(tx, { tenant, actor: by, code: CODE, outcome: "UNKNOWN", ...of, detail: { why } });
}
