import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { kycAway, kycCase, kycCaseCount } from "@/lib/db/tables/kyc";
import { type Db, db } from "@/lib/db/connection";
import { freshness, watchStanding } from "@/lib/db/watch-state";
import type { Fresh, Waiting } from "@/lib/text/page";
import { KycFilter } from "./inputs";
import { type Asker, matching, ordering } from "./queue-filter";
import {
  type CaseCount,
  type Deadline,
  DEADLINES,
  KYC_VIEWS,
  type KycStanding,
  type KycView,
  MAX_COUNTED,
} from "./view";

export type Absence = { until: string | null; openCases: number };

export function absenceOf({ tenant, id }: { tenant: string; id: string }): SQL {
  const isAway = and(eq(kycAway.tenant, tenant), eq(kycAway.staffId, id), gt(kycAway.until, sql`clock_timestamp()`));
  const isOwn = and(eq(kycCase.tenant, tenant), eq(kycCase.assigneeId, id), isNull(kycCase.decidedAt));
  return sql`json_build_object('until', (select ${kycAway.until} from ${kycAway} where ${isAway}),
    'openCases', (select count(*) from ${kycCase} where ${isOwn}))`;
}

const Instant = z.coerce.date().transform((at) => at.toISOString());

export const ReadAbsence = z.object({ until: Instant.nullable(), openCases: z.int() });

export async function readAbsence(actor: Actor<"kyc:assign">): Promise<Absence> {
  const found = await (await db()).execute(sql`select ${absenceOf(actor)} as absence`);
  return z.object({ rows: z.tuple([z.object({ absence: ReadAbsence })]) }).parse(found).rows[0].absence;
}

export type QueueCounts = {
  counts: Record<KycStanding, CaseCount>;
  views: Record<KycView, CaseCount>;
  readAt: Date;
  dueSoonHours: number;
  absence: Absence;
};

const PARTS = ["open", "PENDING", "PROCESSING", "APPROVED", "REPROVED"] as const satisfies KycStanding[];
const EVERYTHING = KycFilter.parse({});

/** Filters that the stored counts do not distinguish. */
const isUncounted = ({ view, tags, due, age, search, sameDocumentAs, sameMaskAs, ids }: KycFilter) =>
  view === "due" ||
  view === "escalated" ||
  [tags, due, age, search, sameDocumentAs, sameMaskAs, ids].some((part) => part !== undefined);

// The counts have the cases' column names, so that one condition fits both.
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

/** Costs the same for any number of cases: a sum of stored counts, or a scan that stops at `MAX_COUNTED`. */
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
  const open = part("open");
  const approved = part("APPROVED");
  const reproved = part("REPROVED");
  return {
    readAt: found.readAt,
    dueSoonHours: found.dueSoonHours,
    absence: found.absence,
    views: {
      mine: view("mine"),
      unassigned: view("unassigned"),
      due: view("due"),
      all: view("all"),
      "put-off": view("put-off"),
      escalated: view("escalated"),
    },
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

const ReadWhole = z.object({ wholeSince: z.iso.datetime() });

/** When the last pass began that read every case; null before the first one. */
async function readWholeSince(tenant: string): Promise<string | null> {
  const { data } = ReadWhole.safeParse((await watchStanding(tenant, "kyc")).memory);
  return data?.wholeSince ?? null;
}

export const isListWhole = async (tenant: string): Promise<boolean> => (await readWholeSince(tenant)) !== null;

/** As old as the case that was read longest ago: a sweep reads the newest, and of the others a few. */
export async function caseFreshness(tenant: string): Promise<Fresh> {
  const fresh: Fresh = { ...(await freshness(tenant, "kyc")), isOldest: true };
  const wholeSince = await readWholeSince(tenant);
  return wholeSince === null || fresh.asOf === null || fresh.asOf < wholeSince ? fresh : { ...fresh, asOf: wholeSince };
}

async function sumCounts(store: Db, fits: SQL | undefined): Promise<number> {
  const cases = sql<number>`coalesce(sum(cases), 0)`.mapWith(Number);
  const [row] = await store.select({ cases }).from(kycCaseCount).where(fits);
  return row?.cases ?? 0;
}

export const readSoFar = async (store: Db, tenant: string): Promise<number | null> =>
  (await isListWhole(tenant)) ? null : sumCounts(store, eq(kycCaseCount.tenant, tenant));

export async function countCasesWaiting({ tenant }: Actor<"kyc:read">): Promise<Waiting> {
  const store = await db();
  const [count, { asOf }, soFar] = await Promise.all([
    sumCounts(
      store,
      and(eq(kycCaseCount.tenant, tenant), eq(kycCaseCount.status, "PENDING"), eq(kycCaseCount.isPutOff, false)),
    ),
    caseFreshness(tenant),
    readSoFar(store, tenant),
  ]);
  return { count, asOf, readSoFar: soFar };
}

/** Up to this many rows, merging gains nothing. */
const UNFOLDED_MAX = 500;

/** One row per kind of case. Readers see all of it or nothing; writers do not wait. */
export async function foldCounts(store: Db, tenant: string): Promise<void> {
  const own = sql`tenant = ${tenant}`;
  await store.execute(sql`
    with folded as (
      delete from ${kycCaseCount} where ${own}
        and (select count(*) from ${kycCaseCount} where ${own}) > ${UNFOLDED_MAX}
            + (select count(*) from (select distinct status, kyc_type, process, assignee_id, is_put_off from ${kycCaseCount} where ${own}) kinds)
      returning status, kyc_type, process, assignee_id, is_put_off, cases
    )
    insert into ${kycCaseCount} (tenant, status, kyc_type, process, assignee_id, is_put_off, cases)
    select ${tenant}, status, kyc_type, process, assignee_id, is_put_off, sum(cases) from folded
    group by status, kyc_type, process, assignee_id, is_put_off having sum(cases) <> 0`);
}
