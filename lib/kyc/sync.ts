import { and, asc, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { providerIntent } from "@/lib/db/tables/provider";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { maskWithin } from "@/lib/contract/document";
import type { KycRecord } from "@/lib/contract/kyc";
import { watchId } from "@/lib/permission/watches";
import { type AuditEntry, recordAll } from "@/lib/audit/record";
import { excluded } from "@/lib/db/columns";
import { publishAll } from "@/lib/db/publish";
import { kycCase, kycDecision, kycRecord, kycStart } from "@/lib/db/tables/kyc";
import type { Db, Tx } from "@/lib/db/connection";
import { calendarOf } from "@/lib/calendar/calendar";
import { whereCase } from "./holder";
import { caseRulesOf, deadlineOf, type RulesAndCalendar } from "./case-rules";
import { type CaseState, caseState, type ProcessRecord, rankOf, worseOf, isFinal } from "./case-state";
import { type Contradiction, noteContradictions, openContradictions } from "./contradiction";
import { type CaseEvent, noteCaseEvents } from "./events";
import { endEscalations } from "./escalate";
import { endPutOffs } from "./put-off";

type CaseRow = typeof kycCase.$inferSelect;
type RecordRow = typeof kycRecord.$inferSelect;
type Webviews = CaseRow["webviews"];

export type RecordsRead = {
  pass: number;
  page: number | null;
  /** Records of the same case may be on unread pages. */
  isFirstPass: boolean;
};

/** `askedAt` by the store's clock. */
export type Answered = {
  records: readonly KycRecord[];
  askedAt: Date;
  place?: "newest" | "oldest";
  /** Without a page, the answer holds all records of its cases. */
  reading?: RecordsRead;
  /** The changes of a known record that a page alone may make. */
  takes?: "none" | "worse" | "all";
};

export type SaveResult = {
  /** Not saved: the page does not determine their state, so they are read by id. */
  unclear: string[];
  added: number;
  moved: number;
  /** Cases in which one process has two statuses. */
  contrary: string[];
  unread: number;
  /** Pages moved during the reading. */
  hasShifted: boolean;
};

type ReportedCase = Pick<KycRecord, "kycUUID" | "vatNumber" | "kycType"> & {
  records: KycRecord[];
  /** With the graver of a process's two statuses, and the other. */
  told: KycRecord[];
  webviews: Webviews;
  contradiction: Contradiction | null;
};

const webviewsIn = (record: KycRecord): Webviews => [
  ...(record.webviewUrl ? [{ vatNumber: null, url: record.webviewUrl }] : []),
  ...(record.webviewUrls ?? [])
    .filter(({ url }) => url !== "")
    .map(({ vatNumber, url }) => ({ vatNumber: maskWithin(vatNumber), url })),
];

function contradictionIn(one: KycRecord, other: KycRecord): Contradiction | null {
  if (one.status === other.status) return null;
  const worse = worseOf(one, other);
  return { process: one.process, status: worse.status, other: (worse === one ? other : one).status };
}

function byCase(listed: readonly KycRecord[]): ReportedCase[] {
  const found = new Map<string, ReportedCase>();
  for (const record of listed) {
    // The interface masks it; if a provider does not, we do.
    const { kycUUID, kycType, vatNumber } = { ...record, vatNumber: maskWithin(record.vatNumber) };
    const none = { records: [], told: [], webviews: [], contradiction: null };
    const one = found.get(kycUUID) ?? { kycUUID, kycType, vatNumber, ...none };
    const same = one.records.find(({ process }) => process === record.process);
    const worse = same === undefined ? record : worseOf(same, record);
    found.set(kycUUID, {
      ...one,
      records: [...one.records.filter((other) => other !== same), worse],
      told: [...one.told, record],
      webviews: [...one.webviews, ...webviewsIn(record)],
      contradiction: same === undefined ? one.contradiction : (contradictionIn(same, record) ?? one.contradiction),
    });
  }
  return [...found.values()];
}

/** A reported page stays; a repeated partner takes the newer one. */
function mergedWebviews(stored: Webviews, reported: Webviews): Webviews {
  const isReported = (vatNumber: string | null) => reported.some((one) => one.vatNumber === vatNumber);
  const all = [...stored.filter(({ vatNumber }) => !isReported(vatNumber)), ...reported];
  return all.filter(
    ({ vatNumber, url }, place) => all.findIndex((one) => one.vatNumber === vatNumber && one.url === url) === place,
  );
}

type StoredCase = { row: CaseRow | undefined; records: readonly RecordRow[] };

async function lockStored(tx: Db | Tx, tenant: string, ids: string[]): Promise<(kycUUID: string) => StoredCase> {
  const rows = await tx
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, ids)))
    .orderBy(asc(kycCase.seq))
    .for("update");
  const records = await tx
    .select()
    .from(kycRecord)
    .where(and(eq(kycRecord.tenant, tenant), inArray(kycRecord.kycUUID, ids)));
  const rowOf = new Map(rows.map((row) => [row.kycUUID, row]));
  return (kycUUID) => ({
    row: rowOf.get(kycUUID),
    records: records.filter((one) => one.kycUUID === kycUUID),
  });
}

