import {
  APPROVAL_KIND_NAMES,
  type ApprovalKindName,
  type PolicyRule,
  type Policy,
  termsOf,
} from "@/lib/permission/writes";
import { and, asc, count, desc, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { can } from "@/lib/permission/permission";
import { type Download, query } from "@/lib/query";
import { record } from "@/lib/audit/record";
import { type CsvColumn, csvDecimal, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import type { Locale } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { maskWithin } from "@/lib/contract/document";
import { namingHidden } from "@/lib/text/safe-link";
import { getLocale, getTranslations } from "next-intl/server";
import { needsPersonNow } from "@/lib/provider/intents/intent-record";
import { saidOf, toldOf } from "@/lib/provider/intents/told";
import type { Told } from "@/lib/errors/result";
import { storeNow, within } from "@/lib/db/clock";
import { kycCase } from "@/lib/db/tables/kyc";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { hrefWith, type Page, PAGE_SIZE, pageWindow } from "@/lib/text/page";
import { spanOf } from "@/lib/text/period";
import {
  type Approval,
  type Fact,
  gistOf,
  readComment,
  readDecision,
  readSnapshot,
  partiesOf,
  type Shown,
  type ShownParties,
  type ShownValue,
} from "./snapshot";
import { isCaseOfRequest, movedCase, type MovedCase, STANDING_CASE, type StandingCase } from "./moved-case";
import { limitsOf, policyKey, policyOf, standardOf } from "./policy";
import { approvalCan } from "./can";
import { requestEnd } from "./execute";
import type { ApprovalId } from "./records";
import { ApprovalFilter } from "./inputs";
import { decidedBy, decidesKind, leftAs, visibleTo } from "./visible";
import { isOwed, noteSeen, owedAs } from "./owed";
import { readWaiting, type WaitingSum } from "./waiting";
import { auditEvent } from "@/lib/db/tables/audit";
import { approval, approvalComment, approvalPolicy } from "@/lib/db/tables/approvals";
import {
  type ApprovalOwed,
  type ApprovalView,
  type ApprovalWord,
  decidingPermission,
  ENDED_STATES,
  hasPolicy,
  loosens,
  wordOf,
} from "./view";
import { type ApprovalState } from "@/lib/db/enums/approvals";

type ReadComment = { id: string; byName: string; isMine: boolean; text: string; at: string };

async function readComments(store: Db, { tenant, id }: ApprovalId, readerId: string): Promise<ReadComment[]> {
  const rows = await store
    .select({ said: approvalComment, byName: staff.name })
    .from(approvalComment)
    .innerJoin(staff, eq(staff.id, approvalComment.staffId))
    .where(and(eq(approvalComment.tenant, tenant), eq(approvalComment.approvalId, id)))
    .orderBy(approvalComment.createdAt);
  return rows.map(({ said, byName }) => ({
    id: said.id,
    byName,
    isMine: said.staffId === readerId,
    text: readComment(said),
    at: said.createdAt.toISOString(),
  }));
}

type PolicyStep = { before: Policy; after: Policy; byName: string; at: string; loosens: boolean };

type PolicyView = {
  kind: ApprovalKindName;
  rules: readonly PolicyRule[];
  policy: Policy;
  history: PolicyStep[];
  /** A proposed looser rule that waits for another administrator. */
  proposed: { id: string; byName: string; at: string } | null;
};

const MAX_STEPS = 20;

async function historyOf(store: Db, tenant: string, kind: ApprovalKindName): Promise<PolicyStep[]> {
  const rows = await store
    .select({ row: approvalPolicy, byName: staff.name })
    .from(approvalPolicy)
    .innerJoin(staff, eq(staff.id, approvalPolicy.staffId))
    .where(and(eq(approvalPolicy.tenant, tenant), eq(approvalPolicy.kind, kind)))
    .orderBy(desc(approvalPolicy.version))
    .limit(MAX_STEPS + 1);
  const shown = rows.slice(0, MAX_STEPS);
  return shown.map(({ row: after, byName }, n) => {
    const before = rows[n + 1]?.row ?? standardOf(kind);
    return {
      before: policyFrom(before),
      after: policyFrom(after),
      byName,
      at: after.createdAt.toISOString(),
      loosens: loosens(before, after),
    };
  });
}

/** At most one is open for each policy. */
async function proposedIn(store: Db, tenant: string): Promise<ReadonlyMap<string, PolicyView["proposed"]>> {
  const ofTenant = eq(approval.tenant, tenant);
  const rows = await store
    .select({ object: approval.object, id: approval.id, byName: staff.name, at: approval.createdAt })
    .from(approval)
    .innerJoin(staff, eq(staff.id, approval.makerId))
    .where(and(ofTenant, eq(approval.kind, "policy.loosen"), eq(approval.state, "PENDING")));
  return new Map(rows.map(({ object, at, ...row }) => [object, { ...row, at: at.toISOString() }]));
}

const policyFrom = (row: Policy): Policy => {
  const { rule, amount, expiresAfterHours, version } = row;
  return { rule, amount, ...limitsOf(row), expiresAfterHours, version };
};

export async function readPolicies(tenant: string): Promise<PolicyView[]> {
  const store = await db();
  const proposed = await proposedIn(store, tenant);
  return Promise.all(
    APPROVAL_KIND_NAMES.filter(hasPolicy).map(async (kind) => ({
      kind,
      rules: termsOf(kind).rules,
      policy: await policyOf(store, tenant, kind),
      history: await historyOf(store, tenant, kind),
      proposed: proposed.get(policyKey(kind)) ?? null,
    })),
  );
}

type Reader = Actor<"approvals:read">;

export type { MovedCase };

export type ApprovalRow = {
  id: string;
  kind: ApprovalKindName;
  /** Null when the row was altered since the proposal. */
  headline: ShownValue | null;
  gist: Pick<Fact, "before" | "after"> | null;
  parties: ShownParties | null;
  /** While it waits: whether the reader may decide it, or why not. */
  decision: "may" | "own" | "approvers" | "admins" | null;
  owes: ApprovalOwed | null;
  /** The reader may refuse it together with others. */
  isRefusable: boolean;
  /** What it is about, when that is an account; `others`: of the same one in this list. */
  account: { key: string; name: ShownValue | null; others: number } | null;
  makerName: string;
  isMine: boolean;
  createdAt: string;
  expiresAt: string;
  state: ApprovalState;
  /** The state as every screen words it. */
  word: ApprovalWord;
  moved: MovedCase | null;
};

export type ApprovalList = Page<ApprovalRow> & {
  view: ApprovalView;
  counts: Record<ApprovalView, number>;
  /** The reader's own requests that wait for somebody else. */
  ownWaiting: number;
  canDecide: boolean;
};

const seesOthers = (reader: Reader) => decidedBy(reader).length > 0 || can(reader.roles, "audit:read");

const usualView = (reader: Reader): ApprovalView => (seesOthers(reader) ? "waiting" : "mine");

const isOf = (view: ApprovalView, reader: Reader): SQL | undefined =>
  ({
    owed: isOwed(reader),
    waiting: eq(approval.state, "PENDING"),
    mine: eq(approval.makerId, reader.id),
    decided: ne(approval.state, "PENDING"),
  })[view];

const narrowing = (reader: Reader, filter: ApprovalFilter): SQL | undefined =>
  and(visibleTo(reader), filter.kind && eq(approval.kind, filter.kind), within(approval.createdAt, spanOf(filter)));

async function countViews(store: Db, reader: Reader, filter: ApprovalFilter) {
  const counted: Record<ApprovalView, number> = { owed: 0, waiting: 0, mine: 0, decided: 0 };
  let ownWaiting = 0;
  const isMine = sql<boolean>`${approval.makerId} = ${reader.id}`;
  const isWaiting = sql<boolean>`${approval.state} = 'PENDING'`;
  const groups = await store
    .select({ isMine, isWaiting, owes: owedAs(reader), n: count() })
    .from(approval)
    .where(narrowing(reader, filter))
    .groupBy(sql`1`, sql`2`, sql`3`);
  for (const group of groups) {
    counted[group.isWaiting ? "waiting" : "decided"] += group.n;
    if (group.owes !== null) counted.owed += group.n;
    if (group.isMine) counted.mine += group.n;
    if (group.isMine && group.isWaiting) ownWaiting += group.n;
  }
  return { counts: counted, ownWaiting };
}

function decisionOf({ kind, state, makerId }: Approval, reader: Reader): ApprovalRow["decision"] {
  if (state !== "PENDING") return null;
  if (makerId === reader.id) return "own";
  if (decidesKind(reader, kind)) return "may";
  return decidingPermission(kind) === "staff:manage" ? "admins" : "approvers";
}

const MOVES: readonly ApprovalKindName[] = ["transfer.internal", "transfer.external", "crypto.transfer"];

type Found = {
  row: Approval;
  makerName: string;
  left: Parameters<typeof wordOf>[1];
  standing: StandingCase;
  owes: ApprovalOwed | null;
  alike?: number;
};

const alike = sql<number>`(count(*) over (partition by ${approval.object}))::int`;
const isAccount = sql<boolean>`${approval.object} like 'account:%'`;

/** Payer of a transfer, or the account that is to be closed. */
const accountFact = (shown: Shown | null): ShownValue | null =>
  shown?.facts.find(({ name }) => name === "from" || name === "account")?.after ?? shown?.headline ?? null;

function orderOf({ sort, order }: ApprovalFilter, view: ApprovalView): SQL[] {
  const isWaiting = view === "waiting";
  const by = sort ?? (isWaiting ? "expires" : "created");
  const way = (order ?? (by === "created" && !isWaiting ? "desc" : "asc")) === "desc" ? desc : asc;
  const column = by === "created" ? approval.createdAt : approval.expiresAt;
  const groups = by === "account" ? [desc(isAccount), asc(approval.object)] : [];
  return [...groups, way(column), asc(approval.id)];
}

async function toRow(
  { row, makerName, left, standing, owes, alike: alikes = 1 }: Found,
  reader: Reader,
): Promise<ApprovalRow> {
  const { id, kind, state, object, createdAt, expiresAt } = row;
  const shown = (await readSnapshot(row))?.shown ?? null;
  return {
    id,
    kind,
    headline: shown?.headline ?? null,
    gist: shown && gistOf(shown),
    parties: shown && MOVES.includes(kind) ? partiesOf(shown) : null,
    decision: decisionOf(row, reader),
    owes,
    isRefusable: decisionOf(row, reader) === "may" && decidingPermission(kind) === "approvals:authorize",
    account: object.startsWith("account:") ? { key: object, name: accountFact(shown), others: alikes - 1 } : null,
    makerName,
    isMine: row.makerId === reader.id,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    state,
    word: wordOf(row, left),
    moved: movedCase({ state, createdAt, shown }, standing),
  };
}

const selectApprovals = (store: Db, reader: Reader) =>
  store
    .select({
      row: approval,
      makerName: staff.name,
      left: leftAs,
      alike,
      standing: STANDING_CASE,
      owes: owedAs(reader),
    })
    .from(approval)
    .innerJoin(staff, eq(staff.id, approval.makerId))
    .leftJoin(kycCase, isCaseOfRequest);

/** Pending ones by expiry, others newest first. */
export const listApprovals = query(
  "approvals:read",
  async (reader, given: Partial<ApprovalFilter> = {}): Promise<ApprovalList> => {
    const filter = ApprovalFilter.parse(given);
    const view = filter.view ?? usualView(reader);
    const store = await db();
    const { counts, ownWaiting } = await countViews(store, reader, filter);
    const { page, totalPages, offset } = pageWindow(filter.page, counts[view]);
    const found = await selectApprovals(store, reader)
      .where(and(narrowing(reader, filter), isOf(view, reader)))
      .orderBy(...orderOf(filter, view))
      .limit(PAGE_SIZE)
      .offset(offset);
    const rows = await Promise.all(found.map((one) => toRow(one, reader)));
    const asOf = (await storeNow(store)).toISOString();
    const canDecide = decidedBy(reader).length > 0;
    return {
      rows,
      page,
      totalPages,
      total: counts[view],
      view,
      counts,
      ownWaiting,
      canDecide,
      asOf,
      isStale: false,
      failure: null,
    };
  },
);

const BATCH_ROWS = 200;

type CsvWords = {
  say: Awaited<ReturnType<typeof getTranslations<"approvals">>>;
  writes: Awaited<ReturnType<typeof getTranslations<"writes">>>;
  locale: Locale;
};

type FiledApproval = ApprovalRow & { rejection: string | null };

async function toFiled(one: Found, reader: Reader): Promise<FiledApproval> {
  const reason = one.row.state === "REFUSED" ? (await readDecision(one.row))?.reason : null;
  return { ...(await toRow(one, reader)), rejection: reason == null ? null : maskWithin(reason) };
}

const COLUMNS = [
  { name: "id", csv: ({ id }) => id },
  { name: "what", csv: ({ kind }, { writes }) => writes(kind) },
  {
    name: "amount",
    csv: ({ headline }, { locale }) => {
      if (headline?.as === "brl") return csvDecimal(headline.decimal, locale);
      return headline?.as === "coins" ? csvDecimal(headline.amount, locale) : null;
    },
  },
  {
    name: "asset",
    csv: ({ headline }) =>
      headline?.as === "coins" ? providerText(headline.asset) : headline?.as === "brl" ? "BRL" : null,
  },
  { name: "about", csv: ({ headline }) => (headline?.as === "text" ? namingHidden(headline.text) : null) },
  { name: "from", csv: ({ parties }) => (parties?.from ? providerText(parties.from) : null) },
  { name: "to", csv: ({ parties }) => (parties?.to ? providerText(parties.to) : null) },
  { name: "by", csv: ({ makerName }) => makerName },
  { name: "created", csv: ({ createdAt }, { locale }) => csvMinute(createdAt, locale) },
  { name: "expires", csv: ({ expiresAt }, { locale }) => csvMinute(expiresAt, locale) },
  { name: "state", csv: ({ word }, { say }) => say(`states.${word}`) },
  { name: "reason", csv: ({ rejection }) => rejection },
] as const satisfies readonly CsvColumn<FiledApproval, CsvWords>[];

export type ApprovalFileColumn = (typeof COLUMNS)[number]["name"];

async function* linesOf(reader: Reader, filter: ApprovalFilter, words: CsvWords): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, words, (name) => words.say(`csv.${name}`));
  const store = await db();
  const fits = and(narrowing(reader, filter), isOf(filter.view ?? usualView(reader), reader));
  yield head;
  for (let edge: SQL | undefined; ;) {
    const found = await selectApprovals(store, reader)
      .where(and(fits, edge))
      .orderBy(desc(approval.createdAt), desc(approval.id))
      .limit(BATCH_ROWS);
    const rows = await Promise.all(found.map((one) => toFiled(one, reader)));
    yield rows.map(line).join("");
    const last = found.at(-1)?.row;
    if (last === undefined || found.length < BATCH_ROWS) return;
    edge = sql`(${approval.createdAt}, ${approval.id}) < (${last.createdAt.toISOString()}::timestamptz, ${last.id}::uuid)`;
  }
}

