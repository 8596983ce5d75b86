import { startOfSpan } from "@/lib/db/clock";
import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { CALL_OBJECTS, type CallObject } from "@/lib/audit/object-view";
import type { Actor } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { staffMembership } from "@/lib/db/tables/auth";
import { type Lane, LANES } from "@/lib/db/enums/provider";
import { isReference } from "@/lib/provider/call-log";
import type { LaneState } from "@/lib/provider/circuit";
import { standing } from "@/lib/provider/client";
import * as operations from "@/lib/provider/operations";
import { providerCall } from "@/lib/db/tables/provider";
import { TOKEN_PATH } from "@/lib/provider/token-request";
import { isStorable } from "@/lib/contract/shared";
import { createMemory } from "@/lib/log/memory";
import { type Download, query } from "@/lib/query";
import { record } from "@/lib/audit/record";
import { type CsvColumn, csvMoment, csvName, csvTable } from "@/lib/text/csv";
import type { Locale } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { namingHidden } from "@/lib/text/safe-link";
import { getLocale, getTranslations } from "next-intl/server";
import { staff } from "@/lib/db/tables/staff";
import { namesObject } from "@/lib/db/columns";
import { db } from "@/lib/db/connection";
import { silenceTold } from "@/lib/health/silence-told";
import type { SilenceTold } from "@/lib/health/view";
import { isDemoBeingMade } from "@/lib/lab/demo-progress";
import { countUpTo } from "@/lib/db/count-up-to";
import { hrefWith, PAGE_SIZE } from "@/lib/text/page";
import { minutesOf } from "@/lib/text/period";
import { isUuid } from "@/lib/text/decode";
import { CallFilter } from "./inputs";
import { type CallView, outcomeOf, SLOW_MS } from "./view";

export type ProviderStanding = {
  limit: number;
  configured: number;
  used: number;
  byLane: Record<Lane, number>;
  waiting: Record<Lane, number>;
  pausedUntil: string | null;
  silentLanes: Lane[];
  /** The last answer's time, while the provider answers none of the calls that keep lists current. */
  silentSince: string | null;
  /** Null where no silence is known. */
  told: SilenceTold | null;
  isDemoBeingMade: boolean;
};

/** Once a probe is due and nobody asked, the provider's state is unknown. */
const isSilent = (lane: LaneState) => lane.isOpen && lane.untilProbeMs > 0;

type ProviderReading = { atMs: number; standing: ReturnType<typeof standing> };

/** Every page shows it, so one read serves all within this time. */
const READING_SERVES_MS = 1_000;
const readings = createMemory<ProviderReading>(100);

function recentStanding(tenant: string): ProviderReading["standing"] {
  const known = readings.get(tenant);
  const atMs = performance.now();
  if (known !== undefined && atMs - known.atMs < READING_SERVES_MS) return known.standing;
  const reading = { atMs, standing: standing(tenant) };
  readings.set(tenant, reading);
  reading.standing.catch(() => readings.set(tenant, { ...reading, atMs: Number.NEGATIVE_INFINITY }));
  return reading.standing;
}

/** Anybody signed in may know why they wait. */
export const getStanding = query("accounts:read", async ({ tenant }): Promise<ProviderStanding> => {
  const { use, lanes } = await recentStanding(tenant);
  const silentLanes = LANES.filter((lane) => isSilent(lanes[lane]));
  const { limit, configured, used, byLane, waiting, pausedUntil } = use;
  const silentSince = lanes.watchers.isOpen ? lanes.watchers.silentSince : null;
  const store = await db();
  return {
    limit,
    configured,
    used,
    byLane,
    waiting,
    pausedUntil: pausedUntil?.toISOString() ?? null,
    silentLanes,
    silentSince,
    told: silentSince === null ? null : await silenceTold(store, tenant),
    isDemoBeingMade: await isDemoBeingMade(store, tenant),
  };
});

const OBJECT_ROWS = 20;

type StoredCall = typeof providerCall.$inferSelect;

