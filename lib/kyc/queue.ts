import { and, arrayContains, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { PendingApproval } from "@/lib/approvals/records";
import type { Actor } from "@/lib/permission/grant";
import { maskWithin } from "@/lib/contract/document";
import { shownOfDocument } from "@/lib/text/typed";
import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import { startOfDayIn } from "@/lib/db/clock";
import { kycCase, kycCaseCount, kycEvent } from "@/lib/db/tables/kyc";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { type Page, PAGE_SIZE, type Waiting } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { type Absence, absenceOf, ReadAbsence } from "./away";
import { type Assignee, readAssignees } from "./assignees";
import { caseRulesOf, dueSoonHoursOf } from "./case-rules";
import { type SelectedCaseRow, selectCaseRows, type UnconfirmedDecision } from "./case-rows";
import { KycFilter, type LikeQuery } from "./inputs";
import { isListWhole } from "./sweep";
import {
  type CaseCount,
  type Deadline,
  DEADLINES,
  KYC_VIEWS,
  type KycSort,
  type KycStanding,
  type KycView,
  MAX_COUNTED,
  orderOf,
  beginningShown,
  sortOf,
} from "./view";
import { freshness } from "@/lib/db/watch-state";

const RECENT = 2_000;

export type QueueChoices = { people: Assignee[]; tags: string[] };

export async function readChoices({ tenant }: Actor<"kyc:read">): Promise<QueueChoices> {
  const store = await db();
  const tag = sql<string>`${kycEvent.detail}->>'tag'`.as("tag");
  const recent = store
    .select({ tag })
    .from(kycEvent)
    .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kind, "tagged")))
    .orderBy(desc(kycEvent.at))
    .limit(RECENT)
    .as("lately");
  const tags = await store.selectDistinct({ tag: recent.tag }).from(recent).orderBy(recent.tag);
  return { people: await readAssignees(store, tenant), tags: tags.map((row) => row.tag) };
}

type Asker = { tenant: string; id: string; dueSoonHours: number | SQL<number> };

// Word for word as in the schema, so that the index is used.
const OPEN = sql.raw("status not in ('APPROVED', 'REPROVED')");
const DUE = sql.raw("coalesce(due_at, 'infinity')");
/** Deadlines of open cases, then open ones without, then decided ones. */
const CLOCK = sql.raw(
  "(case when status in ('APPROVED', 'REPROVED') then 'infinity' else coalesce(due_at, '9999-12-31 00:00:00+00') end)",
);
const WAITING = sql.raw("coalesce(waiting_since, 'infinity')");
const SHOWN = sql.raw("regexp_replace(vat_number, '[^0-9A-Za-z]', '', 'g')");

const beginsWith = (text: string) => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function matchesSearch(text: string): SQL | undefined {
  const shown = beginningShown(text);
  return or(
    sql`${kycCase.kycUUID} like ${beginsWith(text)}`,
    arrayContains(kycCase.tags, [text.toLowerCase()]),
    shown === null ? undefined : sql`${SHOWN} like ${beginsWith(shown)}`,
  );
}

const caseOf = (tenant: string, kycUUID: string) => and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));

const isLike = (tenant: string, like: string) =>
  sql`${SHOWN} = (select ${SHOWN} from ${kycCase} where ${caseOf(tenant, like)})`;

export async function findLike(
  { tenant }: Actor<"kyc:read">,
  { query }: z.output<typeof LikeQuery>,
): Promise<{ kycUUID: string | null }> {
  const shown = shownOfDocument(query) ?? beginningShown(query);
  const isExact = sql`${SHOWN} = ${shown}`;
  const isPart =
    shownOfDocument(query) === null
      ? or(sql`${kycCase.kycUUID} like ${beginsWith(query)}`, sql`${SHOWN} like ${beginsWith(shown ?? query)}`)
      : undefined;
  const store = await db();
  const [row] = await store
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), or(isExact, isPart)))
    .orderBy(desc(isExact), desc(kycCase.seq))
    .limit(1);
  return { kycUUID: row?.kycUUID ?? null };
}

const soonEnd = (hours: Asker["dueSoonHours"]) => sql`now() + ${hours} * interval '1 hour'`;

