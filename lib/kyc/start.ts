import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { defineWrite, executeAlone, type Ordering } from "@/lib/approvals/define-write";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { type IntentEnd, nothing } from "@/lib/provider/intents/intent-record";
import { startCompanyKyc, startPersonKyc } from "@/lib/provider/operations";
import { maskDocument } from "@/lib/contract/document";
import { type KycStarted, KycStatus } from "@/lib/contract/kyc";
import { publish } from "@/lib/db/publish";
import { draftCan } from "@/lib/drafts/can";
import { dropDraft } from "@/lib/drafts/drafts";
import { storeNow } from "@/lib/db/clock";
import { lockByHashes } from "@/lib/db/lease";
import { kycStart, kycStartMember } from "@/lib/db/tables/kyc";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import { noteCaseEvents } from "./events";
import { saveRecords } from "./sync";
import { CompanyStart, PersonStart, type StartForm, type StartOrder } from "./inputs";
import { sealSubject, type StartedSubject, unsealSubject } from "@/lib/db/started-case";
import type { StartType } from "./view";
import { startDuplicates } from "./start-duplicates";
import { caseCandidateIds, describeStart, findStart, linkStart, type StartRow } from "./start-record";

/** Null when its effect was found but its answer was lost. */
const StartedAs = z.object({ kycUUID: z.string(), status: z.string(), webviewUrl: z.string().nullable() }).nullable();
type StartedAs = z.infer<typeof StartedAs>;

/** As the watch would store it: a process begins with the background check. */
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
  await noteCaseEvents(tx, [
    { tenant, kycUUID, kind: "started", actor: staffId, detail: { intentId, kycType, model } },
  ]);
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

export type Starter = Actor<"kyc:start">;

export const subjectOf = (form: StartForm): StartedSubject =>
  form.type === "PF"
    ? { vatNumber: form.vatNumber, name: form.name, birthDate: form.birthDate, motherName: form.motherName }
    : { vatNumber: form.vatNumber, name: form.legalName, birthDate: null, motherName: null };

export const membersOf = (form: StartForm) => (form.type === "PF" ? [] : form.qsa);

const LIKE = { unconfirmed: "start-unsettled", unseen: "start-like" } as const;

type Starting = Ordering<"kyc:start", StartOrder>;

const likeOf = (tx: Tx, { actor: { tenant }, order: { type, vatNumber: document, intentId: except } }: Starting) =>
  startDuplicates(tx, { tenant, type, document, except });

async function refuseDuplicate(tx: Tx, starting: Starting): Promise<void> {
  const { vatNumber, seen } = starting.order;
  // Two concurrent starts of one document would not see each other.
  await lockByHashes(tx, vatNumber);
  const like = draftCan.send(await likeOf(tx, starting), seen);
  if (like !== null) throw new AppError("conflict", { code: LIKE[like] });
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

async function open(tx: Tx, starting: Starting): Promise<void> {
  const { actor, order } = starting;
  const { tenant, id: staffId } = actor;
  const { intentId, type: kycType, backgroundcheckModel: model, documentscopyFlag: documentscopy } = order;
  const isRepeat = (await likeOf(tx, starting)).length > 0;
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

/** Without Idempotency-Key, and billed (interface: KYC › POST /v1/kyc/person, /company). */
const starting = {
  name: "kyc.start",
  objectOf: async (_store: Db | Tx, _tenant: string, { intentId }: StartOrder) => `kyc-start:${intentId}`,
  validate: refuseDuplicate,
  approval: null,
  isKeyed: false,
  busyCode: null,
  unconfirmedCode: "start-unconfirmed",
  opened: open,
  recheck: nothing,
  stored: StartedAs,
  toStore,
  ended: onOutcome,
  settle: { needsSecond: false, describe: describeStart, candidatesOf: caseCandidateIds },
} as const;

export const startPerson = defineWrite({
  ...starting,
  order: PersonStart,
  operation: startPersonKyc,
  bodyOf: ({ intentId: _intent, seen: _seen, type: _type, ...body }) => body,
});

export const startCompany = defineWrite({
  ...starting,
  order: CompanyStart,
  operation: startCompanyKyc,
  bodyOf: ({ intentId: _intent, seen: _seen, type: _type, ...body }) => body,
});

export const STARTS = { PF: startPerson, PJ: startCompany } as const satisfies Record<StartType, unknown>;

/** Idempotent by the form's intent. Throws as `Intents.execute`, conflict `start-like` and `start-unsettled`. */
export async function startCase(actor: Starter, order: StartOrder): Promise<{ kycUUID: string }> {
  const { tenant } = actor;
  const { intentId } = order;
  const done = await (order.type === "PF"
    ? executeAlone(startPerson, actor, order)
    : executeAlone(startCompany, actor, order));
  const answered = done.state === "DONE" ? done.stored?.kycUUID : undefined;
  // Its answer was lost and its effect found since.
  const kycUUID = answered ?? (await findStart(await db(), { tenant, intentId }))?.kycUUID ?? null;
  if (kycUUID === null) throw new AppError("conflict", { code: "intent-already-sent" });
  return { kycUUID };
}
