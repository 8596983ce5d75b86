import { spanStart, startOfSpan, within } from "@/lib/db/clock";
import { watchId } from "@/lib/permission/watches";
import { and, asc, count, desc, eq, gt, lt, or, type SQL, sql } from "drizzle-orm";
import { parseJson } from "@/lib/contract/json";
import { hrefWith, PAGE_SIZE } from "@/lib/text/page";
import { minutesOf } from "@/lib/text/period";
import { type Download, query } from "@/lib/query";
import { record } from "@/lib/audit/record";
import { type CsvColumn, csvName, csvTable } from "@/lib/text/csv";
import { formatDate, formatMoment, type Locale } from "@/lib/text/format";
import { namingHidden } from "@/lib/text/safe-link";
import { getLocale, getTranslations } from "next-intl/server";
import { showBody, type ShownBody } from "@/lib/text/shown-body";
import { auditEvent } from "@/lib/db/tables/audit";
import { shownSealed } from "@/lib/db/seal";
import { isUnopened, providerText } from "@/lib/text/provider-word";
import { type Db, db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { readArrivals } from "./arrivals";
import { MissingFilter, ReceivedFilter } from "./inputs";
import { readMissing } from "./missing";
import type { Arrivals, MissingList } from "./missing-view";
import { ownAddressOf } from "./own-address";
import { readSubscriptions, type SubscriptionRow } from "./subscriptions";
import { refusals } from "./refusals";
import { type ReceivedView, type Refusal, REFUSALS } from "./view";
import { webhookEvent } from "@/lib/db/tables/webhooks";

export type { ShownBody, SubscriptionRow };
export { ownAddressOf };

export type SubscriptionList = {
  rows: SubscriptionRow[];
  unread: ShownBody[];
  ownAddress: string;
  asOf: string;
};

/** Read now, as they are registered with the provider, not here. */
export const listSubscriptions = query("webhooks:read", async (actor): Promise<SubscriptionList> => {
  const { rows, unread, asOf } = await readSubscriptions(actor);
  const shown = unread.map((entry) => showBody(entry));
  return { rows, unread: shown, ownAddress: ownAddressOf(actor.tenant).href, asOf: asOf.toISOString() };
});

/** Changes that were read from the interface and whose event did not come, came late, or is still awaited. */
export const listMissing = query(
  "webhooks:read",
  async ({ tenant }, given: Partial<MissingFilter> = {}): Promise<MissingList> =>
    readMissing(await db(), tenant, MissingFilter.parse(given)),
);

/** What arrives, type by type, beside what is subscribed. */
export const listArrivals = query("webhooks:read", async ({ tenant }): Promise<Arrivals> =>
  readArrivals(await db(), tenant),
);

const SHOWN = {
  id: webhookEvent.id,
  seq: webhookEvent.seq,
  event: webhookEvent.event,
  eventId: webhookEvent.eventId,
  sizeBytes: webhookEvent.sizeBytes,
  isByPreviousSecret: webhookEvent.isByPreviousSecret,
  receivedAt: webhookEvent.receivedAt,
  lastAt: webhookEvent.lastAt,
  arrivals: webhookEvent.arrivals,
  otherIds: webhookEvent.otherIds,
  otherBodies: webhookEvent.otherBodies,
  state: webhookEvent.state,
  wakes: webhookEvent.wakes,
  object: webhookEvent.object,
  doneAt: webhookEvent.doneAt,
  failure: webhookEvent.failure,
};

type StoredEvent = Pick<typeof webhookEvent.$inferSelect, keyof typeof SHOWN>;
type Times = "receivedAt" | "lastAt" | "doneAt";

export type ReceivedRow = Omit<StoredEvent, Times> & { receivedAt: string; lastAt: string; doneAt: string | null };

/** Refusals of the last day by cause; `lastAt` null: none. */
export type RecentlyRefused = Record<Refusal, number> & { count: number; lastAt: string | null };

export type ReceivedList = {
  rows: ReceivedRow[];
  older: string | null;
  newer: string | null;
  counts: Record<ReceivedView, number>;
  refused: RecentlyRefused;
  asOf: string;
  isStale: false;
  failure: null;
};

// `clock_timestamp` would use no index.
const aDayAgo = sql`statement_timestamp() - interval '1 day'`;

const isWaiting = eq(webhookEvent.state, "WAITING");
const needsAttention = or(
  eq(webhookEvent.state, "GIVEN_UP"),
  eq(webhookEvent.state, "FOREIGN"),
  gt(webhookEvent.otherBodies, 0),
);

const VIEWS: Record<ReceivedFilter["view"], SQL | undefined> = {
  all: undefined,
  waiting: isWaiting,
  "needs-attention": needsAttention,
};

function matching(tenant: string, filter: ReceivedFilter): SQL | undefined {
  const { search } = filter;
  const { eventId, event, object, receivedAt } = webhookEvent;
  const matchesSearch =
    search === undefined ? undefined : or(eq(eventId, search), eq(event, search), eq(object, search));
  return and(
    eq(webhookEvent.tenant, tenant),
    matchesSearch,
    filter.event && eq(event, filter.event),
    within(receivedAt, minutesOf(filter)),
  );
}

const toRow = ({ receivedAt, lastAt, doneAt, ...row }: StoredEvent): ReceivedRow => ({
  ...row,
  receivedAt: receivedAt.toISOString(),
  lastAt: lastAt.toISOString(),
  doneAt: doneAt?.toISOString() ?? null,
});

const cursorOf = (row: { seq: number } | undefined) => (row === undefined ? null : String(row.seq));

/** Keyset paging: the last page costs as little as the first. */
async function readWindow(store: Db, tenant: string, filter: ReceivedFilter) {
  const { before, after } = filter;
  const isUpwards = after !== undefined;
  const older = before === undefined ? undefined : lt(webhookEvent.seq, Number(before));
  const cursor = isUpwards ? gt(webhookEvent.seq, Number(after)) : older;
  const found = await store
    .select(SHOWN)
    .from(webhookEvent)
    .where(and(matching(tenant, filter), VIEWS[filter.view], cursor))
    .orderBy((isUpwards ? asc : desc)(webhookEvent.seq))
    .limit(PAGE_SIZE + 1);
  return { found, isUpwards, hasMore: found.length > PAGE_SIZE };
}

async function readPage(store: Db, tenant: string, filter: ReceivedFilter) {
  const { found, isUpwards, hasMore } = await readWindow(store, tenant, filter);
  // Less than a page is left above: show the newest page whole.
  if (isUpwards && !hasMore) {
    const newest = await readWindow(store, tenant, { ...filter, after: undefined, before: undefined });
    const stored = newest.found.slice(0, PAGE_SIZE);
    return { stored, older: newest.hasMore ? cursorOf(stored.at(-1)) : null, newer: null };
  }
  const page = found.slice(0, PAGE_SIZE);
  const stored = isUpwards ? page.toReversed() : page;
  return {
    stored,
    older: isUpwards || hasMore ? cursorOf(stored.at(-1)) : null,
    newer: isUpwards || filter.before !== undefined ? cursorOf(stored[0]) : null,
  };
}

const refusedFor = (why: Refusal) =>
  sql<number>`coalesce(sum((${auditEvent.detail}->>${why}::text)::int), 0)`.mapWith(Number);

const eachRefusal = <Value>(valueOf: (why: Refusal) => Value): Record<Refusal, Value> => ({
  unsigned: valueOf("unsigned"),
  signature: valueOf("signature"),
  unreadable: valueOf("unreadable"),
  "too-large": valueOf("too-large"),
  "too-slow": valueOf("too-slow"),
  cut: valueOf("cut"),
  "no-room": valueOf("no-room"),
});

const REFUSED = eachRefusal(refusedFor);

const inAll = (counts: Partial<Record<Refusal, number>>) => REFUSALS.reduce((sum, why) => sum + (counts[why] ?? 0), 0);

/** A minute's refusals are one row, written at its end. */
const refusedAt = sql<Date>`coalesce((${auditEvent.detail}->>'lastAt')::timestamptz, ${auditEvent.at})`;

const isRecentRefusal = (tenant: string) =>
  and(
    eq(auditEvent.tenant, tenant),
    eq(auditEvent.code, "webhooks.refuse"),
    eq(auditEvent.actor, watchId("webhooks")),
    gt(auditEvent.at, aDayAgo),
  );

async function countRefused(store: Db, tenant: string): Promise<RecentlyRefused> {
  const [recorded] = await store
    .select({ ...REFUSED, lastAt: sql<string | null>`max(${refusedAt})::text` })
    .from(auditEvent)
    .where(isRecentRefusal(tenant));
  const gathered = refusals().gatheredOf(tenant);
  const counts = eachRefusal((why) => (recorded?.[why] ?? 0) + (gathered?.counts[why] ?? 0));
  const times = [gathered?.lastAt, recorded?.lastAt].flatMap((at) => at ?? []).map((at) => Date.parse(at));
  const lastAt = times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
  return { ...counts, count: inAll(counts), lastAt };
}

/** `from`: ISO, the beginning of an hour of the clock; `taken` needs nothing; `failed` was refused or needs attention. */
export type DeliveryHour = { from: string; taken: number; failed: number };

/** For the last day, whose first hour is counted in part, without hours that had no deliveries. */
export const listDeliveryHours = query("webhooks:read", async ({ tenant }): Promise<DeliveryHour[]> => {
  const store = await db();
  const { receivedAt } = webhookEvent;
  const failed = sql<number>`count(*) filter (where ${needsAttention})`.mapWith(Number);
  const [stored, recorded] = await Promise.all([
    store
      .select({ from: startOfSpan("hour", receivedAt), received: count(), failed })
      .from(webhookEvent)
      .where(and(eq(webhookEvent.tenant, tenant), gt(receivedAt, aDayAgo)))
      .groupBy(sql`1`),
    store
      .select({ from: startOfSpan("hour", refusedAt), ...REFUSED })
      .from(auditEvent)
      .where(isRecentRefusal(tenant))
      .groupBy(sql`1`),
  ]);
  const gathered = refusals().gatheredOf(tenant);
  const refused = [
    ...recorded,
    ...(gathered === null ? [] : [{ from: spanStart("hour", gathered.lastAt), ...gathered.counts }]),
  ];
  const hours = [...new Set([...stored, ...refused].map(({ from }) => from))].toSorted();
  return hours.map((from) => {
    const of = stored.find((one) => one.from === from);
    const shut = refused.filter((one) => one.from === from).reduce((sum, counts) => sum + inAll(counts), 0);
    return { from, taken: of?.received ?? 0, failed: (of?.failed ?? 0) + shut };
  });
});

/** Newest first, twenty-five a page, without their bodies. */
export const listReceived = query(
  "webhooks:read",
  async (actor, given: Partial<ReceivedFilter> = {}): Promise<ReceivedList> => {
    const { tenant } = actor;
    const store = await db();
    const asOf = new Date().toISOString();
    const filter = ReceivedFilter.parse(given);
    const { stored, ...edges } = await readPage(store, tenant, filter);
    const [counted] = await store
      .select({
        all: count(),
        waiting: sql`count(*) filter (where ${isWaiting})`.mapWith(Number),
        "needs-attention": sql`count(*) filter (where ${needsAttention})`.mapWith(Number),
      })
      .from(webhookEvent)
      .where(matching(tenant, filter));
    const counts = counted ?? { all: 0, waiting: 0, "needs-attention": 0 };
    const refused = await countRefused(store, tenant);
    return { rows: stored.map(toRow), ...edges, counts, refused, asOf, isStale: false, failure: null };
  },
);

/** Documents masked and personal fields hidden; null without this id. */
export const getReceived = query("webhooks:read", async ({ tenant }, id: string): Promise<ShownBody | null> => {
  if (!isUuid(id)) return null;
  const store = await db();
  const [row] = await store
    .select({ bodySealed: webhookEvent.bodySealed })
    .from(webhookEvent)
    .where(and(eq(webhookEvent.tenant, tenant), eq(webhookEvent.id, id)));
  if (row === undefined) return null;
  const body = shownSealed(row.bodySealed, { column: "webhook_event.body_sealed", row: [tenant, id] });
  if (isUnopened(body)) return { fields: [{ path: "", value: body, isMasked: true }], more: 0 };
  return showBody(parseJson(body));
});

const BATCH_ROWS = 1_000;

type CsvWords = {
  say: Awaited<ReturnType<typeof getTranslations<"received">>>;
  errors: Awaited<ReturnType<typeof getTranslations<"errors">>>;
  locale: Locale;
};

const momentOf = (at: string, locale: Locale) => `${formatDate(at, locale)} ${formatMoment(at, locale).time}`;

const COLUMNS = [
  { name: "at", csv: ({ receivedAt }, { locale }) => momentOf(receivedAt, locale) },
  { name: "event", csv: ({ event }) => providerText(event) },
  { name: "state", csv: ({ state }, { say }) => say(`states.${state}`) },
  { name: "object", csv: ({ object }) => (object === null ? null : namingHidden(object)) },
  { name: "wakes", csv: ({ wakes }, { say }) => (wakes === null ? null : say(`wakes.${wakes}`)) },
  { name: "done", csv: ({ doneAt }, { locale }) => (doneAt === null ? null : momentOf(doneAt, locale)) },
  { name: "arrivals", csv: ({ arrivals }) => arrivals },
  { name: "last", csv: ({ lastAt }, { locale }) => momentOf(lastAt, locale) },
  { name: "eventId", csv: ({ eventId }) => (eventId === null ? null : providerText(eventId)) },
  {
    name: "signature",
    csv: ({ isByPreviousSecret }, { say }) => say(isByPreviousSecret ? "signedByPrevious" : "signedByCurrent"),
  },
  { name: "size", csv: ({ sizeBytes }) => sizeBytes },
  { name: "failure", csv: ({ failure }, { errors }) => (failure === null ? null : errors(failure)) },
] as const satisfies readonly CsvColumn<ReceivedRow, CsvWords>[];

export type ReceivedFileColumn = (typeof COLUMNS)[number]["name"];

async function* linesOf(tenant: string, filter: ReceivedFilter, words: CsvWords): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, words, (name) => words.say(`csv.${name}`));
  const store = await db();
  const fits = and(matching(tenant, filter), VIEWS[filter.view]);
  yield head;
  for (let edge: SQL | undefined; ;) {
    const found = await store
      .select(SHOWN)
      .from(webhookEvent)
      .where(and(fits, edge))
      .orderBy(desc(webhookEvent.seq))
      .limit(BATCH_ROWS);
    yield found.map((event) => line(toRow(event))).join("");
    const last = found.at(-1);
    if (last === undefined || found.length < BATCH_ROWS) return;
    edge = lt(webhookEvent.seq, last.seq);
  }
}

/** The filtered list as CSV, without contents; on record before its first byte. */
export const exportReceived = query(
  "webhooks:read",
  async (actor, given: Partial<ReceivedFilter> = {}): Promise<Download> => {
    const { before: _, after: __, ...asked } = ReceivedFilter.parse(given);
    const filter = ReceivedFilter.parse(asked);
    const [say, errors, locale] = await Promise.all([
      getTranslations("received"),
      getTranslations("errors"),
      getLocale(),
    ]);
    const { tenant, id } = actor;
    const detail = { format: "csv", filter: hrefWith("", filter) };
    await record(await db(), { tenant, actor: id, code: "webhooks.export", outcome: "DONE", detail });
    return {
      fileName: csvName(say("csv.file"), locale),
      contentType: "text/csv; charset=utf-8",
      parts: linesOf(tenant, filter, { say, errors, locale }),
    };
  },
);
