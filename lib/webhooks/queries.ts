import { spanStart, startOfSpan } from "@/lib/db/clock";
import { watchId } from "@/lib/permission/watches";
import { and, asc, count, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { parseJson, stringifyJson } from "@/lib/contract/json";
import { hrefWith, PAGE_SIZE } from "@/lib/text/page";
import { type Download, query } from "@/lib/query";
import { record } from "@/lib/audit/record";
import { type CsvColumn, csvMoment, csvName, csvTable } from "@/lib/text/csv";
import type { Locale } from "@/lib/text/format";
import { namingHidden } from "@/lib/text/safe-link";
import { getLocale, getTranslations } from "next-intl/server";
import { redact, showBody, type ShownBody } from "@/lib/text/shown-body";
import { labOrNothing } from "@/lib/lab/control";
import { auditEvent } from "@/lib/db/tables/audit";
import { shownSealed } from "@/lib/db/seal";
import { isUnopened, providerText } from "@/lib/text/provider-word";
import { type Db, db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { readArrivals } from "./arrivals";
import { drillFile, readDrillSheet } from "./drill-sheet";
import type { DrillSheet } from "./drill-view";
import { refusedFile } from "./export-refused";
import { fingerprintOf } from "./headers";
import { DrillFilter, MissingFilter, ReceivedFilter, RefusedFilter } from "./inputs";
import { readMissing } from "./missing";
import type { Arrivals, MissingList } from "./missing-view";
import { ownAddressOf } from "./own-address";
import { planReplay } from "./replay";
import { isWaiting, matching, needsAttention } from "./received";
import { readRefused } from "./refused-list";
import { readSubscriptions, type SubscriptionRow } from "./subscriptions";
import { refusals } from "./refusals";
import { countReplaying, type DeliveryReplay, listReplaysOf, readReplays } from "./replays";
import { replayCan, type ReplayDenial } from "./can";
import type { KeptHeaders } from "@/lib/db/enums/webhooks";
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
  /** Only so many of the newest were searched for the text; null: all, or there is none. */
  searched: number | null;
  /** Deliveries that somebody has looked at again just now. */
  replaying: number;
  refused: RecentlyRefused;
  asOf: string;
  isStale: false;
  failure: null;
};

// `clock_timestamp` would use no index.
const aDayAgo = sql`statement_timestamp() - interval '1 day'`;

const toRow = ({ receivedAt, lastAt, doneAt, ...row }: StoredEvent): ReceivedRow => ({
  ...row,
  receivedAt: receivedAt.toISOString(),
  lastAt: lastAt.toISOString(),
  doneAt: doneAt?.toISOString() ?? null,
});

const cursorOf = (row: { seq: number } | undefined) => (row === undefined ? null : String(row.seq));

/** Keyset paging: the last page costs as little as the first. */
async function readWindow(
  store: Db,
  fits: SQL | undefined,
  { before, after }: Pick<ReceivedFilter, "before" | "after">,
) {
  const isUpwards = after !== undefined;
  const older = before === undefined ? undefined : lt(webhookEvent.seq, Number(before));
  const cursor = isUpwards ? gt(webhookEvent.seq, Number(after)) : older;
  const found = await store
    .select(SHOWN)
    .from(webhookEvent)
    .where(and(fits, cursor))
    .orderBy((isUpwards ? asc : desc)(webhookEvent.seq))
    .limit(PAGE_SIZE + 1);
  return { found, isUpwards, hasMore: found.length > PAGE_SIZE };
}

async function readPage(store: Db, fits: SQL | undefined, filter: ReceivedFilter) {
  const { found, isUpwards, hasMore } = await readWindow(store, fits, filter);
  // Less than a page is left above: show the newest page whole.
  if (isUpwards && !hasMore) {
    const newest = await readWindow(store, fits, { before: undefined, after: undefined });
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
  const [stored, recorded] = await Promise.all([
    store
      .select({
        from: startOfSpan("hour", receivedAt),
        received: count(),
        failed: sql<number>`count(*) filter (where ${needsAttention})`.mapWith(Number),
      })
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
    const failed = of?.failed ?? 0;
    return { from, taken: (of?.received ?? 0) - failed, failed: failed + shut };
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
    const { fits, inEveryView, searched } = await matching(store, tenant, filter);
    const { stored, ...edges } = await readPage(store, fits, filter);
    const [counted] = await store
      .select({
        all: count(),
        waiting: sql`count(*) filter (where ${isWaiting})`.mapWith(Number),
        "needs-attention": sql`count(*) filter (where ${needsAttention})`.mapWith(Number),
      })
      .from(webhookEvent)
      .where(inEveryView);
    const counts = counted ?? { all: 0, waiting: 0, "needs-attention": 0 };
    const refused = await countRefused(store, tenant);
    const replaying = await countReplaying(store, tenant);
    return {
      rows: stored.map(toRow),
      ...edges,
      counts,
      searched,
      replaying,
      refused,
      asOf,
      isStale: false,
      failure: null,
    };
  },
);

/** Documents masked and personal fields hidden; null without this id. */
export const getReceived = query("webhooks:read", async ({ tenant }, id: string): Promise<ShownBody | null> => {
  const store = await db();
  const opened = await openBody(store, tenant, id);
  if (opened === null) return null;
  const { body } = opened;
  if (isUnopened(body)) return { fields: [{ path: "", value: body, isMasked: true }], more: 0 };
  return showBody(parseJson(body));
});

async function openBody(store: Db, tenant: string, id: string) {
  if (!isUuid(id)) return null;
  const { headers, bodyHash, bodySealed } = webhookEvent;
  const [row] = await store
    .select({ ...SHOWN, headers, bodyHash, bodySealed })
    .from(webhookEvent)
    .where(and(eq(webhookEvent.tenant, tenant), eq(webhookEvent.id, id)));
  if (row === undefined) return null;
  const { bodySealed: sealed, headers: kept, bodyHash: hash, ...event } = row;
  const body = shownSealed(sealed, { column: "webhook_event.body_sealed", row: [tenant, id] });
  return { row: toRow(event), headers: kept, fingerprint: fingerprintOf(hash), body };
}

const BODY_MAX_LETTERS = 20_000;

/** `headers` null: it came before they were kept. `body`: redacted, as JSON; null: it does not open. */
export type Delivery = {
  row: ReceivedRow;
  headers: KeptHeaders | null;
  fingerprint: string;
  body: string | null;
  isCut: boolean;
  replays: DeliveryReplay[];
  denial: ReplayDenial | null;
};

/** One delivery on its own page; null without this id. */
export const getDelivery = query("webhooks:read", async ({ tenant }, id: string): Promise<Delivery | null> => {
  const store = await db();
  const opened = await openBody(store, tenant, id);
  if (opened === null) return null;
  const { row, headers, fingerprint, body } = opened;
  const shown = isUnopened(body) ? null : stringifyJson(redact(parseJson(body)), 2);
  const replays = await listReplaysOf(store, tenant, id);
  return {
    row,
    headers,
    fingerprint,
    body: shown?.slice(0, BODY_MAX_LETTERS) ?? null,
    isCut: shown !== null && shown.length > BODY_MAX_LETTERS,
    replays,
    denial: replayCan.start({ ...row, isReplayed: replays.some(({ state }) => state === "WAITING") }),
  };
});

/** The last refused ones, newest first, twenty-five a page. */
export const listRefused = query("webhooks:read", ({ tenant }, given: Partial<RefusedFilter> = {}) =>
  readRefused(tenant, RefusedFilter.parse(given)),
);

/** What looking again would read, and the least that it costs. The provider is asked nothing. */
export const planDeliveryReplay = query("webhooks:replay", planReplay);

/** The replays of the last 30 days, newest first. */
export const listReplays = query("webhooks:read", ({ tenant }) => readReplays(tenant));

const BATCH_ROWS = 1_000;

type CsvWords = {
  say: Awaited<ReturnType<typeof getTranslations<"received">>>;
  errors: Awaited<ReturnType<typeof getTranslations<"errors">>>;
  locale: Locale;
};

const COLUMNS = [
  { name: "at", csv: ({ receivedAt }, { locale }) => csvMoment(receivedAt, locale) },
  { name: "event", csv: ({ event }) => providerText(event) },
  { name: "state", csv: ({ state }, { say }) => say(`states.${state}`) },
  { name: "object", csv: ({ object }) => (object === null ? null : namingHidden(object)) },
  { name: "wakes", csv: ({ wakes }, { say }) => (wakes === null ? null : say(`wakes.${wakes}`)) },
  { name: "done", csv: ({ doneAt }, { locale }) => (doneAt === null ? null : csvMoment(doneAt, locale)) },
  { name: "arrivals", csv: ({ arrivals }) => arrivals },
  { name: "last", csv: ({ lastAt }, { locale }) => csvMoment(lastAt, locale) },
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
  const { fits } = await matching(store, tenant, filter);
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

/** The filtered refused ones as CSV; on record before its first byte. */
export const exportRefused = query(
  "webhooks:read",
  async (actor, given: Partial<RefusedFilter> = {}): Promise<Download> => {
    const { before: _, after: __, ...asked } = RefusedFilter.parse(given);
    const filter = RefusedFilter.parse(asked);
    const { tenant, id } = actor;
    const detail = { format: "csv", filter: hrefWith("", filter) };
    await record(await db(), { tenant, actor: id, code: "webhooks.export-refused", outcome: "DONE", detail });
    return refusedFile(tenant, filter);
  },
);

/** What came of a sleep of this console's receiver. 404 without a lab. */
export const getDrillSheet = query(
  "settings:manage",
  async ({ tenant }, given: Partial<DrillFilter> = {}): Promise<DrillSheet> => {
    labOrNothing();
    return readDrillSheet(await db(), tenant, DrillFilter.parse(given));
  },
);

/** The same as CSV; on record before its first byte. */
export const exportDrill = query(
  "settings:manage",
  async ({ tenant, id }, given: Partial<DrillFilter> = {}): Promise<Download> => {
    labOrNothing();
    const store = await db();
    const filter = DrillFilter.parse(given);
    const detail = { format: "csv", filter: hrefWith("", filter) };
    await record(store, { tenant, actor: id, code: "lab.export-drill", outcome: "DONE", detail });
    return drillFile(await readDrillSheet(store, tenant, filter));
  },
);

export type { RefusedList } from "./refused-list";
export type { DeliveryReplay, ReplayList } from "./replays";
export type { RefusedFileColumn } from "./export-refused";
