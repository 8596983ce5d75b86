import { and, eq } from "drizzle-orm";
import { log } from "@/lib/process/log";
import { withoutParameters } from "@/lib/store/error";
import { auditEvent } from "@/lib/store/schema";
import { UnsealError } from "@/lib/store/seal";
import type { Db, Tx } from "@/lib/store/store";
import type { ChainRow } from "./chain";
import { record } from "./record";

/** A write that was begun and of whose end nothing is on record. */
export type BegunWrite = { intentId: string; seq: number; code: string; atMicros: number };

/** Who sends a write is silent for less than this: later, nobody is at it any more. */
const SENDING_MS = 120_000;
const MOST_OPEN = 1_000;

/** Those of which no end will come by itself. */
export const abandoned = (begun: readonly BegunWrite[], nowMs: number): BegunWrite[] =>
  begun.filter(({ atMicros }) => atMicros / 1000 < nowMs - SENDING_MS);

/** Notes which writes are begun and which end, as rows go by in their order. */
export function createOpenIntents(known: readonly BegunWrite[] = []) {
  const open = new Map(known.map((begun) => [begun.intentId, begun]));
  return {
    take({ intentId, outcome, seq, code, atMicros }: ChainRow) {
      if (intentId === null) return;
      if (outcome !== "INTENT") open.delete(intentId);
      else if (open.size < MOST_OPEN) open.set(intentId, { intentId, seq, code, atMicros: Number(atMicros) });
    },
    all: (): BegunWrite[] => [...open.values()],
  };
}

type Incident = {
  tenant: string;
  /** Who came upon it: `watch:<name>`. */
  by: string;
  /** `kind:id`. */
  object: string;
  intentId?: string;
  /**
   * What was thrown over it; `kind-unknown` for an operation that this version does not know; `contradicted` for one that the
   * provider shows to have ended otherwise than a person said.
   */
  cause: unknown;
};

const CODE = "records.unreadable";

const reasonOf = (cause: unknown): string => {
  if (cause === "kind-unknown") return cause;
  return cause instanceof UnsealError ? "unopened" : "row-broken";
};

/** Logs that a row cannot be worked, and puts it on record once: it stays as it is, and stops nothing else. Whoever notes a contradiction does so once. */
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
