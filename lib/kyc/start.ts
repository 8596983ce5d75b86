import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  ne,
  notExists,
  notInArray,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { intents, type IntentRequest } from "@/lib/provider/intents/intent";
import {
  concludeIntent,
  type Intent,
  type IntentEnd,
  type IntentKind,
  intentKind,
  isLookedFor,
  isSending,
  ofIntent,
  onlyCandidate,
  wasLookedSince,
  wasSaid,
} from "@/lib/provider/intents/intent-record";
import { startCompanyKyc, startPersonKyc } from "@/lib/provider/operations";
import { providerIntent } from "@/lib/db/tables/provider";
import { maskDocument } from "@/lib/contract/document";
import { type CompanyKyc, type KycStarted, KycStatus, type PersonKyc } from "@/lib/contract/kyc";
import type { DraftAnswer, OpenedDrafts } from "@/lib/drafts/view";
import { ageOn } from "@/lib/text/field-rules";
import { publish } from "@/lib/db/publish";
import type { OutcomeSubject } from "@/lib/provider/intents/outcome-kind";
import { outcomeExclusion } from "@/lib/db/tables/unconfirmed";
import { dropDraft, openDrafts, saveDraft, wasSent } from "@/lib/drafts/drafts";
import { storeNow } from "@/lib/db/clock";
import { lockByHashes } from "@/lib/db/lease";
import { staff } from "@/lib/db/tables/staff";
import { watchState } from "@/lib/db/tables/watch";
import { kycCase, kycStart, kycStartMember } from "@/lib/db/tables/kyc";
import { lookupHash, lookupHashes, unsealedOrNull, UnsealError } from "@/lib/db/seal";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { civilDay } from "@/lib/text/time";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import { noteEvents } from "./decisions";
import { saveRecords } from "./records";
import type { StartDrafting, StartForm, StartOrder, StartReconciliation } from "./inputs";
import { fitsMask, sealSubject, type Subject, unsealSubject } from "@/lib/db/started-case";
import { wholeSince } from "./sweep";
import {
  type PossibleDuplicate,
  REPEAT_DAYS,
  type StartCandidate,
  type StartReview,
  type StartType,
  type UnconfirmedStart,
} from "./view";

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
  await dropDraft(tx, tenant, intentId);
  if (kycUUID === null) return null;
  if (stored !== null) {
    await linkStart(tx, start, kycUUID);
    await saveStarted(tx, start, stored);
  }
  await noteEvents(tx, [{ tenant, kycUUID, kind: "started", actor: staffId, detail: { intentId, kycType, model } }]);
  return kycUUID;
}