/** The filtered requests that the reader may see as CSV, newest first; on record before its first byte. */
export const exportApprovals = query(
  "approvals:read",
  async (reader, given: Partial<ApprovalFilter> = {}): Promise<Download> => {
    const filter = ApprovalFilter.parse({ ...given, page: 1 });
    const [say, writes, locale] = await Promise.all([
      getTranslations("approvals"),
      getTranslations("writes"),
      getLocale(),
    ]);
    const { tenant, id } = reader;
    const detail = { format: "csv", filter: hrefWith("", { ...filter, page: null }) };
    await record(await db(), { tenant, actor: id, code: "approvals.export", outcome: "DONE", detail });
    return {
      fileName: csvName(say("csv.file"), locale),
      contentType: "text/csv; charset=utf-8",
      parts: linesOf(reader, filter, { say, writes, locale }),
    };
  },
);

export type ApprovalRecord = {
  row: ApprovalRow;
  shown: Shown | null;
  deciderName: string | null;
  decidedAt: string | null;
  endedAt: string | null;
  /** Where `endedAt` comes from: the answer itself, when its end was seen here later, or when a person recorded it. */
  endKnown: "answered" | "seen" | "recorded";
  reason: string | null;
  code: string | null;
  /** Why the provider did not execute it; for a request that its maker completes, the last attempt. */
  told: Told | null;
  /** The provider's words when it neither confirmed nor refused. */
  answered: string | null;
  /** Of a held or a blocked write. */
  antifraudId: string | null;
  hold: {
    until: string | null;
    /** The analyst's deadline has passed without an answer, so a person must settle it. */
    isOver: boolean;
  } | null;
  comments: ReadComment[];
  beside: WaitingSum[];
  canComment: boolean;
  /** In the inbox's order, including this one while it waits. */
  waiting: string[];
  nextToDecide: string | null;
  /** The transfer's id once it exists or will; null for other kinds. */
  transferId: string | null;
  closingRef: string | null;
  coinsId: string | null;
  asOf: string;
};

