import { and, eq, isNull, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { intents, type IntentRequest } from "@/lib/provider/intents/intent";
import { type IntentEnd, type IntentKind, intentKind, nothing } from "@/lib/provider/intents/intent-record";
import { startCompanyKyc, startPersonKyc } from "@/lib/provider/operations";
import { maskDocument } from "@/lib/contract/document";
import { type CompanyKyc, type KycStarted, KycStatus, type PersonKyc } from "@/lib/contract/kyc";
import { publish } from "@/lib/db/publish";
import { draftCan } from "@/lib/drafts/can";
import { dropDraft } from "@/lib/drafts/drafts";
import { storeNow } from "@/lib/db/clock";
import { lockByHashes } from "@/lib/db/lease";
import { kycStart, kycStartMember } from "@/lib/db/tables/kyc";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import { noteEvents } from "./events";
import { saveRecords } from "./sync";
import type { StartForm, StartOrder } from "./inputs";
import { sealSubject, type Subject, unsealSubject } from "@/lib/db/started-case";
import type { StartType } from "./view";
import { duplicatesOf } from "./start-duplicates";

/** Null when its effect was found but its answer was lost. */
const StartedAs = z.object({ kycUUID: z.string(), status: z.string(), webviewUrl: z.string().nullable() }).nullable();
type StartedAs = z.infer<typeof StartedAs>;

type StartRow = typeof kycStart.$inferSelect;

const named = ({ tenant, intentId }: Pick<StartRow, "tenant" | "intentId">) =>
  and(eq(kycStart.tenant, tenant), eq(kycStart.intentId, intentId));

export async function findStart(tx: Db | Tx, start: Pick<StartRow, "tenant" | "intentId">): Promise<StartRow | null> {
  const [row] = await tx.select().from(kycStart).where(named(start));
  return row ?? null;
}

/** False when the start or the case is already linked. */
export async function linkStart(tx: Db | Tx, { tenant, intentId }: StartRow, kycUUID: string): Promise<boolean> {
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

/** As the watch would find it: a process begins with the background check. */
async function saveStarted(
  tx: Tx,
  start: StartRow,
  { kycUUID, status, webviewUrl }: NonNullable<StartedAs>,
): Promise<void> {
  const { tenant, intentId, kycType } = start;
  const { vatNumber } = unsealSubject({ table: "kyc_start", row: [tenant, intentId] }, start);
  const stored = { vatNumber: maskDocument(vatNumber), kycType, process: "kyc-backgroundcheck" } as const;
  const records = [{ kycUUID, ...stored, status: KycStatus.parse(status), webviewUrl }];
  await saveRecords(tx, tenant, { records, askedAt: await storeNow(tx), place: "newest" });
}

async function saveDone(tx: Tx, start: StartRow, stored: StartedAs): Promise<string | null> {
  const { tenant, intentId, kycType, model, staffId } = start;
  const kycUUID = stored?.kycUUID ?? start.kycUUID;
  await dropDraft(tx, { tenant, id: start.staffId }, intentId);
  if (kycUUID === null) return null;
  if (stored !== null) {
    await linkStart(tx, start, kycUUID);
    await saveStarted(tx, start, stored);
  }
  await noteEvents(tx, [{ tenant, kycUUID, kind: "started", actor: staffId, detail: { intentId, kycType, model } }]);
  return kycUUID;
}

async function onOutcome(tx: Tx, { intent, by, outcome, stored }: IntentEnd<StartedAs>): Promise<void> {
  const { tenant, id: intentId, state, status, code } = intent;
  const start = await findStart(tx, { tenant, intentId });
  if (start === null) throw new Error(`intent ${intentId} has no start`);
  const kycUUID = state === "DONE" ? await saveDone(tx, start, stored) : null;
  await publish(tx, { tenant, topic: "kyc", object: kycUUID ?? intentId });
  await record(tx, {
    tenant,
    actor: by,
    code: "kyc.start",
    outcome,
    ...(kycUUID !== null && { object: `kyc:${kycUUID}` }),
    intentId,
    detail: { kind: start.kycType, model: start.model, status, code },
  });
}

function toStore({ data: { kycUUID, status, webviewUrl } }: KycStarted): StartedAs {
  return { kycUUID, status: isUnknown(status) ? rawWord(status) : status, webviewUrl: webviewUrl ?? null };
}

/** Without Idempotency-Key, and billed (interface: KYC › POST /v1/kyc/person, /company). */
const starting = {
  isKeyed: false,
  busyCode: null,
  unconfirmedCode: "start-unconfirmed",
  stored: StartedAs,
  toStore,
  ended: onOutcome,
  unreadable: recordIncident,
} as const;

export const personStart: IntentKind<PersonKyc, StartedAs> = intentKind({ operation: startPersonKyc, ...starting });
export const companyStart: IntentKind<CompanyKyc, StartedAs> = intentKind({ operation: startCompanyKyc, ...starting });

export const START_KINDS = { PF: personStart, PJ: companyStart } as const satisfies Record<StartType, unknown>;

export type Starter = Actor<"kyc:start">;

export const subjectOf = (form: StartForm): Subject =>
  form.type === "PF"
    ? { vatNumber: form.vatNumber, name: form.name, birthDate: form.birthDate, motherName: form.motherName }
    : { vatNumber: form.vatNumber, name: form.legalName, birthDate: null, motherName: null };

export const membersOf = (form: StartForm) => (form.type === "PF" ? [] : form.qsa);

const LIKE = { unconfirmed: "start-unsettled", unseen: "start-like" } as const;

async function refuseDuplicate(tx: Tx, { tenant }: Starter, order: StartOrder): Promise<boolean> {
  const { type, vatNumber: document, intentId: except, seen } = order;
  // Two starts of the same document at once would not see each other.
  await lockByHashes(tx, document);
  const duplicates = await duplicatesOf(tx, { tenant, type, document, except });
  const like = draftCan.send(duplicates, seen);
  if (like !== null) throw new AppError("conflict", { code: LIKE[like] });
  return duplicates.length > 0;
}

async function saveMembers(tx: Tx, { tenant }: Starter, order: StartOrder): Promise<void> {
  const { intentId } = order;
  // An earlier, refused attempt may have had other partners.
  await tx.delete(kycStartMember).where(and(eq(kycStartMember.tenant, tenant), eq(kycStartMember.intentId, intentId)));
  const rows = membersOf(order).map(({ ownerType, ...subject }, position) => {
    const holder = { table: "kyc_start_member", row: [tenant, intentId, String(position)] } as const;
    return { tenant, intentId, position, ownerType, ...sealSubject(holder, subject) };
  });
  if (rows.length > 0) await tx.insert(kycStartMember).values(rows);
}

async function openStart(tx: Tx, actor: Starter, order: StartOrder): Promise<void> {
  const { tenant, id: staffId } = actor;
  const { intentId, type: kycType, backgroundcheckModel: model, documentscopyFlag: documentscopy } = order;
  const isRepeat = await refuseDuplicate(tx, actor, order);
  const started = {
    kycType,
    model,
    documentscopy,
    ...sealSubject({ table: "kyc_start", row: [tenant, intentId] }, subjectOf(order)),
    isRepeat,
    staffId,
    createdAt: sql`clock_timestamp()`,
  };
  await tx
    .insert(kycStart)
    .values({ tenant, intentId, ...started })
    .onConflictDoUpdate({ target: [kycStart.tenant, kycStart.intentId], set: started });
  await saveMembers(tx, actor, order);
  await publish(tx, { tenant, topic: "kyc", object: intentId });
  const detail = { kind: kycType, model, documentscopy, isRepeat };
  const what = { code: "kyc.start", intentId, detail } as const;
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what });
}

