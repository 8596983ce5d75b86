import type { Policy } from "@/lib/permission/writes";
import { and, desc, eq, exists, getTableColumns, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import { ruleInForce, standardOf } from "@/lib/approvals/policy";
import type { PendingApproval } from "@/lib/approvals/records";
import { alias } from "drizzle-orm/pg-core";
import type { EscalationEnding, Exposure, PutOffEnding } from "@/lib/db/enums/kyc";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { Actor } from "@/lib/permission/grant";
import { maskWithin } from "@/lib/contract/document";
import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import { approval } from "@/lib/db/tables/approvals";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { kycCase, kycDecision, kycEscalation, kycEvent, kycPutOff } from "@/lib/db/tables/kyc";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db } from "@/lib/db/connection";
import { type Page, PAGE_SIZE } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { whereCase } from "./holder";
import { isFinal, UNDECIDED } from "./case-state";
import { type Contradiction, openContradictions } from "./contradiction";
import { isExposed, readExposures } from "./exposure";
import { KycFilter } from "./inputs";
import { type Absence, caseFreshness, countCases, type QueueCounts, readSoFar } from "./queue-counts";
import { askerOf, dueSoonHoursOf, matching, ordering } from "./queue-filter";
import { sureOfDocument } from "./same-document";
import type { CaseCount } from "./view";

type UnconfirmedDecision = { decision: "APPROVED" | "REPROVED"; byName: string; at: string };

/** The other states leave the outcome open; one in flight is not yet in doubt. */
const ANSWERED: readonly IntentState[] = ["SENDING", "DONE", "REFUSED"];

type CaseContext = {
  /** The last decision, unless confirmed or refused. */
  unconfirmed: UnconfirmedDecision | null;
  pendingApproval: PendingApproval | null;
  /** The next decision needs a second person. */
  needsSecond: boolean;
  /** So does one about a politically exposed person. */
  asksForExposed: boolean;
  assigneeName: string | null;
  reopened: Reopening | null;
  putOff: CasePutOff | null;
  escalation: Escalation | null;
};

/** With the second level, or answered by it and not decided yet. */
type Escalation = {
  /** Also of the note that asks. */
  id: string;
  byId: string;
  byName: string;
  at: string;
  isOpen: boolean;
  taker: { id: string; name: string; since: string } | null;
  /** The note that answers. */
  answer: { id: string; at: string } | null;
};

/** In force, or ended by its time or by news of the provider. */
type CasePutOff = {
  /** Also of the note with its reason. */
  id: string;
  until: string;
  byName: string;
  back: { at: string; why: "time" | "news" } | null;
};

type Reopening = { from: string; at: string };

const ofCase = and(eq(kycDecision.tenant, kycCase.tenant), eq(kycDecision.kycUUID, kycCase.kycUUID));

function lastOf(store: Db) {
  const { decision, createdAt: at } = kycDecision;
  return store
    .select({ decision, at, byName: sql<string>`${staff.name}`.as("decided_by"), state: providerIntent.state })
    .from(kycDecision)
    .innerJoin(providerIntent, ofIntent(kycDecision))
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(ofCase)
    .orderBy(desc(at))
    .limit(1)
    .as("last");
}

const FINAL = sql.raw("('APPROVED', 'REPROVED')");

function reopeningOf(store: Db) {
  const { tenant, kycUUID, kind, detail, at, id } = kycEvent;
  const from = sql<string>`${detail} ->> 'from'`;
  return store
    .select({ reopenedAt: at, from: from.as("reopened_from") })
    .from(kycEvent)
    .where(
      and(
        eq(tenant, kycCase.tenant),
        eq(kycUUID, kycCase.kycUUID),
        eq(kind, "moved"),
        sql`${from} in ${FINAL} and ${detail} ->> 'to' not in ${FINAL}`,
      ),
    )
    .orderBy(desc(id))
    .limit(1)
    .as("reopening");
}