type Waiting = { id: string; kind: ApprovalKindName; makerId: string };

function waitingFor(store: Db, reader: Reader): Promise<Waiting[]> {
  return store
    .select({ id: approval.id, kind: approval.kind, makerId: approval.makerId })
    .from(approval)
    .where(and(visibleTo(reader), eq(approval.state, "PENDING")))
    .orderBy(approval.expiresAt, approval.id)
    .limit(PAGE_SIZE * 4);
}

async function besideOf(store: Db, { tenant, kind, object, intentId, state }: Approval): Promise<WaitingSum[]> {
  if (kind !== "crypto.transfer" || isEnded(state)) return [];
  return readWaiting(store, { tenant, object, exceptIntent: intentId });
}

const isEnded = (state: ApprovalState) => ENDED_STATES.some((ended) => ended === state);

async function wasLeftOpen(store: Db, { tenant, id }: Approval): Promise<boolean> {
  const isIts = and(eq(auditEvent.tenant, tenant), eq(auditEvent.object, `approval:${id}`));
  const isOpen = inArray(auditEvent.outcome, ["HELD", "UNKNOWN"]);
  return (await store.$count(auditEvent, and(isIts, eq(auditEvent.code, "approval.execute"), isOpen))) > 0;
}

type ProvidersWord = Pick<ApprovalRecord, "told" | "answered" | "antifraudId" | "hold" | "endKnown">;

