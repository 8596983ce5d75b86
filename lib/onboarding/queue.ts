import { and, asc, count, desc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import type { OnboardingStatus } from "@/lib/contract/onboarding";
import { env } from "@/lib/settings/env";
import type { OnboardingOrder, OnboardingView } from "./view";
import { type OnboardingKind, type Stage, STEPS, type WhoActs } from "@/lib/db/enums/onboarding";
import { type Page, PAGE_SIZE, pageWindow, type Waiting } from "@/lib/text/page";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import { safeLink } from "@/lib/text/safe-link";
import { firstOfLastDays } from "@/lib/text/time";
import { startOfDay, storeTimeBefore } from "@/lib/db/clock";
import { shownOnboardingDocument } from "@/lib/db/document";
import { onboarding } from "@/lib/db/tables/customers";
import { type Db, db } from "@/lib/db/connection";
import { OnboardingFilter } from "./inputs";
import type { StoredOnboarding } from "./records";
import { lastSaid } from "./standing";
import { freshness } from "@/lib/db/watch-state";

export type OnboardingRow = {
  id: string;
  /** Masked. */
  document: string;
  kind: OnboardingKind;
  status: OnboardingStatus;
  stage: Stage;
  whoActs: WhoActs;
  returns: number;
  isRetry: boolean;
  /** The provider's starting time, else the first sight. */
  firstSeenAt: string;
  changedAt: string;
  checkedAt: string;
  /** The link itself is given only on request. */
  biometric: { host: string; isSafe: boolean } | null;
  reason: string | null;
};

export type OnboardingQueue = Page<OnboardingRow> & {
  /** By view, and within the chosen one by who must act. */
  counts: Record<OnboardingView, number>;
  acts: Record<WhoActs, number>;
  person: string | null;
};

export function onboardingRow(row: StoredOnboarding): OnboardingRow {
  const { id, kind, status, stage, returns, previousId } = row;
  const link = safeLink(row.biometricUrl, env().isEmbedded);
  return {
    id,
    document: shownOnboardingDocument(row).mask,
    kind,
    status,
    stage,
    whoActs: row.whoActs,
    returns,
    isRetry: previousId !== null,
    firstSeenAt: row.firstSeenAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
    checkedAt: row.checkedAt.toISOString(),
    biometric: link === null ? null : { host: link.host, isSafe: link.href !== null },
    reason: status === "ERROR" ? lastSaid(row.messages) : null,
  };
}

const viewOf = sql<string>`case when ${onboarding.status} in ('CONFIRMED', 'ERROR') then ${onboarding.status} else 'open' end`;

// Word for word as in the schema, so that the index on open ones is used.
const isOpen = sql.raw("status not in ('CONFIRMED', 'ERROR')");

function ofView(view: OnboardingView): SQL | undefined {
  if (view === "all") return undefined;
  return view === "open" ? isOpen : eq(onboarding.status, view);
}

const HOUR_MS = 3_600_000;

function narrowing({ stage, kind, age, returns }: OnboardingFilter): (SQL | undefined)[] {
  return [
    stage && eq(onboarding.stage, stage),
    kind && eq(onboarding.kind, kind),
    age && lte(onboarding.firstSeenAt, storeTimeBefore(Number(age) * HOUR_MS)),
    returns && sql`${onboarding.returns} >= ${Number(returns)}`,
  ];
}

async function findPerson(store: Db, tenant: string, id: string): Promise<{ shown: string; isTheirs: SQL }> {
  const [row] = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
  if (row === undefined) return { shown: "", isTheirs: sql`false` };
  const { mask, hashes } = shownOnboardingDocument(row);
  return { shown: mask, isTheirs: inArray(onboarding.documentHash, hashes) };
}

const FUNNEL_DAYS = 30;

export type Funnel = {
  days: number;
  started: number;
  waiting: { stage: Stage; count: number }[];
  confirmed: number;
  refused: number;
  others: { word: string; count: number }[];
};

export async function readFunnel({ tenant }: Actor<"onboarding:read">): Promise<Funnel> {
  const { status, stage, firstSeenAt } = onboarding;
  const since = startOfDay(firstOfLastDays(FUNNEL_DAYS));
  const rows = await (
    await db()
  )
    .select({ status, stage, count: count() })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), gte(firstSeenAt, since)))
    .groupBy(status, stage);
  const sum = (fits: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(fits).reduce((total, row) => total + row.count, 0);
  const words = [...new Set(rows.flatMap((row) => (isUnknown(row.status) ? [row.status] : [])))];
  return {
    days: FUNNEL_DAYS,
    started: sum(() => true),
    waiting: STEPS.map((step) => ({
      stage: step,
      count: sum((row) => row.status === "PROCESSING" && row.stage === step),
    })),
    confirmed: sum((row) => row.status === "CONFIRMED"),
    refused: sum((row) => row.status === "ERROR"),
    others: words.map((word) => ({ word: rawWord(word), count: sum((row) => row.status === word) })),
  };
}