export type CallRow = Omit<StoredCall, "at" | "tenant"> & {
  at: string;
  byName: string | null;
};

export type LastHour = { calls: number; failed: number; medianMs: number | null; p95Ms: number | null };

export type CallList = {
  rows: CallRow[];
  older: string | null;
  newer: string | null;
  counts: Record<CallView, number>;
  lastHour: LastHour;
  actorName: string | null;
  asOf: string;
};

// A held call and a not-found look-up are documented answers, not failures.
const hasFailed = and(
  sql`${providerCall.kind} <> 'ok'`,
  sql`${providerCall.kind} <> 'held'`,
  sql`(${providerCall.kind} <> 'not-found' or ${providerCall.method} <> 'GET')`,
);

const countFailed = sql<number>`count(*) filter (where ${hasFailed})`.mapWith(Number);

const VIEWS: Record<CallView, SQL | undefined> = {
  all: undefined,
  failed: hasFailed,
  // A literal, so that the planner uses the partial index.
  slow: sql.raw(`duration_ms >= ${SLOW_MS}`),
};

const minute = (text: string) => sql`${text}::timestamp at time zone 'America/Sao_Paulo'`;

function matchesSearch(text: string): SQL | undefined {
  return or(isReference(text), namesObject(providerCall.object, text, CALL_OBJECTS));
}

function endedAs(kind: NonNullable<CallFilter["kind"]>): SQL | undefined {
  if (kind === "no-answer") return and(eq(providerCall.kind, "unavailable"), isNull(providerCall.status));
  if (kind === "unavailable") return and(eq(providerCall.kind, kind), isNotNull(providerCall.status));
  return eq(providerCall.kind, kind);
}

function matching(tenant: string, filter: CallFilter): SQL | undefined {
  const { kind, lane, path, actor, search } = filter;
  const { from, to } = minutesOf(filter);
  return and(
    eq(providerCall.tenant, tenant),
    kind === undefined ? undefined : endedAs(kind),
    kind === undefined || kind === "ok" ? undefined : sql`${providerCall.kind} <> 'ok'`,
    lane === undefined ? undefined : eq(providerCall.lane, lane),
    path === undefined ? undefined : eq(providerCall.path, path),
    actor === undefined ? undefined : eq(providerCall.actor, actor),
    search === undefined ? undefined : matchesSearch(search),
    from === undefined ? undefined : sql`${providerCall.at} >= ${minute(from)}`,
    to === undefined ? undefined : sql`${providerCall.at} < ${minute(to)} + interval '1 minute'`,
  );
}

function afterCursor(cursor: string, direction: "older" | "newer"): SQL {
  const [ms = "0", seq = "0"] = cursor.split("-");
  const position = sql`(${new Date(Number(ms)).toISOString()}::timestamptz, ${Number(seq)}::bigint)`;
  const row = sql`(${providerCall.at}, ${providerCall.seq})`;
  return direction === "older" ? sql`${row} < ${position}` : sql`${row} > ${position}`;
}

const cursorOf = (row: StoredCall | undefined) => (row === undefined ? null : `${row.at.getTime()}-${row.seq}`);

type Window = Pick<CallList, "older" | "newer"> & { stored: StoredCall[] };

/** Keyset paging: the last page costs as little as the first. */
async function readWindow(tenant: string, filter: CallFilter): Promise<Window> {
  const { before, after } = filter;
  const isUpwards = after !== undefined;
  const downwards = before === undefined ? undefined : afterCursor(before, "older");
  const edge = isUpwards ? afterCursor(after, "newer") : downwards;
  const order = isUpwards ? asc : desc;
  const found = await (
    await db()
  )
    .select()
    .from(providerCall)
    .where(and(matching(tenant, filter), VIEWS[filter.view], edge))
    .orderBy(order(providerCall.at), order(providerCall.seq))
    .limit(PAGE_SIZE + 1);
  const hasMore = found.length > PAGE_SIZE;
  // Less than a page is left above: show the newest page whole.
  if (isUpwards && !hasMore) return readWindow(tenant, { ...filter, after: undefined, before: undefined });
  const page = found.slice(0, PAGE_SIZE);
  const stored = isUpwards ? page.toReversed() : page;
  const older = isUpwards || hasMore ? cursorOf(stored.at(-1)) : null;
  const newer = isUpwards || before !== undefined ? cursorOf(stored[0]) : null;
  return { stored, older, newer };
}