async function onOutcome(tx: Tx, { intent, by, stored }: IntentEnd<StartedAs>): Promise<void> {
  const { tenant, id: intentId, state, status, code } = intent;
  const start = await findStart(tx, { tenant, intentId });
  if (start === null) throw new Error(`intent ${intentId} has no start`);
  const kycUUID = state === "DONE" ? await saveDone(tx, start, stored) : null;
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

const MAX = 20;

type PossibleRepeat = {
  tenant: string;
  type: StartType;
  /** In clear, digits only. */
  document: string;
  except: string | null;
};

const recently = sql`clock_timestamp() - ${REPEAT_DAYS} * interval '1 day'`;

const whereUnconfirmed = and(
  inArray(providerIntent.state, ["SENDING", "UNKNOWN"]),
  isNull(kycStart.kycUUID),
  isNull(kycStart.waivedAt),
);

async function likeStarts(tx: Db | Tx, { tenant, document, except }: PossibleRepeat): Promise<PossibleDuplicate[]> {
  const rows = await tx
    .select({
      start: kycStart,
      byName: staff.name,
      status: kycCase.status,
      isUnconfirmed: sql<boolean>`${whereUnconfirmed}`,
    })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
    .innerJoin(staff, eq(staff.id, kycStart.staffId))
    .leftJoin(kycCase, and(eq(kycCase.tenant, kycStart.tenant), eq(kycCase.kycUUID, kycStart.kycUUID)))
    .where(
      and(
        eq(kycStart.tenant, tenant),
        inArray(kycStart.documentHash, lookupHashes(document)),
        ne(providerIntent.state, "REFUSED"),
        except === null ? undefined : ne(kycStart.intentId, except),
        or(gt(kycStart.createdAt, recently), whereUnconfirmed),
      ),
    )
    .orderBy(desc(kycStart.createdAt))
    .limit(MAX);
  return rows.map(({ start: { intentId, kycUUID, createdAt }, ...row }) => ({
    ref: kycUUID ?? intentId,
    kycUUID,
    at: createdAt.toISOString(),
    isSame: true,
    ...row,
  }));
}

/** Open ones, and those begun elsewhere and decided recently; not those started here with another document. */
async function likeCases(tx: Db | Tx, { tenant, type, document }: PossibleRepeat): Promise<PossibleDuplicate[]> {
  const startOf = (isIt?: SQL) =>
    tx
      .select({ intentId: kycStart.intentId })
      .from(kycStart)
      .where(and(eq(kycStart.tenant, kycCase.tenant), eq(kycStart.kycUUID, kycCase.kycUUID), isIt));
  const ofAnother = startOf(notInArray(kycStart.documentHash, lookupHashes(document)));
  const { kycUUID, firstSeenAt, status, decidedAt } = kycCase;
  const isOpen = notInArray(status, ["APPROVED", "REPROVED"]);
  const rows = await tx
    .select({ kycUUID, at: sql`coalesce(${decidedAt}, ${firstSeenAt})`.mapWith(firstSeenAt), status })
    .from(kycCase)
    .where(
      and(
        eq(kycCase.tenant, tenant),
        eq(kycCase.kycType, type),
        eq(kycCase.vatNumber, maskDocument(document)),
        or(isOpen, and(gt(decidedAt, recently), notExists(startOf()))),
        notExists(ofAnother),
      ),
    )
    .orderBy(desc(kycCase.seq))
    .limit(MAX);
  return rows.map((row) => ({
    ref: row.kycUUID,
    kycUUID: row.kycUUID,
    at: row.at.toISOString(),
    byName: null,
    status: row.status,
    isSame: false,
    isUnconfirmed: false,
  }));
}

async function duplicatesOf(tx: Db | Tx, person: PossibleRepeat): Promise<PossibleDuplicate[]> {
  const starts = await likeStarts(tx, person);
  const known = new Set(starts.map(({ ref }) => ref));
  return [...starts, ...(await likeCases(tx, person)).filter(({ ref }) => !known.has(ref))];
}

type Starter = Actor<"kyc:start">;

const ADULT_AGE = 18;

const subjectOf = (form: StartForm): Subject =>
  form.type === "PF"
    ? { vatNumber: form.vatNumber, name: form.name, birthDate: form.birthDate, motherName: form.motherName }
    : { vatNumber: form.vatNumber, name: form.legalName, birthDate: null, motherName: null };

const membersOf = (form: StartForm) => (form.type === "PF" ? [] : form.qsa);

function minorsOf(form: StartForm): StartReview["minors"] {
  const today = civilDay(new Date());
  return [subjectOf(form), ...membersOf(form)]
    .flatMap(({ name, birthDate }) => (birthDate === null ? [] : [{ name, age: ageOn(birthDate, today) }]))
    .filter(({ age }) => age < ADULT_AGE);
}

export async function reviewStart(actor: Starter, form: StartForm): Promise<StartReview> {
  const { tenant, id: staffId } = actor;
  const { type, vatNumber: document } = form;
  const duplicates = await (
    await db()
  ).transaction(async (tx) => {
    const found = await duplicatesOf(tx, { tenant, type, document, except: null });
    const detail = { kind: type, document: lookupHash(document), likenesses: found.length };
    await record(tx, { tenant, actor: staffId, code: "kyc.review-start", outcome: "DONE", detail });
    return found;
  });
  return {
    type,
    model: form.backgroundcheckModel,
    documentscopy: form.documentscopyFlag,
    duplicates,
    hasLetters: type === "PJ" && /[A-Z]/.test(document),
    minors: minorsOf(form),
  };
}

async function refuseDuplicate(tx: Tx, { tenant }: Starter, order: StartOrder): Promise<boolean> {
  const { type, vatNumber: document, intentId: except, seen } = order;
  // Two starts of the same document at once would not see each other.
  await lockByHashes(tx, document);
  const duplicates = await duplicatesOf(tx, { tenant, type, document, except });
  if (duplicates.some(({ isUnconfirmed }) => isUnconfirmed))
    throw new AppError("conflict", { code: "start-unsettled" });
  if (duplicates.some(({ ref }) => !seen.includes(ref))) throw new AppError("conflict", { code: "start-like" });
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
  return { actor, intentId, object: `kyc-start:${intentId}`, body, opened: (tx) => openStart(tx, actor, order) };
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

type OpenStart = {
  start: typeof kycStart.$inferSelect;
  byName: string;
  isSending: boolean;
  sentAt: Date | null;
  /** In clear; null when it does not open. */
  document: string | null;
  candidates: StartCandidate[];
  /** Possibly there before it was sent: read from further back in the list. */
  older: ReadonlySet<string>;
  /** The list was read long enough after it was sent, without a candidate. */
  isNotFound: boolean;
};

type Sent = Pick<OpenStart, "start" | "sentAt" | "document">;

type Candidates = Pick<OpenStart, "candidates" | "older">;

/** First seen since, of the same kind and document, and linked to no other start. */
async function candidatesOf(store: Db | Tx, { start, sentAt, document }: Sent): Promise<Candidates> {
  if (sentAt === null || document === null) return { candidates: [], older: new Set() };
  const claimant = alias(kycStart, "claimant");
  const claimed = store
    .select({ intentId: claimant.intentId })
    .from(claimant)
    .where(and(eq(claimant.tenant, kycCase.tenant), eq(claimant.kycUUID, kycCase.kycUUID)));
  const excluded = store
    .select({ intentId: outcomeExclusion.intentId })
    .from(outcomeExclusion)
    .where(
      and(
        eq(outcomeExclusion.tenant, start.tenant),
        eq(outcomeExclusion.intentId, start.intentId),
        eq(outcomeExclusion.candidate, kycCase.kycUUID),
      ),
    );
  const { kycUUID, vatNumber, firstSeenAt, status, seq } = kycCase;
  const rows = await store
    .select({ kycUUID, vatNumber, firstSeenAt, status, seq })
    .from(kycCase)
    .where(
      and(
        eq(kycCase.tenant, start.tenant),
        eq(kycCase.kycType, start.kycType),
        gte(firstSeenAt, sentAt),
        notExists(claimed),
        notExists(excluded),
      ),
    )
    .orderBy(asc(seq));
  const fitting = rows.filter((row) => fitsMask(document, row.vatNumber));
  return {
    candidates: fitting.map((row) => ({
      kycUUID: row.kycUUID,
      firstSeenAt: row.firstSeenAt.toISOString(),
      status: row.status,
    })),
    // Late arrivals from further back in the list have numbers of zero or less.
    older: new Set(fitting.filter((row) => row.seq <= 0).map((row) => row.kycUUID)),
  };
}

const documentOf = (start: Pick<OpenStart["start"], "tenant" | "intentId" | "documentSealed" | "subjectSealed">) =>
  unsealedOrNull(() => unsealSubject({ table: "kyc_start", row: [start.tenant, start.intentId] }, start))?.vatNumber ??
  null;

export async function candidatesOfIntent(tx: Db | Tx, { tenant, id, firstSentAt: sentAt }: Intent): Promise<string[]> {
  const start = await findStart(tx, { tenant, intentId: id });
  if (start === null || start.kycUUID !== null) return [];
  const { candidates } = await candidatesOf(tx, { start, sentAt, document: documentOf(start) });
  return candidates.map(({ kycUUID }) => kycUUID);
}

export async function describeStart(tx: Db | Tx, { tenant, id: intentId }: Intent): Promise<OutcomeSubject> {
  const start = await findStart(tx, { tenant, intentId });
  const document = start === null ? null : documentOf(start);
  return { subject: document === null ? null : maskDocument(document), amount: null, href: "/kyc/new" };
}

/** Starts marked as without effect, whose case has shown up since. */
export async function contradictStarts(store: Db, actor: Actor): Promise<void> {
  const said = await store
    .select({ start: kycStart, sentAt: providerIntent.firstSentAt })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
    .where(
      and(eq(kycStart.tenant, actor.tenant), isNull(kycStart.kycUUID), eq(providerIntent.state, "REFUSED"), wasSaid),
    );
  for (const { start, sentAt } of said) {
    const { candidates, older } = await candidatesOf(store, { start, sentAt, document: documentOf(start) });
    if (candidates.some(({ kycUUID }) => !older.has(kycUUID)))
      await intents.contradict(actor, START_KINDS[start.kycType], start.intentId);
  }
}

export async function openStarts(store: Db | Tx, tenant: string): Promise<OpenStart[]> {
  const rows = await store
    .select({
      start: kycStart,
      byName: staff.name,
      isSending,
      sentAt: providerIntent.firstSentAt,
      wasReadSince: wasLookedSince(wholeSince),
    })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
    .innerJoin(staff, eq(staff.id, kycStart.staffId))
    .leftJoin(watchState, and(eq(watchState.tenant, kycStart.tenant), eq(watchState.name, "kyc")))
    .where(and(eq(kycStart.tenant, tenant), isNull(kycStart.kycUUID), isLookedFor))
    .orderBy(asc(kycStart.createdAt));
  return Promise.all(
    rows.map(async ({ wasReadSince: wasRead, ...row }) => {
      const document = documentOf(row.start);
      const found = await candidatesOf(store, { ...row, document });
      return {
        ...row,
        document,
        ...found,
        isNotFound: !row.isSending && wasRead && found.candidates.length === 0,
      };
    }),
  );
}

/** Whoever found the case may have died before writing the outcome. */
async function confirmLinked(store: Db, actor: Actor): Promise<void> {
  const linked = await store
    .select({ intentId: kycStart.intentId, kycType: kycStart.kycType })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
    .where(
      and(eq(kycStart.tenant, actor.tenant), eq(providerIntent.state, "UNKNOWN"), sql`${kycStart.kycUUID} is not null`),
    );
  for (const { intentId, kycType } of linked) await intents.confirm(actor, START_KINDS[kycType], intentId);
}

/** A document that does not open can find nothing: a person must look. */
const recordClosed = (store: Db, { tenant, id: by }: Actor, { start: { intentId } }: OpenStart) =>
  recordIncident(store, {
    tenant,
    by,
    object: `kyc-start:${intentId}`,
    intentId,
    cause: new UnsealError("what was started does not open"),
  });

/** Looks for lost starts among what the watch has seen; calls nobody. */
export async function reconcileStarts(store: Db, actor: Actor): Promise<void> {
  const open = await openStarts(store, actor.tenant);
  for (const one of open) {
    if (one.document === null) await recordClosed(store, actor, one);
    const kycUUID = onlyCandidate(one, open, (candidate) => candidate.kycUUID);
    if (kycUUID !== null && !one.older.has(kycUUID)) await linkStart(store, one.start, kycUUID);
  }
  await confirmLinked(store, actor);
}

/** Throws conflict `start-settled` when it is linked already or the case is no candidate. */
export async function reconcileStart(
  actor: Actor<"kyc:start">,
  { intentId, kycUUID }: StartReconciliation,
): Promise<{ kycUUID: string }> {
  const store = await db();
  const open = (await openStarts(store, actor.tenant)).find(({ start }) => start.intentId === intentId);
  if (open === undefined || open.isSending) throw new AppError("conflict", { code: "start-settled" });
  const { tenant, id: by } = actor;
  const kind = START_KINDS[open.start.kycType];
  const isCandidate = open.candidates.some((candidate) => candidate.kycUUID === kycUUID);
  await store.transaction(async (tx) => {
    const isLinked = isCandidate && (await linkStart(tx, open.start, kycUUID));
    const ended =
      isLinked && (await concludeIntent(tx, { intent: { tenant, id: intentId }, kind, by, hasHappened: true }));
    if (!ended) throw new AppError("conflict", { code: "start-settled" });
  });
  return { kycUUID };
}

export type StartFormState = OpenedDrafts & {
  isSent: boolean;
  unconfirmed: UnconfirmedStart[];
};

const formOf = (type: StartType) => `kyc-start-${type.toLowerCase()}`;

const viewOf = ({ start, document, ...open }: OpenStart): UnconfirmedStart => ({
  intentId: start.intentId,
  type: start.kycType,
  model: start.model,
  document: document === null ? null : maskDocument(document),
  byName: open.byName,
  at: start.createdAt.toISOString(),
  isSending: open.isSending,
  candidates: open.candidates,
  isNotFound: open.isNotFound,
});

export async function readStartFormState(
  actor: Actor<"kyc:start">,
  type: StartType,
  draftId: string | null = null,
): Promise<StartFormState> {
  const store = await db();
  const opened = await openDrafts(actor, formOf(type), { draftId, documentIn: (fields) => fields["vatNumber"] });
  const { draft } = opened;
  const isSent = await wasSent(store, actor.tenant, draft.draftId);
  const open = await openStarts(store, actor.tenant);
  return {
    ...opened,
    // What was sent cannot be corrected any more.
    draft: isSent ? { ...draft, fields: null } : draft,
    isSent,
    unconfirmed: open.filter(({ start }) => start.waivedAt === null).map(viewOf),
  };
}

export const saveStartDraft = (actor: Actor<"kyc:start">, { type, order }: StartDrafting): Promise<DraftAnswer> =>
  saveDraft(actor, formOf(type), order);