type Counted = { view: string; whoActs: WhoActs; n: number };

const sumOf = (counted: readonly Counted[], fits: (one: Counted) => boolean) =>
  counted.filter(fits).reduce((sum, { n }) => sum + n, 0);

function countsOf(counted: readonly Counted[], status: OnboardingView) {
  const isView = (view: OnboardingView) => (one: Counted) => view === "all" || one.view === view;
  const inView = counted.filter(isView(status));
  const isWho = (who: WhoActs) => (one: Counted) => one.whoActs === who;
  const counts: OnboardingQueue["counts"] = {
    open: sumOf(counted, isView("open")),
    ERROR: sumOf(counted, isView("ERROR")),
    CONFIRMED: sumOf(counted, isView("CONFIRMED")),
    all: sumOf(counted, isView("all")),
  };
  const acts: OnboardingQueue["acts"] = {
    us: sumOf(inView, isWho("us")),
    holder: sumOf(inView, isWho("holder")),
    provider: sumOf(inView, isWho("provider")),
    nobody: sumOf(inView, isWho("nobody")),
  };
  return { counts, acts };
}

/** Counts what the list first shows: a refusal is not pending work, though we always act last. */
export async function countOnboardingsWaiting({ tenant }: Actor<"onboarding:read">): Promise<Waiting> {
  const store = await db();
  const waits = and(eq(onboarding.tenant, tenant), ofView("open"), eq(onboarding.whoActs, "us"));
  const [waiting, { asOf }] = await Promise.all([store.$count(onboarding, waits), freshness(tenant, "onboarding")]);
  return { count: waiting, asOf };
}

const ORDERS = {
  begun: onboarding.firstSeenAt,
  changed: onboarding.changedAt,
  checked: onboarding.checkedAt,
  returns: onboarding.returns,
} as const satisfies Record<OnboardingOrder, unknown>;

export async function readOnboardingQueue(
  { tenant }: Actor<"onboarding:read">,
  given: Partial<OnboardingFilter>,
): Promise<OnboardingQueue> {
  const filter = OnboardingFilter.parse(given);
  const store = await db();
  const person = filter.person === undefined ? null : await findPerson(store, tenant, filter.person);
  const narrowed = and(eq(onboarding.tenant, tenant), person?.isTheirs, ...narrowing(filter));
  const [counted, fresh] = await Promise.all([
    store
      .select({ view: viewOf, whoActs: onboarding.whoActs, n: count() })
      .from(onboarding)
      .where(narrowed)
      .groupBy(viewOf, onboarding.whoActs),
    freshness(tenant, "onboarding"),
  ]);
  const { counts, acts } = countsOf(counted, filter.status);
  const total = filter.acts === undefined ? counts[filter.status] : acts[filter.acts];
  const { page, totalPages, offset } = pageWindow(filter.page, total);
  const inOrder = filter.dir === "asc" ? asc : desc;
  const rows = await store
    .select()
    .from(onboarding)
    .where(and(narrowed, ofView(filter.status), filter.acts && eq(onboarding.whoActs, filter.acts)))
    .orderBy(inOrder(ORDERS[filter.sort]), inOrder(onboarding.seq))
    .limit(PAGE_SIZE)
    .offset(offset);
  const shown = { rows: rows.map(onboardingRow), page, totalPages, total, counts, acts };
  return { ...shown, person: person?.shown ?? null, ...fresh };
}