async function namesOf(actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(actors)].filter(isUuid);
  if (ids.length === 0) return new Map();
  const people = await (
    await db()
  )
    .select({ id: staff.id, name: staff.name })
    .from(staff)
    .where(inArray(staff.id, ids));
  return new Map(people.map(({ id, name }) => [id, name]));
}

/** Only the tenant's own people: an id in the URL must not reveal who works elsewhere. */
async function nameAt(tenant: string, staffId: string): Promise<string | null> {
  if (!isUuid(staffId)) return null;
  const [member] = await (
    await db()
  )
    .select({ name: staff.name })
    .from(staff)
    .innerJoin(staffMembership, eq(staffMembership.staffId, staff.id))
    .where(and(eq(staff.id, staffId), eq(staffMembership.tenant, tenant)));
  return member?.name ?? null;
}

function toRow(call: StoredCall, names: ReadonlyMap<string, string>): CallRow {
  const { tenant: _, ...row } = call;
  return { ...row, at: row.at.toISOString(), byName: names.get(row.actor) ?? null };
}

async function countViews(tenant: string, filter: CallFilter): Promise<CallList["counts"]> {
  const store = await db();
  const countOf = (view: CallView) => countUpTo(store, providerCall, and(matching(tenant, filter), VIEWS[view]));
  return { all: await countOf("all"), failed: await countOf("failed"), slow: await countOf("slow") };
}

const percentile = (part: number) =>
  sql<number | null>`percentile_cont(${part}) within group (order by ${providerCall.durationMs})`.mapWith(Number);

// `clock_timestamp` would use no index.
const anHourAgo = sql`statement_timestamp() - interval '1 hour'`;

async function readLastHour(tenant: string): Promise<LastHour> {
  const [hour] = await (
    await db()
  )
    .select({
      calls: sql<number>`count(*)`.mapWith(Number),
      failed: countFailed,
      medianMs: percentile(0.5),
      p95Ms: percentile(0.95),
    })
    .from(providerCall)
    .where(and(eq(providerCall.tenant, tenant), gte(providerCall.at, anHourAgo)));
  return hour ?? { calls: 0, failed: 0, medianMs: null, p95Ms: null };
}

/** `from`: ISO, the beginning of a minute of the clock. */
export type CallMinute = { from: string; calls: number; failed: number };

/** For the last hour, whose first minute is counted in part, without minutes that had no calls. */
export const listMinutes = query("audit:read", async ({ tenant }): Promise<CallMinute[]> => {
  const from = startOfSpan("minute", providerCall.at);
  return (await db())
    .select({ from, calls: count(), failed: countFailed })
    .from(providerCall)
    .where(and(eq(providerCall.tenant, tenant), gt(providerCall.at, anHourAgo)))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
});

export const listCalls = query("audit:read", async (actor, given: Partial<CallFilter> = {}): Promise<CallList> => {
  const filter = CallFilter.parse(given);
  const asOf = new Date().toISOString();
  const { stored, ...edges } = await readWindow(actor.tenant, filter);
  const names = await namesOf(stored.map((call) => call.actor));
  const lastHour = await readLastHour(actor.tenant);
  const counts = await countViews(actor.tenant, filter);
  const asked = filter.actor ?? "";
  const actorName = names.get(asked) ?? (await nameAt(actor.tenant, asked));
  return { rows: stored.map((call) => toRow(call, names)), ...edges, counts, lastHour, actorName, asOf };
});

const BATCH_ROWS = 2_000;

