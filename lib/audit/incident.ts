import { and, eq } from "drizzle-orm";
import { log } from "@/lib/log";
import { withoutParameters } from "@/lib/store/error";
import { auditEvent } from "@/lib/store/schema";
import { UnsealError } from "@/lib/store/seal";
import type { Db, Tx } from "@/lib/store/store";
import { record } from "./record";

type Incident = {
  tenant: string;
  /** Who came upon it: `watch:<name>`. */
  by: string;
  /** `kind:id`. */
  object: string;
  intentId?: string;
  /** What was thrown over it, or `kind-unknown` for an operation that this version does not know. */
  cause: unknown;
};

const CODE = "records.unreadable";

const reasonOf = (cause: unknown): string => {
  if (cause === "kind-unknown") return cause;
  return cause instanceof UnsealError ? "unopened" : "row-broken";
};

/** Logs that a row cannot be worked, and puts it on record once: it stays as it is, and stops nothing else. */
export async function recordIncident(tx: Db | Tx, { tenant, by, object, intentId, cause }: Incident): Promise<void> {
  const why = reasonOf(cause);
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