function wishOf<Body>(actor: Starter, order: StartOrder, body: Body): IntentRequest<Body> {
  const { intentId } = order;
  const opened = (tx: Tx) => openStart(tx, actor, order);
  return { actor, intentId, object: `kyc-start:${intentId}`, body, opened, prepare: nothing };
}

async function send(actor: Starter, order: StartOrder): Promise<string | undefined> {
  const { intentId: _intent, seen: _seen, ...form } = order;
  if (form.type === "PF") {
    const { type: _type, ...body } = form;
    const done = await intents.execute(personStart, wishOf(actor, order, body));
    return done.state === "DONE" ? done.stored?.kycUUID : undefined;
  }
  const { type: _type, ...body } = form;
  const done = await intents.execute(companyStart, wishOf(actor, order, body));
  return done.state === "DONE" ? done.stored?.kycUUID : undefined;
}

/** Idempotent by the form's intent. Throws as `Intents.execute`, conflict `start-like` and `start-unsettled`. */
export async function startCase(actor: Starter, order: StartOrder): Promise<{ kycUUID: string }> {
  const { tenant } = actor;
  const { intentId } = order;
  const answered = await send(actor, order);
  // Its answer was lost and its effect found since.
  const kycUUID = answered ?? (await findStart(await db(), { tenant, intentId }))?.kycUUID ?? null;
  if (kycUUID === null) throw new AppError("conflict", { code: "intent-already-sent" });
  return { kycUUID };
}
