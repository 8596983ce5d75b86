import { and, count, desc, eq, type SQL, sql } from "drizzle-orm";
import { maskDocument, maskWithin } from "@/lib/contract/document";
import type { OnboardingStatus } from "@/lib/contract/onboarding";
import { env } from "@/lib/env";
import { type Page, PAGE_SIZE, pageWindow } from "@/lib/page";
import { look } from "@/lib/privacy/look";
import { query } from "@/lib/query";
import { type SafeLink, safeLink } from "@/lib/safe-link";
import { onboardingDocument } from "@/lib/store/document";
import { account, onboarding } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { isUuid } from "@/lib/uuid";
import { freshness } from "@/lib/watch";
import { OnboardingFilter, type OnboardingView, type Stage, stageOf, type WhoActs, whoActs } from "./rules";

export type OnboardingRow = {
  id: string;
  /** Masked. */
  document: string;
  kind: "PF" | "PJ";
  status: OnboardingStatus;
  stage: Stage;
  whoActs: WhoActs;
  /** When the provider says it began, else when we first saw it. */
  firstSeenAt: string;
  changedAt: string;
  checkedAt: string;
  biometricUrl: SafeLink | null;
  messages: {
    id: string;
    date: string;
    message: string;
    status: string;
    actionRequired: boolean;
    url: SafeLink | null;
  }[];
  account: { ref: string; branch: string; number: string } | null;
};

export type OnboardingQueue = Page<OnboardingRow> & { counts: Record<OnboardingView, number> };

const needsHolder = sql`${onboarding.status} <> 'CONFIRMED' and (
  (${onboarding.status} = 'PROCESSING' and ${onboarding.biometricUrl} is not null)
  or ${onboarding.messages} @> '[{"actionRequired": true}]'::jsonb)`;

const VIEWS: Record<OnboardingView, SQL | undefined> = {
  open: eq(onboarding.status, "PROCESSING"),
  action: needsHolder,
  PROCESSING: eq(onboarding.status, "PROCESSING"),
  CONFIRMED: eq(onboarding.status, "CONFIRMED"),
  ERROR: eq(onboarding.status, "ERROR"),
  all: undefined,
};

const selection = { onboarding, account: { ref: account.ref, branch: account.branch, number: account.number } };

function toRow(row: { onboarding: typeof onboarding.$inferSelect; account: OnboardingRow["account"] }): OnboardingRow {
  const { id, status, messages, biometricUrl, ...rest } = row.onboarding;
  const document = onboardingDocument(row.onboarding);
  return {
    id,
    document: maskDocument(document),
    kind: document.length === 11 ? "PF" : "PJ",
    status,
    stage: stageOf(row.onboarding),
    whoActs: whoActs(row.onboarding),
    firstSeenAt: rest.firstSeenAt.toISOString(),
    changedAt: rest.changedAt.toISOString(),
    checkedAt: rest.checkedAt.toISOString(),
    biometricUrl: safeLink(biometricUrl, env().isEmbedded),
    messages: messages.map((message) => ({
      id: message.id,
      date: message.date,
      message: maskWithin(message.message),
      status: message.status,
      actionRequired: message.actionRequired,
      url: safeLink(message.url, env().isEmbedded),
    })),
    account: row.account,
  };
}

async function selectRows(where: SQL | undefined, window?: { limit: number; offset: number }) {
  const rows = (await db())
    .select(selection)
    .from(onboarding)
    .leftJoin(account, and(eq(account.tenant, onboarding.tenant), eq(account.accountId, onboarding.accountId)))
    .where(where)
    .orderBy(desc(onboarding.firstSeenAt), desc(onboarding.seq));
  return window === undefined ? rows : rows.limit(window.limit).offset(window.offset);
}

function countIf(condition: SQL | undefined) {
  return condition === undefined ? count() : sql<number>`count(*) filter (where ${condition})`.mapWith(Number);
}

async function countViews(mine: SQL): Promise<Record<OnboardingView, number>> {
  const [counts] = await (
    await db()
  )
    .select({
      open: countIf(VIEWS.open),
      action: countIf(VIEWS.action),
      PROCESSING: countIf(VIEWS.PROCESSING),
      CONFIRMED: countIf(VIEWS.CONFIRMED),
      ERROR: countIf(VIEWS.ERROR),
      all: countIf(VIEWS.all),
    })
    .from(onboarding)
    .where(mine);
  return counts ?? { open: 0, action: 0, PROCESSING: 0, CONFIRMED: 0, ERROR: 0, all: 0 };
}

/** The queue, newest first, as the watch last saw it. */
export const listOnboardings = query(
  "onboarding:read",
  async (actor, given: Partial<OnboardingFilter> = {}): Promise<OnboardingQueue> => {
    const filter = OnboardingFilter.parse(given);
    const mine = eq(onboarding.tenant, actor.tenant);
    const counts = await countViews(mine);
    const total = counts[filter.status];
    const { page, totalPages, offset } = pageWindow(filter.page, total);
    const rows = await selectRows(and(mine, VIEWS[filter.status]), { limit: PAGE_SIZE, offset });
    return { rows: rows.map(toRow), page, totalPages, total, counts, ...(await freshness(actor.tenant, "onboarding")) };
  },
);

/** One onboarding, and that this person looked at it is on record; null when there is none with this id. */
export const getOnboarding = query("onboarding:read", async (actor, id: string): Promise<OnboardingRow | null> => {
  if (!isUuid(id)) return null;
  const [row] = await selectRows(and(eq(onboarding.tenant, actor.tenant), eq(onboarding.id, id)));
  if (row === undefined) return null;
  await look(actor, `onboarding:${id}`);
  return toRow(row);
});