function putOffOf(store: Db) {
  const { id, until, createdAt, endedAt, ending } = kycPutOff;
  return store
    .select({ putOffId: id, until, endedAt, ending, putOffBy: sql<string>`${staff.name}`.as("put_off_by") })
    .from(kycPutOff)
    .innerJoin(staff, eq(staff.id, kycPutOff.staffId))
    .where(and(eq(kycPutOff.tenant, kycCase.tenant), eq(kycPutOff.kycUUID, kycCase.kycUUID)))
    .orderBy(desc(createdAt))
    .limit(1)
    .as("put_off");
}

const taker = alias(staff, "taker");

function escalationOf(store: Db) {
  const { id, staffId, createdAt, takenBy, takenAt, answerId, endedAt, ending } = kycEscalation;
  const named = {
    askerName: sql<string>`${staff.name}`.as("asker_name"),
    takerName: sql<string | null>`${taker.name}`.as("taker_name"),
  };
  return store
    .select({ escalationId: id, askerId: staffId, createdAt, takenBy, takenAt, answerId, endedAt, ending, ...named })
    .from(kycEscalation)
    .innerJoin(staff, eq(staff.id, staffId))
    .leftJoin(taker, eq(taker.id, takenBy))
    .where(and(eq(kycEscalation.tenant, kycCase.tenant), eq(kycEscalation.kycUUID, kycCase.kycUUID)))
    .orderBy(desc(createdAt))
    .limit(1)
    .as("escalation");
}

function pendingApprovalOf(store: Db, tenant: string) {
  const { id: approvalId, makerId, createdAt: at } = approval;
  const isUnderWay = sql<boolean>`${approval.state} = 'AUTHORISED'`.as("is_under_way");
  return store
    .select({ approvalId, makerId, makerName: sql<string>`${staff.name}`.as("maker_name"), at, isUnderWay })
    .from(approval)
    .innerJoin(staff, eq(staff.id, makerId))
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, "kyc.decision"),
        eq(approval.object, sql`'kyc:' || ${kycCase.kycUUID}`),
        inArray(approval.state, [...OPEN_STATES]),
      ),
    )
    .limit(1)
    .as("proposal");
}

type Choice = { where: SQL | undefined; orderBy: SQL; cursor: SQL<string>; limit: number };

type SelectedCaseRow = { row: typeof kycCase.$inferSelect; cursor: string; context: CaseContext };

/** In one statement, which selects the cases before it joins their details. */
async function selectCaseRows(
  store: Db,
  tenant: string,
  { where, orderBy, cursor, limit }: Choice,
): Promise<SelectedCaseRow[]> {
  const chosen = store
    .select({ ...getTableColumns(kycCase), cursor: cursor.as("cursor") })
    .from(kycCase)
    .where(where)
    .orderBy(orderBy)
    .limit(limit)
    .as("kyc_case");
  const last = lastOf(store);
  const pendingApproval = pendingApprovalOf(store, tenant);
  const reopening = reopeningOf(store);
  const putOff = putOffOf(store);
  const escalation = escalationOf(store);
  const settling = store
    .select({ one: sql`1` })
    .from(kycDecision)
    .innerJoin(providerIntent, ofIntent(kycDecision))
    .where(and(ofCase, notInArray(providerIntent.state, [...UNDECIDED])));
  const rows = await store
    .select({
      row: kycCase,
      cursor: chosen.cursor,
      last: { decision: last.decision, at: last.at, byName: last.byName, state: last.state },
      isDecided: sql<boolean>`${exists(settling)}`,
      pendingApproval: {
        approvalId: pendingApproval.approvalId,
        makerId: pendingApproval.makerId,
        makerName: pendingApproval.makerName,
        at: pendingApproval.at,
        isUnderWay: pendingApproval.isUnderWay,
      },
      rule: sql<Policy["rule"] | null>`${ruleInForce(store, tenant, "kyc.decision")}`,
      assigneeName: staff.name,
      reopening: { at: reopening.reopenedAt, from: reopening.from },
      putOff: {
        id: putOff.putOffId,
        until: putOff.until,
        byName: putOff.putOffBy,
        endedAt: putOff.endedAt,
        ending: putOff.ending,
      },
      escalation: {
        id: escalation.escalationId,
        byId: escalation.askerId,
        byName: escalation.askerName,
        at: escalation.createdAt,
        takerId: escalation.takenBy,
        takerName: escalation.takerName,
        takenAt: escalation.takenAt,
        answerId: escalation.answerId,
        endedAt: escalation.endedAt,
        ending: escalation.ending,
      },
    })
    .from(chosen)
    .leftJoin(staff, eq(staff.id, kycCase.assigneeId))
    .leftJoinLateral(last, sql`true`)
    .leftJoinLateral(pendingApproval, sql`true`)
    .leftJoinLateral(reopening, sql`true`)
    .leftJoinLateral(putOff, sql`true`)
    .leftJoinLateral(escalation, sql`true`)
    .orderBy(orderBy);
  return rows.map(({ row, cursor: at, ...read }) => ({ row, cursor: at, context: toContext({ ...row, ...read }) }));
}

