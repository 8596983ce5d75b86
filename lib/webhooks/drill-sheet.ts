import { and, asc, countDistinct, desc, eq, gte, inArray, lt, ne, or, sql } from "drizzle-orm";
import { getLocale, getTranslations } from "next-intl/server";
import { storeNow } from "@/lib/db/clock";
import type { Db } from "@/lib/db/connection";
import { onboarding } from "@/lib/db/tables/customers";
import { onboardingEvent } from "@/lib/db/tables/onboarding";
import { chainMovement, chainReading, wallet, walletBalance } from "@/lib/db/tables/wallets";
import { expectedEvent, receiverDrill } from "@/lib/db/tables/webhooks";
import { readSweeps } from "@/lib/db/watch-state";
import type { Download } from "@/lib/query";
import { env } from "@/lib/settings/env";
import { type CsvColumn, csvMoment, csvName, csvTable } from "@/lib/text/csv";
import type { Locale } from "@/lib/text/format";
import { namingHidden } from "@/lib/text/safe-link";
import {
  DRILL_READERS,
  type Drill,
  type DrillReader,
  type DrillSheet,
  type Happened,
  type LostEvent,
  type Unread,
} from "./drill-view";
import type { DrillFilter } from "./inputs";
import { isLate } from "./missing";
import { LATE_MS } from "./missing-view";

type DrillRow = typeof receiverDrill.$inferSelect;
type ExpectedRow = typeof expectedEvent.$inferSelect;

const MOST_DRILLS = 10;

/** From the provider's first attempt to its last. */
const ATTEMPTS_MS = 7_000;

function drillOf({ id, beganAt, untilAt, endedAt, endedBy }: DrillRow, now: Date): Drill {
  const byTime = untilAt <= now ? "time" : null;
  return {
    id,
    beganAt: beganAt.toISOString(),
    endedAt: (endedAt ?? untilAt).toISOString(),
    endedBy: endedBy ?? byTime,
  };
}

/** All that did not come, or came late, of what was read since `from`. */
async function readNotCome(store: Db, tenant: string, from: Date): Promise<ExpectedRow[]> {
  const { state, seenAt, seq } = expectedEvent;
  return store
    .select()
    .from(expectedEvent)
    .where(and(eq(expectedEvent.tenant, tenant), gte(seenAt, from), or(ne(state, "ARRIVED"), isLate)))
    .orderBy(asc(seq));
}

const MOMENT = /^\d{4}-\d\d-\d\dT/;

type Times = Map<string, Happened>;

/** A key names the row that noted the change: `onboarding:<id> <event> <change>`. */
async function timesOfOnboardings(store: Db, tenant: string, rows: readonly ExpectedRow[]): Promise<Times> {
  const noted = new Map(rows.map((row) => [Number(row.key.split(" ")[1]), row]));
  const { id, detail, onboardingId } = onboardingEvent;
  const found = await store
    .select({ id, detail, firstSeenAt: onboarding.firstSeenAt })
    .from(onboardingEvent)
    .innerJoin(onboarding, eq(onboarding.id, onboardingId))
    .where(and(eq(onboardingEvent.tenant, tenant), inArray(id, [...noted.keys()])));
  const byEvent = new Map(found.map((one) => [one.id, one]));
  return new Map(
    rows.flatMap(({ key, change, seenAt }): [string, Happened][] => {
      const event = byEvent.get(Number(key.split(" ")[1]));
      if (event === undefined) return [];
      const first = event.firstSeenAt.toISOString();
      if (change === "accepted") return [[key, { after: null, by: first }]];
      const since = event.detail["since"];
      const after = typeof since === "string" && MOMENT.test(since) ? since : first;
      return [[key, { after, by: seenAt.toISOString() }]];
    }),
  );
}

/** `wallet:<id> <network> <movement>` */
async function timesOfDeposits(store: Db, tenant: string, rows: readonly ExpectedRow[]): Promise<Times> {
  const { walletId, network, key, at, isDated } = chainMovement;
  const movementOf = (row: ExpectedRow) => row.key.slice(row.key.lastIndexOf(" ") + 1);
  const found = await store
    .select({ walletId, network, key, at })
    .from(chainMovement)
    .where(and(eq(chainMovement.tenant, tenant), eq(isDated, true), inArray(key, rows.map(movementOf))));
  return new Map(
    found.map((one) => {
      const told = one.at.toISOString();
      return [`wallet:${one.walletId} ${one.network} ${one.key}`, { after: told, by: told }];
    }),
  );
}

/** Whether it may have happened while deliveries were not taken; an attempt before counts, where the last fell within. */
function isWithin({ after, by }: Happened, { beganAt, endedAt }: Drill): boolean {
  return Date.parse(by) >= Date.parse(beganAt) - ATTEMPTS_MS && (after ?? by) <= endedAt;
}