const isWhole = (reading: RecordsRead | undefined) => reading === undefined || reading.page === null;

type Answer = { reading: RecordsRead; takes: NonNullable<Answered["takes"]>; wasContrary: boolean };

/** It contradicts itself, its pass or the store, or one process replaced another. */
function isUnclear(reported: ReportedCase, { records: stored }: StoredCase, told: Answer): boolean {
  const { reading, takes, wasContrary } = told;
  if (reported.contradiction !== null || (wasContrary && takes !== "all")) return true;
  const known = (record: KycRecord) => stored.find(({ process }) => process === record.process);
  const contradicts = reported.records.some((record) => {
    const before = known(record);
    if (before === undefined || before.status === record.status) return false;
    if (before.pass === reading.pass && before.page !== reading.page) return true;
    return takes === "none" || (takes === "worse" && rankOf(record.status) >= rankOf(before.status));
  });
  if (contradicts) return true;
  if (reported.records.every((record) => known(record) !== undefined)) return false;
  const unlisted = stored.filter(({ process }) => !reported.records.some((record) => record.process === process));
  return unlisted.some(({ page }) => !reading.isFirstPass || page === reading.page);
}

/** An answer about one case replaces its records, a page adds to them. */
function recordsAfter(
  reported: ReportedCase,
  { records: stored }: StoredCase,
  { askedAt, reading }: Answered,
): RecordRow[] {
  const now = reported.records.map(({ kycUUID, process, status }): RecordRow => {
    const before = stored.find((one) => one.process === process);
    return {
      tenant: before?.tenant ?? "",
      kycUUID,
      process,
      status,
      changedAt: before?.status === status ? before.changedAt : askedAt,
      pass: reading?.pass ?? before?.pass ?? 0,
      page: reading?.page ?? null,
    };
  });
  if (isWhole(reading)) return now;
  return [...stored.filter(({ process }) => !now.some((one) => one.process === process)), ...now];
}

type Beyond = { isDocumentscopyOrdered: boolean; decision: { decision: "APPROVED" | "REPROVED"; sentAt: Date } | null };

async function readBeyond(tx: Db | Tx, tenant: string, ids: string[]): Promise<(kycUUID: string) => Beyond> {
  if (ids.length === 0) return () => ({ isDocumentscopyOrdered: false, decision: null });
  const ordered = await tx
    .select({ kycUUID: kycStart.kycUUID })
    .from(kycStart)
    .where(and(eq(kycStart.tenant, tenant), inArray(kycStart.kycUUID, ids), eq(kycStart.documentscopy, true)));
  const { kycUUID, decision, createdAt } = kycDecision;
  const decided = await tx
    .selectDistinctOn([kycUUID], { kycUUID, decision, sentAt: providerIntent.firstSentAt })
    .from(kycDecision)
    .innerJoin(providerIntent, ofIntent(kycDecision))
    .where(
      and(
        eq(kycDecision.tenant, tenant),
        inArray(kycUUID, ids),
        inArray(providerIntent.state, ["DONE", "UNKNOWN"]),
        isNotNull(providerIntent.firstSentAt),
      ),
    )
    .orderBy(kycUUID, desc(createdAt));
  return (id) => {
    const last = decided.find((one) => one.kycUUID === id);
    return {
      isDocumentscopyOrdered: ordered.some((one) => one.kycUUID === id),
      decision: last?.sentAt ? { decision: last.decision, sentAt: last.sentAt } : null,
    };
  };
}