type Read = {
  status: string;
  last: { decision: UnconfirmedDecision["decision"]; at: Date; byName: string; state: IntentState } | null;
  isDecided: boolean;
  pendingApproval: (Omit<PendingApproval, "at"> & { at: Date }) | null;
  rule: Policy["rule"] | null;
  assigneeName: string | null;
  reopening: { at: Date; from: string } | null;
  putOff: PutOffRead | null;
  escalation: EscalationRead | null;
};

type EscalationRead = {
  id: string;
  byId: string;
  byName: string;
  at: Date;
  takerId: string | null;
  takerName: string | null;
  takenAt: Date | null;
  answerId: string | null;
  endedAt: Date | null;
  ending: EscalationEnding | null;
};

function toEscalation({ id, byId, byName, at, ...read }: EscalationRead, isDecided: boolean): Escalation | null {
  const { takerId, takerName, takenAt, answerId, endedAt, ending } = read;
  if (endedAt !== null && (isDecided || ending !== "answered")) return null;
  return {
    id,
    byId,
    byName,
    at: at.toISOString(),
    isOpen: endedAt === null,
    taker: takerId === null ? null : { id: takerId, name: takerName ?? "", since: (takenAt ?? at).toISOString() },
    answer: answerId === null || endedAt === null ? null : { id: answerId, at: endedAt.toISOString() },
  };
}

type PutOffRead = { id: string; until: Date; byName: string; endedAt: Date | null; ending: PutOffEnding | null };

function toPutOff({ id, until, byName, endedAt, ending }: PutOffRead, isDecided: boolean): CasePutOff | null {
  const named = { id, until: until.toISOString(), byName };
  if (endedAt === null) return { ...named, back: null };
  if (isDecided || (ending !== "time" && ending !== "news")) return null;
  return { ...named, back: { at: endedAt.toISOString(), why: ending } };
}

function toContext({ status, last, isDecided: hasDecided, pendingApproval, rule, ...read }: Read): CaseContext {
  const { assigneeName, reopening, putOff, escalation } = read;
  const inForce = rule ?? standardOf("kyc.decision").rule;
  const isUnconfirmed = last !== null && !ANSWERED.includes(last.state);
  return {
    unconfirmed: isUnconfirmed ? { decision: last.decision, byName: last.byName, at: last.at.toISOString() } : null,
    pendingApproval: pendingApproval && { ...pendingApproval, at: pendingApproval.at.toISOString() },
    asksForExposed: inForce === "on-exposed",
    needsSecond: inForce === "always" || (inForce !== "never" && (isFinal(status) || hasDecided)),
    assigneeName,
    reopened: reopening === null || isFinal(status) ? null : { from: reopening.from, at: reopening.at.toISOString() },
    putOff: putOff && toPutOff(putOff, isFinal(status)),
    escalation: escalation && toEscalation(escalation, isFinal(status)),
  };
}

