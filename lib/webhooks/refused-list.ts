import { and, asc, desc, eq, gt, lt, or, type SQL } from "drizzle-orm";
import { within } from "@/lib/db/clock";
import { db } from "@/lib/db/connection";
import { webhookEvent, webhookRefusal } from "@/lib/db/tables/webhooks";
import { PAGE_SIZE } from "@/lib/text/page";
import { minutesOf } from "@/lib/text/period";
import type { RefusedFilter } from "./inputs";
import { refusals, type SeenRefusal } from "./refusals";
import type { RefusedRow } from "./view";

/** `count`: of all that are listed; the others of a flood were only counted. */
export type RefusedList = {
  rows: RefusedRow[];
  older: string | null;
  newer: string | null;
  count: number;
  asOf: string;
  isStale: false;
  failure: null;
};

const SHOWN = {
  id: webhookRefusal.id,
  at: webhookRefusal.at,
  why: webhookRefusal.why,
  form: webhookRefusal.form,
  event: webhookRefusal.event,
  eventId: webhookRefusal.eventId,
  headers: webhookRefusal.headers,
  sizeBytes: webhookRefusal.sizeBytes,
  fingerprint: webhookRefusal.fingerprint,
  acceptedAs: webhookEvent.id,
  seq: webhookRefusal.seq,
};

const isSameEvent = and(
  eq(webhookEvent.tenant, webhookRefusal.tenant),
  eq(webhookEvent.eventId, webhookRefusal.eventId),
);

function matching(tenant: string, filter: RefusedFilter): SQL | undefined {
  const { why, search } = filter;
  const { eventId, event, fingerprint, at } = webhookRefusal;
  return and(
    eq(webhookRefusal.tenant, tenant),
    why && eq(webhookRefusal.why, why),
    search === undefined ? undefined : or(eq(eventId, search), eq(event, search), eq(fingerprint, search)),
    within(at, minutesOf(filter)),
  );
}

type Stored = Omit<RefusedRow, "at"> & { at: Date; seq: number };

function toRow({ at, ...stored }: Stored): RefusedRow {
  const { seq: _, ...row } = stored;
  return { ...row, at: at.toISOString() };
}

/** All that fit, newest first: a few hundred. */
export async function readAllRefused(tenant: string, filter: RefusedFilter): Promise<RefusedRow[]> {
  const stored = await (
    await db()
  )
    .select(SHOWN)
    .from(webhookRefusal)
    .leftJoin(webhookEvent, isSameEvent)
    .where(matching(tenant, filter))
    .orderBy(desc(webhookRefusal.seq));
  return [...unstored(tenant, filter), ...stored.map(toRow)];
}

/** This process's own of the last minute, which the store does not have yet. */
function unstored(tenant: string, filter: RefusedFilter): RefusedRow[] {
  const { why, search, from, to, period } = filter;
  if (from !== undefined || to !== undefined || (period !== undefined && period !== "1")) return [];
  const fits = (one: SeenRefusal) =>
    (why === undefined || one.why === why) &&
    (search === undefined || [one.eventId, one.event, one.fingerprint].includes(search));
  const seen = refusals().gatheredOf(tenant)?.seen ?? [];
  return seen
    .filter(fits)
    .map((one) => ({ ...one, acceptedAs: null }))
    .toReversed();
}

export async function readRefused(tenant: string, filter: RefusedFilter): Promise<RefusedList> {
  const store = await db();
  const asOf = new Date().toISOString();
  const { before, after } = filter;
  const fits = matching(tenant, filter);
  const isUpwards = after !== undefined;
  const older = before === undefined ? undefined : lt(webhookRefusal.seq, Number(before));
  const found = await store
    .select(SHOWN)
    .from(webhookRefusal)
    .leftJoin(webhookEvent, isSameEvent)
    .where(and(fits, isUpwards ? gt(webhookRefusal.seq, Number(after)) : older))
    .orderBy((isUpwards ? asc : desc)(webhookRefusal.seq))
    .limit(PAGE_SIZE + 1);
  const hasMore = found.length > PAGE_SIZE;
  // Less than a page is left above: show the newest page whole.
  if (isUpwards && !hasMore) return readRefused(tenant, { ...filter, after: undefined });
  const page = found.slice(0, PAGE_SIZE);
  const stored = isUpwards ? page.toReversed() : page;
  const fresh = unstored(tenant, filter);
  const isNewest = before === undefined && !isUpwards;
  const rows = stored.map(toRow);
  const last = stored.at(-1)?.seq ?? null;
  return {
    rows: isNewest ? [...fresh, ...rows] : rows,
    older: (isUpwards || hasMore) && last !== null ? String(last) : null,
    newer: isNewest ? null : String(stored[0]?.seq ?? 0),
    count: (await store.$count(webhookRefusal, fits)) + fresh.length,
    asOf,
    isStale: false,
    failure: null,
  };
}