const needsBeyond = (records: readonly ProcessRecord[]) =>
  records.some(({ status }) => status !== records[0]?.status) ||
  records.every(({ process, status }) => process === "kyc-backgroundcheck" && status === "APPROVED");

type ProcessStatus = Pick<ProcessRecord, "process" | "status">;
type Change = ReportedCase & { stored: StoredCase; after: RecordRow[]; state: CaseState };

type Writing = {
  tenant: string;
  askedAt: Date;
  place: Answered["place"];
  deadlines: RulesAndCalendar;
  isFirstPass: boolean;
};

/** It waits for our people while the provider says PENDING. */
function clockOf({ state: { status }, kycType }: Change, { deadlines, askedAt }: Writing) {
  if (status === "PENDING")
    return { waitingSince: askedAt, ...deadlineOf(deadlines, kycType, askedAt), decidedAt: null };
  return isFinal(status) ? { decidedAt: askedAt } : { waitingSince: null, dueAt: null, decidedAt: null };
}

async function insertCases(tx: Db | Tx, changes: readonly Change[], writing: Writing): Promise<Set<string>> {
  const { tenant, askedAt, place } = writing;
  if (changes.length === 0) return new Set();
  const before = sql<number>`(select least(min(seq), 1) - 1 from ${kycCase} where ${kycCase.tenant} = ${tenant})`;
  const seen = { firstSeenAt: askedAt, changedAt: askedAt, seenAt: askedAt };
  const inserted = await tx
    .insert(kycCase)
    .values(
      changes.map((change, nth) => ({
        tenant,
        kycUUID: change.kycUUID,
        vatNumber: change.vatNumber,
        kycType: change.kycType,
        ...change.state,
        webviews: mergedWebviews([], change.webviews),
        ...seen,
        ...clockOf(change, writing),
        ...(place === "oldest" && { seq: sql<number>`${before} - ${nth}::int` }),
      })),
    )
    .onConflictDoNothing()
    .returning({ kycUUID: kycCase.kycUUID });
  return new Set(inserted.map(({ kycUUID }) => kycUUID));
}

const hasMoved = ({ stored: { row }, state }: Change) => row?.status !== state.status || row.process !== state.process;

const hasRecord = (records: readonly ProcessStatus[], { process, status }: ProcessStatus) =>
  records.some((one) => one.process === process && one.status === status);

/** A further record of the case alone is no movement of it. */
function isMoreKnown({ stored, after }: Change): boolean {
  const known = (one: RecordRow) => stored.records.find(({ process }) => process === one.process);
  return (
    stored.records.length > 0 &&
    after.length > stored.records.length &&
    after.every((one) => (known(one)?.status ?? one.status) === one.status)
  );
}

/** The provider repeats the known status and, for the same process, adds a graver one. */
const isContradiction = ({ stored, contradiction, told }: Change) =>
  contradiction !== null && stored.records.length > 0 && stored.records.every((one) => hasRecord(told, one));

const isFound = (change: Change, { isFirstPass }: Pick<Writing, "isFirstPass">) =>
  isContradiction(change) || (isFirstPass && isMoreKnown(change));

function differs(change: Change): boolean {
  const { stored, vatNumber, kycType, webviews } = change;
  const { row } = stored;
  if (row === undefined || hasMoved(change)) return true;
  const merged = mergedWebviews(row.webviews, webviews);
  const hasNewPage =
    merged.length !== row.webviews.length || merged.some(({ url }, nth) => url !== row.webviews[nth]?.url);
  return hasNewPage || row.vatNumber !== vatNumber || row.kycType !== kycType || isMoreKnown(change);
}

/** Also a verdict of one process that leaves the case's state as it was. */
function tellsNews(change: Change): boolean {
  const { records } = change.stored;
  return (
    differs(change) || records.length !== change.after.length || !change.after.every((one) => hasRecord(records, one))
  );
}

const isDecidedAnew = (change: Change, writing: Pick<Writing, "isFirstPass">) =>
  isFinal(change.state.status) && hasMoved(change) && !isFound(change, writing);