function isOfView(view: KycView, { id, dueSoonHours }: Asker): SQL | undefined {
  if (view === "mine") return eq(kycCase.assigneeId, id);
  if (view === "unassigned") return isNull(kycCase.assigneeId);
  return view === "due" ? sql`${OPEN} and ${DUE} <= ${soonEnd(dueSoonHours)}` : undefined;
}

function isStanding(standing: KycStanding): SQL | undefined {
  if (standing === "all") return undefined;
  // A literal, not a parameter: the planner then knows how many rows to expect.
  return standing === "open" ? OPEN : sql.raw(`status = '${standing}'`);
}

function isDue(due: KycFilter["due"], { dueSoonHours }: Asker): SQL | undefined {
  if (due === undefined) return undefined;
  const end = soonEnd(dueSoonHours);
  const [tomorrow, afterTomorrow] = [startOfDayIn(1), startOfDayIn(2)];
  const spans = {
    late: sql`${DUE} < now()`,
    soon: sql`${DUE} >= now() and ${DUE} <= ${end}`,
    later: sql`${DUE} > ${end}`,
    today: sql`${DUE} >= now() and ${DUE} < ${tomorrow}`,
    tomorrow: sql`${DUE} >= ${tomorrow} and ${DUE} < ${afterTomorrow}`,
    "after-tomorrow": sql`${DUE} >= ${afterTomorrow} and ${DUE} < 'infinity'`,
  } as const satisfies Record<NonNullable<KycFilter["due"]>, SQL>;
  return sql`${OPEN} and ${spans[due]}`;
}

/** Only what waits for our people has a deadline. */
const isTimed = (status: KycStanding) => status === "open" || status === "PENDING" || status === "all";

/** The planner does not see by itself that these exclude each other. */
const matchesNothing = ({ status, view, due }: KycFilter) =>
  !isTimed(status) && (view === "due" || (due !== undefined && (due !== "later" || status !== "PROCESSING")));

export function matching(asker: Asker, filter: KycFilter): SQL | undefined {
  const { type, process, assignee, tags, age, sought, like, ids } = filter;
  if (matchesNothing(filter)) return sql`false`;
  return and(
    eq(kycCase.tenant, asker.tenant),
    isStanding(filter.status),
    isOfView(filter.view, asker),
    isDue(filter.due, asker),
    type === undefined ? undefined : eq(kycCase.kycType, type),
    process === undefined ? undefined : eq(kycCase.process, process),
    assignee === undefined ? undefined : eq(kycCase.assigneeId, assignee),
    tags === undefined ? undefined : arrayContains(kycCase.tags, tags),
    age === undefined ? undefined : sql`${kycCase.firstSeenAt} <= now() - ${Number(age)} * interval '1 day'`,
    sought === undefined ? undefined : matchesSearch(sought),
    like === undefined ? undefined : isLike(asker.tenant, like),
    ids === undefined ? undefined : inArray(kycCase.kycUUID, ids),
  );
}

const KEYS: Readonly<Record<Exclude<KycSort, "due">, SQL | null>> = {
  arrival: null,
  changed: sql.raw("changed_at"),
  waiting: WAITING,
};

function keyOf(filter: KycFilter): SQL | null {
  const sort = sortOf(filter);
  if (sort !== "due") return KEYS[sort];
  if (!isTimed(filter.status)) return null;
  const isOpen = filter.status !== "all" || filter.view === "due" || filter.due !== undefined;
  return isOpen ? DUE : CLOCK;
}

const NEVER = "none";

export function ordering(filter: KycFilter, isBackwards = false) {
  const key = keyOf(filter);
  const isDescending = (orderOf(filter) === "desc") !== isBackwards;
  const direction = sql.raw(isDescending ? "desc" : "asc");
  const sign = sql.raw(isDescending ? "<" : ">");
  const micros = sql`(extract(epoch from nullif(${key ?? sql`now()`}, 'infinity')) * 1000000)::bigint::text`;
  return {
    orderBy: key === null ? sql`${kycCase.seq} ${direction}` : sql`${key} ${direction}, ${kycCase.seq} ${direction}`,
    cursor:
      key === null
        ? sql<string>`'~' || ${kycCase.seq}`
        : sql<string>`coalesce(${micros}, ${sql.raw(`'${NEVER}'`)}) || '~' || ${kycCase.seq}`,
    afterCursor: (cursor: string): SQL | undefined => {
      const [at = "", seq = ""] = cursor.split("~");
      if (key === null) return sql`${kycCase.seq} ${sign} ${Number(seq)}`;
      if (at === "") return undefined;
      const instant =
        at === NEVER
          ? sql`'infinity'::timestamptz`
          : sql`'epoch'::timestamptz + ${at}::bigint * interval '1 microsecond'`;
      return sql`(${key}, ${kycCase.seq}) ${sign} (${instant}, ${Number(seq)})`;
    },
  };
}