async function providersWordOf(store: Db, row: Approval): Promise<ProvidersWord> {
  const { intent, end } = await requestEnd(store, row);
  if (intent === null || end?.code === "intent-reused")
    return { told: null, answered: null, antifraudId: null, hold: null, endKnown: "answered" };
  const { state, antifraudId, pendingExpiresAt } = intent;
  const isHeld = state === "HELD";
  const isOver = isHeld && (await needsPersonNow(store, intent));
  return {
    told: toldOf(intent),
    answered: state === "UNKNOWN" ? saidOf(intent) : null,
    antifraudId,
    endKnown: intent.endedBy !== null ? "recorded" : (await wasLeftOpen(store, row)) ? "seen" : "answered",
    hold: isHeld ? { until: pendingExpiresAt?.toISOString() ?? null, isOver } : null,
  };
}

/** Returns null when it does not exist or this reader may not see it. */
export const getApproval = query("approvals:read", async (reader, id: string): Promise<ApprovalRecord | null> => {
  if (!isUuid(id)) return null;
  const store = await db();
  const [found] = await selectApprovals(store, reader).where(and(visibleTo(reader), eq(approval.id, id)));
  if (found === undefined) return null;
  const { row } = found;
  if (found.owes === "result") await store.transaction((tx) => noteSeen(tx, reader, [id]));
  const snapshot = await readSnapshot(row);
  const decision = await readDecision(row);
  const [decider] =
    row.deciderId === null
      ? []
      : await store.select({ name: staff.name }).from(staff).where(eq(staff.id, row.deciderId));
  const mayDecide = decidesKind(reader, row.kind);
  const shownRow = await toRow(found, reader);
  const waiting = await waitingFor(store, reader);
  const next = waiting.find((one) => one.id !== row.id && one.makerId !== reader.id && decidesKind(reader, one.kind));
  return {
    row: shownRow,
    beside: await besideOf(store, row),
    shown: snapshot?.shown ?? null,
    deciderName: decider?.name ?? null,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    reason: decision?.reason ?? null,
    code: row.code,
    ...(await providersWordOf(store, row)),
    comments: await readComments(store, row, reader.id),
    canComment: approvalCan.comment({ isMine: row.makerId === reader.id, mayDecide }) === null,
    waiting: waiting.map((one) => one.id),
    nextToDecide: next?.id ?? null,
    transferId: row.kind.startsWith("transfer.") ? row.intentId : null,
    closingRef: row.kind === "account.close" ? row.object.replace("account:", "") : null,
    coinsId: row.kind === "crypto.transfer" ? row.intentId : null,
    asOf: (await storeNow(store)).toISOString(),
  };
});

/** As many as the list shows for the reader. */
export type Owed = { count: number };

export const countOwed = query("approvals:read", async (reader): Promise<Owed> => {
  const store = await db();
  return { count: await store.$count(approval, and(visibleTo(reader), isOwed(reader))) };
});

export const listPolicies = query("settings:manage", ({ tenant }): Promise<PolicyView[]> => readPolicies(tenant));