type CsvWords = { say: Awaited<ReturnType<typeof getTranslations<"calls">>>; locale: Locale };

const COLUMNS = [
  { name: "at", csv: ({ at }, { locale }) => csvMoment(at, locale) },
  { name: "outcome", csv: ({ kind, status }, { say }) => say(`kinds.${outcomeOf({ kind, status })}`) },
  { name: "status", csv: ({ status }) => status },
  { name: "code", csv: ({ code }) => (code === null ? null : providerText(code)) },
  { name: "method", csv: ({ method }) => method },
  { name: "call", csv: ({ path }) => path },
  { name: "object", csv: ({ object }) => (object === null ? null : namingHidden(object)) },
  { name: "actor", csv: ({ actor }) => actor },
  { name: "person", csv: ({ byName }) => byName },
  { name: "lane", csv: ({ lane }, { say }) => say(`lanes.${lane}`) },
  { name: "waited", csv: ({ waitedMs }) => waitedMs },
  { name: "duration", csv: ({ durationMs }) => durationMs },
  { name: "attempt", csv: ({ attempt }) => attempt },
  { name: "reference", csv: ({ requestId }) => requestId },
  { name: "providerReference", csv: ({ providerRequestId }) => providerRequestId && providerText(providerRequestId) },
] as const satisfies readonly CsvColumn<CallRow, CsvWords>[];

export type CallFileColumn = (typeof COLUMNS)[number]["name"];

async function* linesOf(tenant: string, filter: CallFilter, words: CsvWords): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, words, (name) => words.say(`csv.${name}`));
  const store = await db();
  const fits = and(matching(tenant, filter), VIEWS[filter.view]);
  yield head;
  for (let edge: SQL | undefined; ;) {
    const found = await store
      .select()
      .from(providerCall)
      .where(and(fits, edge))
      .orderBy(desc(providerCall.at), desc(providerCall.seq))
      .limit(BATCH_ROWS);
    const names = await namesOf(found.map(({ actor }) => actor));
    yield found.map((call) => line(toRow(call, names))).join("");
    const last = cursorOf(found.at(-1));
    if (last === null || found.length < BATCH_ROWS) return;
    edge = afterCursor(last, "older");
  }
}

/** The filtered list as CSV; on record before its first byte. */
export const exportCalls = query("audit:export", async (actor, given: Partial<CallFilter> = {}): Promise<Download> => {
  const { before: _, after: __, ...asked } = CallFilter.parse(given);
  const filter = CallFilter.parse(asked);
  const [say, locale] = await Promise.all([getTranslations("calls"), getLocale()]);
  const { tenant, id } = actor;
  const detail = { format: "csv", filter: hrefWith("", filter) };
  await record(await db(), { tenant, actor: id, code: "calls.export", outcome: "DONE", detail });
  return {
    fileName: csvName(say("csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(tenant, filter, { say, locale }),
  };
});

async function callsAbout(actor: Actor, object: string): Promise<CallRow[]> {
  if (!isStorable(object)) return [];
  const stored = await (
    await db()
  )
    .select()
    .from(providerCall)
    .where(and(eq(providerCall.tenant, actor.tenant), eq(providerCall.object, object)))
    .orderBy(desc(providerCall.at), desc(providerCall.seq))
    .limit(OBJECT_ROWS);
  const names = await namesOf(stored.map((call) => call.actor));
  return stored.map((call) => toRow(call, names));
}

const aboutOne = (permission: Permission, kind: CallObject) =>
  query(permission, (actor, id: string) => callsAbout(actor, `${kind}:${id}`));

export const callsFor = {
  kyc: aboutOne("kyc:read", "kyc"),
  account: aboutOne("accounts:read", "account"),
  wallet: aboutOne("wallets:read", "wallet"),
  onboarding: aboutOne("onboarding:read", "onboarding"),
};

export const callPaths: readonly string[] = [
  ...new Set([...Object.values(operations).map(({ path }) => path), TOKEN_PATH]),
].toSorted();
