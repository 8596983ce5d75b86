import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import { type IntentEnd, intentKind } from "@/lib/bank/intent-kind";
import { decideKyc } from "@/lib/bank/operations";
import { KYC_DECISIONS } from "@/lib/contract/kyc";
import { type Ending, recordSeal, sealDossier, type SealedEnding, sealOvertaken } from "@/lib/dossiers/records";
import { publish } from "@/lib/live/publish";
import { kycCase } from "@/lib/store/schema";
import type { Tx } from "@/lib/store/store";
import { type CaseEventKind, noteEvents } from "./events";
import { kycDecision } from "./schema";

/** What the provider says it decided; null of a decision whose effect was seen, but whose answer was lost. */
const Taken = z.object({ decision: z.enum(KYC_DECISIONS) }).nullable();
type Taken = z.infer<typeof Taken>;

async function showOnCase(tx: Tx, { tenant, kycUUID, decision }: typeof kycDecision.$inferSelect): Promise<void> {
  const moved = sql`case when ${kycCase.status} = ${decision} then ${kycCase.changedAt} else clock_timestamp() end`;
  await tx
    .update(kycCase)
    .set({ status: decision, seenAt: sql`clock_timestamp()`, changedAt: moved, decidedAt: moved })
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)));
}

const EVENTS = {
  SENDING: null,
  HELD: "decision-unknown",
  DONE: "decided",
  REFUSED: "decision-refused",
  UNKNOWN: "decision-unknown",
} as const satisfies Record<IntentEnd<Taken>["intent"]["state"], CaseEventKind | null>;

/** Seals the dossier of this decision, and those of earlier ones whose end it keeps anybody from learning. */
async function sealDossiers(tx: Tx, ending: Ending): Promise<SealedEnding[]> {
  const { tenant, object, state } = ending.intent;
  const sealed = [...(await sealDossier(tx, ending)), ...(state === "DONE" ? await sealOvertaken(tx, ending) : [])];
  const kycUUID = object.replace("kyc:", "");
  const noted = sealed.map(({ dossier: { id: dossierId } }) => ({
    tenant,
    kycUUID,
    actor: null,
    detail: { dossierId },
  }));
  await noteEvents(
    tx,
    noted.map((event) => ({ ...event, kind: "dossier-sealed" })),
  );
  return sealed;
}

async function keepEnd(tx: Tx, { intent, by, kept }: IntentEnd<Taken>): Promise<void> {
  const { tenant, id: intentId, state, status, code } = intent;
  const [decided] = await tx
    .select()
    .from(kycDecision)
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.intentId, intentId)));
  if (decided === undefined) throw new Error(`intent ${intentId} has no decision`);
  const { kycUUID, decision } = decided;
  const what = { code: "kyc.decide", object: `kyc:${kycUUID}`, intentId } as const;
  if (kept !== null) await showOnCase(tx, decided);
  const kind = EVENTS[state];
  const event = { tenant, kycUUID, actor: decided.staffId, detail: { intentId, decision, state } };
  if (kind !== null) await noteEvents(tx, [{ ...event, kind }]);
  const sealed = await sealDossiers(tx, { intent, by });
  await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  await record(tx, {
    tenant,
    actor: by,
    outcome: state === "SENDING" ? "INTENT" : state,
    ...what,
    detail: { decision, status, code },
  });
  for (const one of sealed) await recordSeal(tx, one);
}

/** A decision has no Idempotency-Key and overwrites whatever stands (interface: KYC › manual-decision). */
export const decisionKind = intentKind({
  operation: decideKyc,
  isKeyed: false,
  busyCode: "decision-in-flight",
  unconfirmedCode: "decision-unconfirmed",
  kept: Taken,
  keep: ({ data }) => Taken.safeParse({ decision: data.decision }).data ?? null,
  ended: keepEnd,
  unreadable: recordIncident,
});
