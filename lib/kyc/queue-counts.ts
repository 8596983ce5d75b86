import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type CaseCount, KYC_VIEWS, type KycStanding, type KycView, MOST_COUNTED } from "@/lib/kyc-view";
import { kycCase } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { type Asker, matching, ordering } from "./queue-filter";
import { KycFilter } from "./rules";
import { kycCaseCount } from "./schema";
import { isListWhole } from "./sweep";

export type QueueCounts = {
  /** The cases of each status under the rest of the filter. */
  counts: Record<KycStanding, CaseCount>;
  /** The open cases of each view, whatever the rest of the filter. */
  views: Record<KycView, CaseCount>;
  /** When they were counted, by the store's clock. */
  readAt: Date;
};

const PARTS = ["open", "PENDING", "PROCESSING", "APPROVED", "REPROVED"] as const satisfies KycStanding[];
const EVERYTHING = KycFilter.parse({});

/** Whether the kept counts do not tell these cases from others: then they are counted one by one. */
const isUnkept = ({ view, tags, due, age, sought, ids }: KycFilter) =>
  view === "due" || [tags, due, age, sought, ids].some((part) => part !== undefined);

// By the name of the cases, whose columns the kept counts have: what chooses cases chooses their counts.
const summed = (fits: SQL | undefined) =>
  sql`(select coalesce(sum(cases), 0)::int from ${kycCaseCount} as ${kycCase} where ${fits})`;

const FAR_ENOUGH = sql.raw(`limit ${MOST_COUNTED + 1}`);

/** In the order in which those that fit come first: by the deadline what is due, from the oldest on what is old. */
function walked(fits: SQL | undefined, { view, status, due }: KycFilter): SQL {
  const { by } = ordering({
    ...EVERYTHING,
    status,
    sort: view === "due" || due !== undefined ? "due" : "arrival",
    order: "asc",
  });
  return sql`(select count(*)::int from (select from ${kycCase} where ${fits} order by ${by} ${FAR_ENOUGH}) found)`;
}

/** A list of numbers, one for each of the filters. */
function numbersOf(asker: Asker, filters: readonly KycFilter[]): SQL {
  const numbers = filters.map((filter) => (isUnkept(filter) ? walked : summed)(matching(asker, filter), filter));
  return sql`json_build_array(${sql.join(numbers, sql`, `)})`;
}

function countOf(filter: KycFilter, found = 0): CaseCount {
  const isExact = !isUnkept(filter) || found <= MOST_COUNTED;
  return { cases: isExact ? found : MOST_COUNTED, isExact };
}

const inAll = (parts: readonly CaseCount[]): CaseCount => ({
  cases: parts.reduce((sum, { cases }) => sum + cases, 0),
  isExact: parts.every(({ isExact }) => isExact),
});

const Row = z.object({ readAt: z.coerce.date(), views: z.array(z.int()), parts: z.array(z.int()) });

/** Costs as much whatever the number of cases: a sum over what is kept, or a walk that ends at `MOST_COUNTED`. */
export async function countCases(store: Db, asker: Asker, filter: KycFilter): Promise<QueueCounts> {
  const byView = KYC_VIEWS.map((view) => ({ ...EVERYTHING, view }));
  const byPart = PARTS.map((status) => ({ ...filter, status }));
  const { rows } = z.object({ rows: z.tuple([Row]) }).parse(
    await store.execute(sql`select clock_timestamp() as "readAt",
      ${numbersOf(asker, byView)} as views, ${numbersOf(asker, byPart)} as parts`),
  );
  const [found] = rows;
  const view = (name: KycView) => countOf({ ...EVERYTHING, view: name }, found.views[KYC_VIEWS.indexOf(name)]);
  const part = (status: (typeof PARTS)[number]) => countOf({ ...filter, status }, found.parts[PARTS.indexOf(status)]);
  const [open, approved, reproved] = [part("open"), part("APPROVED"), part("REPROVED")];
  return {
    readAt: found.readAt,
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

/** How many cases were read while the provider's list is not known to be whole; null: it is. */
export async function readSoFar(store: Db, tenant: string): Promise<number | null> {
  if (await isListWhole(store, tenant)) return null;
  const ofTenant = sql`${kycCaseCount.tenant} = ${tenant}`;
  const [row] = await store
    .select({ cases: sql<number>`coalesce(sum(cases), 0)`.mapWith(Number) })
    .from(kycCaseCount)
    .where(ofTenant);
  return row?.cases ?? 0;
}

/** So many rows of kept counts are summed as fast as none. */
const UNFOLDED_MOST = 500;

/** Folds what changed since into one row for each kind of case. Readers see all of it or nothing; writers do not wait. */
export async function foldCounts(store: Db, tenant: string): Promise<void> {
  const own = sql`tenant = ${tenant}`;
  await store.execute(sql`
    with folded as (
      delete from ${kycCaseCount} where ${own}
        and (select count(*) from ${kycCaseCount} where ${own}) > ${UNFOLDED_MOST}
            + (select count(*) from (select distinct status, kyc_type, process, assignee_id from ${kycCaseCount} where ${own}) kinds)
      returning status, kyc_type, process, assignee_id, cases
    )
    insert into ${kycCaseCount} (tenant, status, kyc_type, process, assignee_id, cases)
    select ${tenant}, status, kyc_type, process, assignee_id, sum(cases) from folded
    group by status, kyc_type, process, assignee_id having sum(cases) <> 0`);
}