type QueueCounts = {
  counts: Record<KycStanding, CaseCount>;
  views: Record<KycView, CaseCount>;
  readAt: Date;
  dueSoonHours: number;
  absence: Absence;
};

const PARTS = ["open", "PENDING", "PROCESSING", "APPROVED", "REPROVED"] as const satisfies KycStanding[];
const EVERYTHING = KycFilter.parse({});

/** Filters that the kept counts do not distinguish. */
const isUncounted = ({ view, tags, due, age, sought, like, ids }: KycFilter) =>
  view === "due" || [tags, due, age, sought, like, ids].some((part) => part !== undefined);

// Named like the cases, so that one condition chooses both.
const countFromTotals = (fits: SQL | undefined) =>
  sql`(select coalesce(sum(cases), 0)::int from ${kycCaseCount} as ${kycCase} where ${fits})`;

const FAR_ENOUGH = sql.raw(`limit ${MAX_COUNTED + 1}`);

export type DeadlineCounts = Record<Deadline, number>;

export async function countDeadlines(store: Db, asker: Asker): Promise<DeadlineCounts> {
  const counts = DEADLINES.map((due) => {
    const fits = matching(asker, { ...EVERYTHING, due });
    return sql`${due}::text, (select count(*)::int from ${kycCase} where ${fits})`;
  });
  const { rows } = z
    .object({ rows: z.tuple([z.object({ counts: z.record(z.enum(DEADLINES), z.int()) })]) })
    .parse(await store.execute(sql`select json_build_object(${sql.join(counts, sql`, `)}) as counts`));
  return rows[0].counts;
}

/** In index order, so that matching rows come first. */
function countByScan(fits: SQL | undefined, { view, status, due }: KycFilter): SQL {
  const { orderBy } = ordering({
    ...EVERYTHING,
    status,
    sort: view === "due" || due !== undefined ? "due" : "arrival",
    order: "asc",
  });
  return sql`(select count(*)::int from (select from ${kycCase} where ${fits} order by ${orderBy} ${FAR_ENOUGH}) found)`;
}

function numbersOf(asker: Asker, filters: readonly KycFilter[]): SQL {
  const numbers = filters.map((filter) =>
    (isUncounted(filter) ? countByScan : countFromTotals)(matching(asker, filter), filter),
  );
  return sql`json_build_array(${sql.join(numbers, sql`, `)})`;
}

function countOf(filter: KycFilter, found = 0): CaseCount {
  const isExact = !isUncounted(filter) || found <= MAX_COUNTED;
  return { cases: isExact ? found : MAX_COUNTED, isExact };
}

const inAll = (parts: readonly CaseCount[]): CaseCount => ({
  cases: parts.reduce((sum, { cases }) => sum + cases, 0),
  isExact: parts.every(({ isExact }) => isExact),
});

const Row = z.object({
  readAt: z.coerce.date(),
  dueSoonHours: z.coerce.number(),
  absence: ReadAbsence,
  views: z.array(z.int()),
  parts: z.array(z.int()),
});

