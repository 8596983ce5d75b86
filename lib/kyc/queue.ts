import { and, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { KYC_STANDINGS, KYC_VIEWS, type KycStanding, type KycView, MOST_COUNTED } from "@/lib/kyc-view";
import { type Page, PAGE_SIZE } from "@/lib/page";
import { kycCase } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { freshness } from "@/lib/watch";
import { caseRulesOf } from "./case-rules";
import { type Asker, matching, ordering } from "./queue-filter";
import { caseRows, type KycRow } from "./queue-rows";
import { KycFilter } from "./rules";

/** A page of the queue. Numbers of cases go up to `MOST_COUNTED`, which is that many or more. */
export type KycQueue = Pick<Page<KycRow>, "rows" | "total" | "asOf" | "isStale"> & {
  /** The cases of each status under the rest of the filter. */
  counts: Record<KycStanding, number>;
  /** The open cases of each view, whatever the rest of the filter. */
  views: Record<KycView, number>;
  /** Edges of the pages beside this one, for `before` and `after`; null: there is none. */
  previous: string | null;
  next: string | null;
  /** When it was read, by the store's clock (ISO). */
  readAt: string;
  dueSoonHours: number;
};

/** Who asks for cases, with the rules of the tenant's desk. */
export async function askerOf(store: Db | Tx, { tenant, id }: Pick<Actor, "tenant" | "id">): Promise<Asker> {
  const { rules } = await caseRulesOf(store, tenant);
  return { tenant, id, dueSoonHours: rules.dueSoonHours };
}

const bounded = (where: SQL | undefined) =>
  sql`(select count(*)::int from (select 1 from ${kycCase} where ${where} limit ${sql.raw(String(MOST_COUNTED))}) c)`;

const Count = z.number();
const Counted = z.object({
  readAt: z.coerce.date(),
  views: z.object({ mine: Count, unassigned: Count, due: Count, all: Count }),
  counts: z.object({
    open: Count,
    PENDING: Count,
    PROCESSING: Count,
    APPROVED: Count,
    REPROVED: Count,
  }),
});

/** An object of counts, each under its name. */
function countedBy(counts: readonly (readonly [name: string, where: SQL | undefined])[]): SQL {
  const pairs = counts.map(([name, where]) => sql`${sql.raw(`'${name}'`)}, ${bounded(where)}`);
  return sql`json_build_object(${sql.join(pairs, sql`, `)})`;
}

const EVERYTHING = KycFilter.parse({});

async function countCases(store: Db, asker: Asker, filter: KycFilter) {
  const views = KYC_VIEWS.map((view) => [view, matching(asker, { ...EVERYTHING, view })] as const);
  const single = KYC_STANDINGS.filter((status) => status !== "all");
  const counts = single.map((status) => [status, matching(asker, { ...filter, status })] as const);
  const { rows } = z.object({ rows: z.array(Counted) }).parse(
    await store.execute(sql`select clock_timestamp() as "readAt",
      ${countedBy(views)} as views, ${countedBy(counts)} as counts`),
  );
  const [found] = rows;
  if (found === undefined) throw new Error("the cases were not counted");
  const { open, APPROVED, REPROVED } = found.counts;
  return { ...found, counts: { ...found.counts, all: Math.min(open + APPROVED + REPROVED, MOST_COUNTED) } };
}

type Found = { row: typeof kycCase.$inferSelect; edge: string };

async function readRows(store: Db, where: SQL | undefined, filter: KycFilter): Promise<Found[]> {
  const isBackwards = filter.before !== undefined;
  const { by, edge, beyond } = ordering(filter, isBackwards);
  const from = filter.before ?? filter.after;
  return store
    .select({ row: kycCase, edge })
    .from(kycCase)
    .where(and(where, from === undefined ? undefined : beyond(from)))
    .orderBy(by)
    .limit(PAGE_SIZE + 1);
}

type PageOfCases = { rows: Found["row"][]; previous: string | null; next: string | null };

/** One page by the rows at its edges, so that the last one of a hundred thousand costs what the first one does. */
async function readPage(store: Db, where: SQL | undefined, filter: KycFilter): Promise<PageOfCases> {
  const found = await readRows(store, where, filter);
  const hasMore = found.length > PAGE_SIZE;
  const isBackwards = filter.before !== undefined;
  const isFurtherOn = isBackwards || filter.after !== undefined;
  // What lay there has gone elsewhere, or the way back has come to the beginning.
  if (isFurtherOn && (found.length === 0 || (isBackwards && !hasMore))) {
    return readPage(store, where, { ...filter, before: undefined, after: undefined });
  }
  const shown = found.slice(0, PAGE_SIZE);
  const inOrder = isBackwards ? shown.toReversed() : shown;
  const [first, last] = [inOrder[0]?.edge ?? null, inOrder.at(-1)?.edge ?? null];
  return {
    rows: inOrder.map(({ row }) => row),
    previous: (isBackwards ? hasMore : isFurtherOn) ? first : null,
    next: isBackwards || hasMore ? last : null,
  };
}

export async function readQueue(actor: Actor<"kyc:read">, given: Partial<KycFilter> = {}): Promise<KycQueue> {
  const filter = KycFilter.parse(given);
  const store = await db();
  const asker = await askerOf(store, actor);
  const { readAt, views, counts } = await countCases(store, asker, filter);
  const { rows, previous, next } = await readPage(store, matching(asker, filter), filter);
  return {
    rows: await caseRows(store, actor.tenant, rows),
    total: counts[filter.status],
    counts,
    views,
    previous,
    next,
    readAt: readAt.toISOString(),
    dueSoonHours: asker.dueSoonHours,
    ...(await freshness(actor.tenant, "kyc")),
  };
}
