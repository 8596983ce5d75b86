import { and, eq, isNull, notExists } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import { type IntentEnd, type IntentKind, intentKind } from "@/lib/bank/intent-kind";
import { startCompanyKyc, startPersonKyc } from "@/lib/bank/operations";
import { maskDocument } from "@/lib/contract/document";
import { type CompanyKyc, type KycStarted, KycStatus, type PersonKyc } from "@/lib/contract/kyc";
import { dropDraft } from "@/lib/drafts/records";
import type { StartType } from "@/lib/kyc-start";
import { publish } from "@/lib/live/publish";
import { storeNow } from "@/lib/store/clock";
import type { Db, Tx } from "@/lib/store/store";
import { isUnknown, rawWord } from "@/lib/unknown";
import { noteEvents } from "./events";
import { saveRecords } from "./records";
import { kycStart } from "./schema";
import { unsealSubject } from "./started";

/** What the provider says it started; null of a start whose effect was found, but whose answer was lost. */
const StartedAs = z.object({ kycUUID: z.string(), status: z.string(), webviewUrl: z.string().nullable() }).nullable();
type StartedAs = z.infer<typeof StartedAs>;

type Row = typeof kycStart.$inferSelect;

const named = ({ tenant, intentId }: Pick<Row, "tenant" | "intentId">) =>
  and(eq(kycStart.tenant, tenant), eq(kycStart.intentId, intentId));

export async function findStart(tx: Db | Tx, start: Pick<Row, "tenant" | "intentId">): Promise<Row | null> {
  const [row] = await tx.select().from(kycStart).where(named(start));
  return row ?? null;
}

/** Notes which case came of a start, unless that is known already or the case is another one's; whether it did. */
export async function linkStart(tx: Db | Tx, { tenant, intentId }: Row, kycUUID: string): Promise<boolean> {
  const other = alias(kycStart, "other");
  const taken = tx
    .select({ intentId: other.intentId })
    .from(other)
    .where(and(eq(other.tenant, tenant), eq(other.kycUUID, kycUUID)));
  const linked = await tx
    .update(kycStart)
    .set({ kycUUID })
    .where(and(named({ tenant, intentId }), isNull(kycStart.kycUUID), notExists(taken)))
    .returning({ intentId: kycStart.intentId });
  return linked.length > 0;
}

/** Keeps the new case at once, as the watch would find it: a process begins with the background check. */
async function keepCase(tx: Tx, start: Row, { kycUUID, status, webviewUrl }: NonNullable<StartedAs>): Promise<void> {
  const { tenant, intentId, kycType } = start;
  const { vatNumber } = unsealSubject({ table: "kyc_start", row: [tenant, intentId] }, start);
  const kept = { vatNumber: maskDocument(vatNumber), kycType, process: "kyc-backgroundcheck" } as const;
  const records = [{ kycUUID, ...kept, status: KycStatus.parse(status), webviewUrl }];
  await saveRecords(tx, tenant, { records, askedAt: await storeNow(tx), place: "newest" });
}

/** What came of it, with the case if there is one: on the case's timeline, and no longer among what is typed. */
async function keepDone(tx: Tx, start: Row, kept: StartedAs): Promise<string | null> {
  const { tenant, intentId, kycType, model, staffId } = start;
  const kycUUID = kept?.kycUUID ?? start.kycUUID;
  await dropDraft(tx, tenant, intentId);
  if (kycUUID === null) return null;
  if (kept !== null) {
    await linkStart(tx, start, kycUUID);
    await keepCase(tx, start, kept);
  }
  await noteEvents(tx, [{ tenant, kycUUID, kind: "started", actor: staffId, detail: { intentId, kycType, model } }]);
  return kycUUID;
}

async function keepEnd(tx: Tx, { intent, by, kept }: IntentEnd<StartedAs>): Promise<void> {
  const { tenant, id: intentId, state, status, code } = intent;
  const start = await findStart(tx, { tenant, intentId });
  if (start === null) throw new Error(`intent ${intentId} has no start`);
  const kycUUID = state === "DONE" ? await keepDone(tx, start, kept) : null;
  await publish(tx, { tenant, topic: "kyc", object: kycUUID ?? intentId });
  await record(tx, {
    tenant,
    actor: by,
    code: "kyc.start",
    outcome: state === "SENDING" ? "INTENT" : state,
    ...(kycUUID !== null && { object: `kyc:${kycUUID}` }),
    intentId,
    detail: { kind: start.kycType, model: start.model, status, code },
  });
}

function keep({ data: { kycUUID, status, webviewUrl } }: KycStarted): StartedAs {
  return { kycUUID, status: isUnknown(status) ? rawWord(status) : status, webviewUrl: webviewUrl ?? null };
}

/** A start has no Idempotency-Key and is billed (interface: KYC › POST /v1/kyc/person, /company). */
const starting = {
  isKeyed: false,
  busyCode: null,
  unconfirmedCode: "start-unconfirmed",
  kept: StartedAs,
  keep,
  ended: keepEnd,
  unreadable: recordIncident,
} as const;

export const personStart: IntentKind<PersonKyc, StartedAs> = intentKind({ operation: startPersonKyc, ...starting });
export const companyStart: IntentKind<CompanyKyc, StartedAs> = intentKind({ operation: startCompanyKyc, ...starting });

export const START_KINDS = { PF: personStart, PJ: companyStart } as const satisfies Record<StartType, unknown>;