async function readLost(store: Db, tenant: string, drill: Drill): Promise<LostEvent[]> {
  const rows = await readNotCome(store, tenant, new Date(Date.parse(drill.beganAt) - ATTEMPTS_MS));
  const deposits = rows.filter(({ change }) => change === "deposit");
  const others = rows.filter(({ change }) => change !== "deposit");
  const times = new Map([
    ...(await timesOfOnboardings(store, tenant, others)),
    ...(await timesOfDeposits(store, tenant, deposits)),
  ]);
  const { webhookGraceMs } = env();
  return rows.flatMap(({ key, event, change, object, seenAt, state, arrivedAt }) => {
    const readAt = seenAt.toISOString();
    const later = (ms: number) => new Date(seenAt.getTime() + ms).toISOString();
    const happened = times.get(key) ?? { after: null, by: readAt };
    if (!isWithin(happened, drill)) return [];
    const standing = state === "EXPECTED" ? "awaited" : state === "NEVER" ? "never" : "late";
    const arrived = arrivedAt?.toISOString() ?? null;
    const known = { key, event, change, object, happened, readAt, standing } as const;
    return [{ ...known, dueBy: later(LATE_MS), missingFrom: later(webhookGraceMs), arrivedAt: arrived }];
  });
}

async function readUndone(store: Db, tenant: string, { endedAt }: Drill): Promise<DrillReader[]> {
  const undone: DrillReader[] = [];
  for (const name of DRILL_READERS) {
    const { asOf } = await readSweeps(store, { tenant, name });
    if (asOf === null || asOf.toISOString() < endedAt) undone.push(name);
  }
  return undone;
}

/** A balance that was read tells of a movement, but of a checkout address, which is empty by design. */
async function countUnread(store: Db, tenant: string, drill: Drill): Promise<Unread> {
  const endedAt = new Date(drill.endedAt);
  const isOpen = and(eq(onboarding.tenant, tenant), eq(onboarding.status, "PROCESSING"));
  const { walletId, network, asOf } = walletBalance;
  const isHistoryRead = sql`exists (select from ${chainReading} as reading where reading.tenant = ${tenant}
    and reading.wallet_id = ${walletId} and reading.network = ${network} and reading.as_of >= ${drill.endedAt}::timestamptz)`;
  const isBalanceRead = and(gte(asOf, endedAt), sql`${wallet.isForwardPayment} is not true`);
  const [counted] = await store
    .select({ wallets: countDistinct(walletId) })
    .from(walletBalance)
    .innerJoin(wallet, and(eq(wallet.tenant, tenant), eq(wallet.id, walletId)))
    .where(and(eq(walletBalance.tenant, tenant), sql`not (${isHistoryRead})`, sql`(${isBalanceRead}) is not true`));
  return {
    onboardings: await store.$count(onboarding, and(isOpen, lt(onboarding.checkedAt, endedAt))),
    wallets: counted?.wallets ?? 0,
  };
}

export async function readDrillSheet(store: Db, tenant: string, { drill: asked }: DrillFilter): Promise<DrillSheet> {
  const now = await storeNow(store);
  const found = await store
    .select()
    .from(receiverDrill)
    .where(eq(receiverDrill.tenant, tenant))
    .orderBy(desc(receiverDrill.beganAt))
    .limit(MOST_DRILLS);
  const drills = found.map((row) => drillOf(row, now));
  const drill = (asked === undefined ? drills[0] : drills.find(({ id }) => id === asked)) ?? null;
  const rows = drill === null ? [] : await readLost(store, tenant, drill);
  const undone = drill === null ? [] : await readUndone(store, tenant, drill);
  const unread = drill === null ? { onboardings: 0, wallets: 0 } : await countUnread(store, tenant, drill);
  return { drills, drill, rows, undone, unread, asOf: now.toISOString() };
}

type Words = {
  say: Awaited<ReturnType<typeof getTranslations<"drill">>>;
  changes: Awaited<ReturnType<typeof getTranslations<"missing.changes">>>;
  locale: Locale;
};

const momentOf = (at: string | null, { locale }: Words) => (at === null ? null : csvMoment(at, locale));

const COLUMNS = [
  { name: "event", csv: ({ event }) => event },
  { name: "object", csv: ({ object }) => namingHidden(object) },
  { name: "after", csv: ({ happened: { after } }, words) => momentOf(after, words) },
  { name: "by", csv: ({ happened: { by } }, words) => momentOf(by, words) },
  { name: "due", csv: ({ dueBy }, words) => momentOf(dueBy, words) },
  { name: "noticed", csv: ({ change }, { changes }) => changes(change) },
  { name: "repaired", csv: ({ readAt }, words) => momentOf(readAt, words) },
  { name: "state", csv: ({ standing }, { say }) => say(`states.${standing}`) },
  {
    name: "missing",
    csv: ({ standing, missingFrom }, words) => momentOf(standing === "late" ? null : missingFrom, words),
  },
  { name: "arrived", csv: ({ arrivedAt }, words) => momentOf(arrivedAt, words) },
] as const satisfies readonly CsvColumn<LostEvent, Words>[];

export async function drillFile({ rows }: DrillSheet): Promise<Download> {
  const [say, changes, locale] = await Promise.all([
    getTranslations("drill"),
    getTranslations("missing.changes"),
    getLocale(),
  ]);
  const { head, line } = csvTable(COLUMNS, { say, changes, locale }, (name) => say(`csv.${name}`));
  async function* parts() {
    yield head;
    yield rows.map((row) => line(row)).join("");
  }
  return { fileName: csvName(say("csv.file"), locale), contentType: "text/csv; charset=utf-8", parts: parts() };
}