async function updateCase(tx: Db | Tx, change: Change, writing: Writing): Promise<void> {
  const { kycUUID, vatNumber, kycType, state, webviews, stored } = change;
  const { tenant, askedAt } = writing;
  await tx
    .update(kycCase)
    .set({
      vatNumber,
      kycType,
      ...state,
      webviews: mergedWebviews(stored.row?.webviews ?? [], webviews),
      seenAt: askedAt,
      ...(hasMoved(change) && { changedAt: askedAt }),
      ...(stored.row?.status !== state.status && {
        ...(isFound(change, writing) && { waitingSince: null, dueAt: null, decidedAt: null }),
        ...clockOf(change, writing),
      }),
      // Of another stage it is another decision, though it reads the same.
      ...(isDecidedAnew(change, writing) && { decidedAt: askedAt }),
    })
    .where(whereCase({ tenant, kycUUID }));
}

function eventsOf(change: Change, writing: Writing): CaseEvent[] {
  const { kycUUID, stored, after, state } = change;
  const what = { tenant: writing.tenant, kycUUID, actor: null };
  const { row } = stored;
  if (row === undefined) return [{ ...what, kind: "seen", detail: { ...state } }];
  if (isFound(change, writing)) {
    return after
      .filter((one) => !hasRecord(stored.records, one))
      .map(({ process, status }) => ({ ...what, kind: "record-seen", detail: { process, status } }));
  }
  if (!hasMoved(change)) return [];
  return [{ ...what, kind: "moved", detail: { from: row.status, to: state.status, process: state.process } }];
}

async function writeRecords(tx: Db | Tx, tenant: string, changes: readonly Change[]): Promise<void> {
  const gone = changes.flatMap(({ stored, after }) =>
    stored.records.filter(({ process }) => !after.some((one) => one.process === process)),
  );
  for (const { kycUUID, process } of gone) {
    const isIt = and(eq(kycRecord.kycUUID, kycUUID), eq(kycRecord.process, process));
    await tx.delete(kycRecord).where(and(eq(kycRecord.tenant, tenant), isIt));
  }
  const rows = changes.flatMap(({ after, records }) =>
    after.filter(({ process }) => records.some((one) => one.process === process)).map((row) => ({ ...row, tenant })),
  );
  if (rows.length === 0) return;
  const { status, changedAt, pass, page } = kycRecord;
  await tx
    .insert(kycRecord)
    .values(rows)
    .onConflictDoUpdate({
      target: [kycRecord.tenant, kycRecord.kycUUID, kycRecord.process],
      set: { status: excluded(status), changedAt: excluded(changedAt), pass: excluded(pass), page: excluded(page) },
    });
}

async function write(tx: Db | Tx, changes: readonly Change[], writing: Writing): Promise<AuditEntry[]> {
  const { tenant, askedAt, place } = writing;
  // The provider lists newest first, so the last one inserted is at the named end.
  const unknown = changes.filter(({ stored }) => stored.row === undefined);
  const inserted = await insertCases(tx, place === "oldest" ? unknown : unknown.toReversed(), writing);
  // Another writer inserted the row meanwhile; the next answer names it again.
  const own = changes.filter(({ kycUUID, stored }) => stored.row !== undefined || inserted.has(kycUUID));
  const news = own.filter(differs);
  for (const change of news) if (change.stored.row !== undefined) await updateCase(tx, change, writing);
  const same = own.filter((change) => !differs(change)).map(({ kycUUID }) => kycUUID);
  if (same.length > 0) {
    await tx
      .update(kycCase)
      .set({ seenAt: askedAt })
      .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, same)));
  }
  await writeRecords(tx, tenant, own);
  await noteCaseEvents(
    tx,
    news.flatMap((change) => eventsOf(change, writing)),
  );
  const told = own.filter((change) => change.stored.row?.isPutOff === true && tellsNews(change));
  const kycUUIDs = told.map(({ kycUUID }) => kycUUID);
  const ended = await endPutOffs(tx, { tenant, kycUUIDs, ending: "news", by: watchId("kyc") });
  await publishAll(tx, { tenant, topic: "kyc", objects: news.map(({ kycUUID }) => kycUUID) });
  const decided = own.flatMap(({ stored: { row }, state }) =>
    row?.escalationId != null && isFinal(state.status) ? [row.escalationId] : [],
  );
  return [...ended, ...(await endEscalations(tx, { tenant, ids: decided, by: watchId("kyc") }))];
}

const isApart = (one: number, other: number) => Math.abs(one - other) > 1;