export type KycRow = {
  kycUUID: string;
  /** As the provider masks it. */
  vatNumber: string;
  isPerhaps: boolean;
  kycType: KycType;
  process: KycProcessName;
  status: KycStatus;
  firstSeenAt: string;
  changedAt: string;
  assignee: { id: string; name: string } | null;
  assignedAt: string | null;
  waitingSince: string | null;
  dueAt: string | null;
  decidedAt: string | null;
  tags: string[];
  unconfirmed: UnconfirmedDecision | null;
  pendingApproval: PendingApproval | null;
  needsSecond: boolean;
  exposure: Exposure;
  reopened: Reopening | null;
  putOff: CasePutOff | null;
  escalation: Escalation | null;
  contradiction: Contradiction | null;
};

type StoredCase = typeof kycCase.$inferSelect;

const iso = (at: Date | null) => at?.toISOString() ?? null;

export const shownNumber = ({ vatNumber }: Pick<StoredCase, "vatNumber">): string =>
  providerText(maskWithin(vatNumber));

async function readShown(store: Db, tenant: string, kycUUID: string): Promise<string | null> {
  const named = { vatNumber: kycCase.vatNumber };
  const [row] = await store.select(named).from(kycCase).where(whereCase({ tenant, kycUUID }));
  return row === undefined ? null : shownNumber(row);
}

type Findings = Pick<KycRow, "exposure" | "contradiction">;

const rowOf = ({ row, context }: SelectedCaseRow, { exposure, contradiction }: Findings): KycRow => ({
  kycUUID: row.kycUUID,
  vatNumber: shownNumber(row),
  isPerhaps: false,
  kycType: row.kycType,
  process: row.process,
  status: row.status,
  firstSeenAt: row.firstSeenAt.toISOString(),
  changedAt: row.changedAt.toISOString(),
  assignee: row.assigneeId === null ? null : { id: row.assigneeId, name: context.assigneeName ?? "" },
  assignedAt: iso(row.assignedAt),
  waitingSince: iso(row.waitingSince),
  dueAt: iso(row.dueAt),
  decidedAt: iso(row.decidedAt),
  tags: row.tags,
  unconfirmed: context.unconfirmed,
  pendingApproval: context.pendingApproval,
  needsSecond: context.needsSecond || (context.asksForExposed && isExposed(exposure)),
  exposure,
  reopened: context.reopened,
  putOff: context.putOff,
  escalation: context.escalation,
  contradiction,
});

async function rowsOf(store: Db, tenant: string, selected: readonly SelectedCaseRow[]): Promise<KycRow[]> {
  const cases = selected.map(({ row }) => row);
  const ids = cases.map(({ kycUUID }) => kycUUID);
  const [contradictions, exposures] = await Promise.all([
    openContradictions(store, tenant, ids),
    readExposures(store, tenant, cases),
  ]);
  return selected.map((one) => {
    const { kycUUID } = one.row;
    const exposure = exposures.get(kycUUID) ?? "unknown";
    return rowOf(one, { exposure, contradiction: contradictions.get(kycUUID) ?? null });
  });
}

type CaseId = { tenant: string; kycUUID: string };

export async function findCase(
  store: Db,
  { tenant, kycUUID }: CaseId,
): Promise<{ stored: StoredCase; row: KycRow } | null> {
  const where = whereCase({ tenant, kycUUID });
  const alone = { orderBy: sql`${kycCase.seq}`, cursor: sql<string>`''`, limit: 1 };
  const [found] = await selectCaseRows(store, tenant, { where, ...alone });
  if (found === undefined) return null;
  const [row] = await rowsOf(store, tenant, [found]);
  return row === undefined ? null : { stored: found.row, row };
}

