import { and, type SQL } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import type { CaseCount } from "@/lib/kyc-view";
import { type Page, PAGE_SIZE } from "@/lib/page";
import { kycCase } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { freshness } from "@/lib/watch";
import { caseRulesOf } from "./case-rules";
import { countCases, type QueueCounts, readSoFar } from "./queue-counts";
import { type Asker, matching, ordering } from "./queue-filter";
import { caseRows, type KycRow } from "./queue-rows";
import { KycFilter } from "./rules";

/** A page of the queue. */
export type KycQueue = Pick<Page<KycRow>, "rows" | "asOf" | "isStale" | "failure"> &
  Pick<QueueCounts, "counts" | "views"> & {
    total: CaseCount;
    /** Cases read so far while the provider's list is not known to be whole; null: it is. */
    readSoFar: number | null;
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
    readSoFar: await readSoFar(store, actor.tenant),
    counts,
    views,
    previous,
    next,
    readAt: readAt.toISOString(),
    dueSoonHours: asker.dueSoonHours,
    ...(await freshness(actor.tenant, "kyc")),
  };
}