/** Costs the same for any number of cases: a sum of kept counts, or a walk that stops at `MAX_COUNTED`. */
export async function countCases(store: Db, asker: Asker, filter: KycFilter): Promise<QueueCounts> {
  const byView = KYC_VIEWS.map((view) => ({ ...EVERYTHING, view }));
  const byPart = PARTS.map((status) => ({ ...filter, status }));
  const { rows } = z.object({ rows: z.tuple([Row]) }).parse(
    await store.execute(sql`select clock_timestamp() as "readAt", ${asker.dueSoonHours} as "dueSoonHours",
      ${absenceOf(asker)} as absence, ${numbersOf(asker, byView)} as views, ${numbersOf(asker, byPart)} as parts`),
  );
  const [found] = rows;
  const view = (name: KycView) => countOf({ ...EVERYTHING, view: name }, found.views[KYC_VIEWS.indexOf(name)]);
  const part = (status: (typeof PARTS)[number]) => countOf({ ...filter, status }, found.parts[PARTS.indexOf(status)]);
  const [open, approved, reproved] = [part("open"), part("APPROVED"), part("REPROVED")];
  return {
    readAt: found.readAt,
    dueSoonHours: found.dueSoonHours,
    absence: found.absence,
    views: { mine: view("mine"), unassigned: view("unassigned"), due: view("due"), all: view("all") },
    counts: {
      open,
      PENDING: part("PENDING"),
      PROCESSING: part("PROCESSING"),
      APPROVED: approved,
      REPROVED: reproved,
      all: inAll([open, approved, reproved]),
    },
  };
}

export async function readSoFar(store: Db, tenant: string): Promise<number | null> {
  if (await isListWhole(tenant)) return null;
  const ofTenant = sql`${kycCaseCount.tenant} = ${tenant}`;
  const [row] = await store
    .select({ cases: sql<number>`coalesce(sum(cases), 0)`.mapWith(Number) })
    .from(kycCaseCount)
    .where(ofTenant);
  return row?.cases ?? 0;
}

export async function countWaiting({ tenant }: Actor<"kyc:read">): Promise<Waiting> {
  const store = await db();
  const waits = and(eq(kycCaseCount.tenant, tenant), eq(kycCaseCount.status, "PENDING"));
  const cases = sql<number>`coalesce(sum(cases), 0)`.mapWith(Number);
  const [[row], { asOf }, soFar] = await Promise.all([
    store.select({ cases }).from(kycCaseCount).where(waits),
    freshness(tenant, "kyc"),
    readSoFar(store, tenant),
  ]);
  return { count: row?.cases ?? 0, asOf, readSoFar: soFar };
}

/** Up to so many rows, folding brings nothing. */
const UNFOLDED_MAX = 500;

/** One row per kind of case. Readers see all of it or nothing; writers do not wait. */
export async function foldCounts(store: Db, tenant: string): Promise<void> {
  const own = sql`tenant = ${tenant}`;
  await store.execute(sql`
    with folded as (
      delete from ${kycCaseCount} where ${own}
        and (select count(*) from ${kycCaseCount} where ${own}) > ${UNFOLDED_MAX}
            + (select count(*) from (select distinct status, kyc_type, process, assignee_id from ${kycCaseCount} where ${own}) kinds)
      returning status, kyc_type, process, assignee_id, cases
    )
    insert into ${kycCaseCount} (tenant, status, kyc_type, process, assignee_id, cases)
    select ${tenant}, status, kyc_type, process, assignee_id, sum(cases) from folded
    group by status, kyc_type, process, assignee_id having sum(cases) <> 0`);
}

export type KycRow = {
  kycUUID: string;
  /** As the provider masks it. */
  vatNumber: string;
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
};

type StoredCase = typeof kycCase.$inferSelect;

const iso = (at: Date | null) => at?.toISOString() ?? null;

export const shownNumber = ({ vatNumber }: Pick<StoredCase, "vatNumber">): string =>
  providerText(maskWithin(vatNumber));

async function readShown(store: Db, tenant: string, kycUUID: string): Promise<string | null> {
  const named = { vatNumber: kycCase.vatNumber };
  const [row] = await store.select(named).from(kycCase).where(caseOf(tenant, kycUUID));
  return row === undefined ? null : shownNumber(row);
}

const rowOf = ({ row, context }: SelectedCaseRow): KycRow => ({
  kycUUID: row.kycUUID,
  vatNumber: shownNumber(row),
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
  needsSecond: context.needsSecond,
});

type CaseId = { tenant: string; kycUUID: string };