export type KycQueue = Pick<Page<KycRow>, "rows" | "asOf" | "isOldest" | "isStale" | "failure"> &
  Pick<QueueCounts, "counts" | "views" | "dueSoonHours"> & {
    total: CaseCount;
    sameDocumentShown: string | null;
    readSoFar: number | null;
    previous: string | null;
    next: string | null;
    readAt: string;
  };

type RowsRequest = { store: Db; tenant: string; where: SQL | undefined };

async function readRows({ store, tenant, where }: RowsRequest, filter: KycFilter): Promise<SelectedCaseRow[]> {
  const isBackwards = filter.before !== undefined;
  const { orderBy, cursor, afterCursor } = ordering(filter, isBackwards);
  const from = filter.before ?? filter.after;
  const further = and(where, from === undefined ? undefined : afterCursor(from));
  return selectCaseRows(store, tenant, { where: further, orderBy, cursor, limit: PAGE_SIZE + 1 });
}

type PageOfCases = { rows: KycRow[]; previous: string | null; next: string | null };

/** Keyset paging: the last page costs as little as the first. */
async function readPage(reading: RowsRequest, filter: KycFilter): Promise<PageOfCases> {
  const found = await readRows(reading, filter);
  const hasMore = found.length > PAGE_SIZE;
  const isBackwards = filter.before !== undefined;
  const isFurtherOn = isBackwards || filter.after !== undefined;
  // The page is gone, or the way back reached the first one.
  if (isFurtherOn && (found.length === 0 || (isBackwards && !hasMore))) {
    return readPage(reading, { ...filter, before: undefined, after: undefined });
  }
  const shown = found.slice(0, PAGE_SIZE);
  const inOrder = isBackwards ? shown.toReversed() : shown;
  const first = inOrder[0]?.cursor ?? null;
  const last = inOrder.at(-1)?.cursor ?? null;
  return {
    rows: await rowsOf(reading.store, reading.tenant, inOrder),
    previous: (isBackwards ? hasMore : isFurtherOn) ? first : null,
    next: isBackwards || hasMore ? last : null,
  };
}

async function markPerhaps(store: Db, tenant: string, { page, as }: { page: PageOfCases; as: string | undefined }) {
  if (as === undefined) return page;
  const ids = page.rows.map(({ kycUUID }) => kycUUID);
  const sure = await sureOfDocument(store, { tenant, kycUUID: as }, ids);
  return { ...page, rows: page.rows.map((row) => ({ ...row, isPerhaps: !sure.has(row.kycUUID) })) };
}

export async function readCaseQueue(
  actor: Actor<"kyc:read">,
  given: Partial<KycFilter> = {},
): Promise<KycQueue & { absence: Absence }> {
  const filter = KycFilter.parse(given);
  const { tenant, id } = actor;
  const store = await db();
  // PostgreSQL plans the "due soon" page well only with the number.
  const isByDue = filter.view === "due" || filter.due !== undefined;
  const asker = isByDue ? await askerOf(store, actor) : { tenant, id, dueSoonHours: dueSoonHoursOf(tenant) };
  const as = filter.sameDocumentAs ?? filter.sameMaskAs;
  const [{ readAt, ...counted }, page, sameDocumentShown, soFar, fresh] = await Promise.all([
    countCases(store, asker, filter),
    readPage({ store, tenant, where: matching(asker, filter) }, filter),
    as === undefined ? null : readShown(store, tenant, as),
    readSoFar(store, tenant),
    caseFreshness(tenant),
  ]);
  return {
    ...(await markPerhaps(store, tenant, { page, as: filter.sameDocumentAs })),
    ...counted,
    total: counted.counts[filter.status],
    sameDocumentShown,
    readSoFar: soFar,
    readAt: readAt.toISOString(),
    ...fresh,
  };
}