function progressOf(
  reported: readonly ReportedCase[],
  storedOf: (kycUUID: string) => StoredCase,
  reading: RecordsRead,
) {
  const seen = reported.flatMap(({ kycUUID, records }) => {
    const stored = storedOf(kycUUID).records;
    return records.map((record) => stored.find(({ process }) => process === record.process));
  });
  const elsewhere = seen.flatMap((one) =>
    one?.pass !== reading.pass || one.page === null || one.page === reading.page ? [] : [one.page],
  );
  return {
    unread: seen.length - elsewhere.length,
    hasShifted: elsewhere.some((page) => isApart(page, reading.page ?? page)),
  };
}

const NOTHING_SAVED: SaveResult = { unclear: [], added: 0, moved: 0, contrary: [], unread: 0, hasShifted: false };

/** Answers older than the store change nothing; unclear cases are left out. */
export async function saveRecords(tx: Db | Tx, tenant: string, answered: Answered): Promise<SaveResult> {
  const { askedAt, place, reading, takes = "all" } = answered;
  const reported = byCase(answered.records);
  if (reported.length === 0) return NOTHING_SAVED;
  const ids = reported.map(({ kycUUID }) => kycUUID);
  const storedOf = await lockStored(tx, tenant, ids);
  const current = reported.filter(({ kycUUID }) => {
    const { row } = storedOf(kycUUID);
    return row === undefined || row.seenAt <= askedAt;
  });
  const known = await openContradictions(tx, tenant, ids);
  const isOpen = (one: ReportedCase) =>
    reading !== undefined &&
    !isWhole(reading) &&
    isUnclear(one, storedOf(one.kycUUID), { reading, takes, wasContrary: known.has(one.kycUUID) });
  const unclear = current.filter(isOpen).map(({ kycUUID }) => kycUUID);
  const clear = current
    .filter(({ kycUUID }) => !unclear.includes(kycUUID))
    .map((one) => ({
      ...one,
      stored: storedOf(one.kycUUID),
      after: recordsAfter(one, storedOf(one.kycUUID), answered),
    }));
  const beyondOf = await readBeyond(
    tx,
    tenant,
    clear.filter(({ after }) => needsBeyond(after)).map(({ kycUUID }) => kycUUID),
  );
  const changes = clear.flatMap((one) => {
    const state = caseState({ records: one.after, ...beyondOf(one.kycUUID) });
    return state === null ? [] : [{ ...one, state }];
  });
  const { rules } = await caseRulesOf(tx, tenant);
  const { calendar } = await calendarOf(tx, tenant);
  const deadlines = { rules, calendar };
  const isFirstPass = reading?.isFirstPass ?? false;
  const ended = await write(tx, changes, { tenant, askedAt, place, deadlines, isFirstPass });
  await noteContradictions(tx, changes, { tenant, known, isWhole: isWhole(reading) });
  await recordAll(tx, ended);
  const added = changes.filter(({ stored }) => stored.row === undefined).length;
  const moved = changes.filter((change) => change.stored.row !== undefined && hasMoved(change)).length;
  const contrary = changes.filter(({ contradiction }) => contradiction !== null).map(({ kycUUID }) => kycUUID);
  const progress = reading === undefined ? { unread: 0, hasShifted: false } : progressOf(reported, storedOf, reading);
  return { unclear, added, moved, contrary, ...progress };
}

export async function bringsNews(store: Db, tenant: string, records: readonly KycRecord[]): Promise<boolean> {
  const ids = records.map(({ kycUUID }) => kycUUID);
  if (ids.length === 0) return false;
  const { kycUUID, process, status } = kycRecord;
  const stored = await store
    .select({ kycUUID, process, status })
    .from(kycRecord)
    .where(and(eq(kycRecord.tenant, tenant), inArray(kycUUID, ids)));
  return records.some(
    (one) =>
      !stored.some((row) => row.kycUUID === one.kycUUID && row.process === one.process && row.status === one.status),
  );
}

/** The case keeps its state when the provider no longer finds it. */
export async function noteAsked(
  store: Db,
  tenant: string,
  { kycUUID, askedAt, pass }: { kycUUID: string; askedAt: Date; pass: number | undefined },
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.update(kycCase).set({ seenAt: askedAt }).where(whereCase({ tenant, kycUUID }));
    await tx
      .update(kycRecord)
      .set({ ...(pass !== undefined && { pass }), page: null })
      .where(and(eq(kycRecord.tenant, tenant), eq(kycRecord.kycUUID, kycUUID)));
  });
}