export async function findCase(
  store: Db,
  { tenant, kycUUID }: CaseId,
): Promise<{ stored: StoredCase; row: KycRow } | null> {
  const where = caseOf(tenant, kycUUID);
  const alone = { orderBy: sql`${kycCase.seq}`, cursor: sql<string>`''`, limit: 1 };
  const [found] = await selectCaseRows(store, tenant, { where, ...alone });
  return found === undefined ? null : { stored: found.row, row: rowOf(found) };
}

export type KycQueue = Pick<Page<KycRow>, "rows" | "asOf" | "isStale" | "failure"> &
  Pick<QueueCounts, "counts" | "views" | "dueSoonHours"> & {
    total: CaseCount;
    likeShown: string | null;
    readSoFar: number | null;
    previous: string | null;
    next: string | null;
    readAt: string;
  };

export async function askerOf(store: Db | Tx, { tenant, id }: Pick<Actor, "tenant" | "id">): Promise<Asker> {
  const { rules } = await caseRulesOf(store, tenant);
  return { tenant, id, dueSoonHours: rules.dueSoonHours };
}

type RowsRequest = { store: Db; tenant: string; where: SQL | undefined };

async function readRows({ store, tenant, where }: RowsRequest, filter: KycFilter): Promise<SelectedCaseRow[]> {
  const isBackwards = filter.before !== undefined;
  const { orderBy, cursor, afterCursor } = ordering(filter, isBackwards);
  const from = filter.before ?? filter.after;
  const further = and(where, from === undefined ? undefined : afterCursor(from));
  return selectCaseRows(store, tenant, { where: further, orderBy, cursor, limit: PAGE_SIZE + 1 });
}

type PageOfCases = { rows: KycRow[]; previous: string | null; next: string | null };

/** Keyset paging: the last page costs what the first one does. */
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
  const [first, last] = [inOrder[0]?.cursor ?? null, inOrder.at(-1)?.cursor ?? null];
  return {
    rows: inOrder.map(rowOf),
    previous: (isBackwards ? hasMore : isFurtherOn) ? first : null,
    next: isBackwards || hasMore ? last : null,
  };
}

export async function readQueue(
  actor: Actor<"kyc:read">,
  given: Partial<KycFilter> = {},
): Promise<KycQueue & { absence: Absence }> {
  const filter = KycFilter.parse(given);
  const { tenant, id } = actor;
  const store = await db();
  // Where the page depends on what is due soon, its plan needs the number.
  const isByDue = filter.view === "due" || filter.due !== undefined;
  const asker = isByDue ? await askerOf(store, actor) : { tenant, id, dueSoonHours: dueSoonHoursOf(tenant) };
  const [{ readAt, ...counted }, page, likeShown, soFar, fresh] = await Promise.all([
    countCases(store, asker, filter),
    readPage({ store, tenant, where: matching(asker, filter) }, filter),
    filter.like === undefined ? null : readShown(store, tenant, filter.like),
    readSoFar(store, tenant),
    freshness(tenant, "kyc"),
  ]);
  return {
    ...page,
    ...counted,
    total: counted.counts[filter.status],
    likeShown,
    readSoFar: soFar,
    readAt: readAt.toISOString(),
    ...fresh,
  };
}

type Neighbours = { previous: string | null; next: string | null };

/** Works also when the case no longer fits the filter. */
export async function readNeighbours(
  actor: Actor<"kyc:read">,
  kycUUID: string,
  given: Partial<KycFilter>,
): Promise<Neighbours> {
  const filter = KycFilter.parse(given);
  const store = await db();
  const fits = matching(await askerOf(store, actor), filter);
  const own = caseOf(actor.tenant, kycUUID);
  const [from] = await store
    .select({ cursor: ordering(filter).cursor })
    .from(kycCase)
    .where(own);
  if (from === undefined) return { previous: null, next: null };
  const beside = async (isBackwards: boolean) => {
    const { orderBy, afterCursor } = ordering(filter, isBackwards);
    const [row] = await store
      .select({ kycUUID: kycCase.kycUUID })
      .from(kycCase)
      .where(and(fits, afterCursor(from.cursor)))
      .orderBy(orderBy)
      .limit(1);
    return row?.kycUUID ?? null;
  };
  const [previous, next] = await Promise.all([beside(true), beside(false)]);
  return { previous, next };
}
