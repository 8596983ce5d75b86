import { and, count, desc, eq, notInArray, type SQL } from "drizzle-orm";
import { bankIntent, type IntentState } from "@/lib/bank/intent-schema";
import type { KycStatus } from "@/lib/contract/kyc";
import { isStorable } from "@/lib/contract/shared";
import { env } from "@/lib/env";
import type { KycView } from "@/lib/kyc-view";
import { type Page, PAGE_SIZE, pageWindow } from "@/lib/page";
import { look } from "@/lib/privacy/look";
import { query } from "@/lib/query";
import { type SafeLink, safeLink } from "@/lib/safe-link";
import { kycCase, staff } from "@/lib/store/schema";
import { unseal } from "@/lib/store/seal";
import { db } from "@/lib/store/store";
import { freshness } from "@/lib/watch";
import { caseRows, type KycRow } from "./queue-rows";
import { KycFilter } from "./rules";
import { kycDecision } from "./schema";

export type { KycRow } from "./queue-rows";

/** Nothing holds a decision at the provider: what would be held is not known. */
export type DecisionState = Exclude<IntentState, "HELD">;

export type KycQueue = Page<KycRow> & { counts: Record<KycView, number> };

const FINAL: KycStatus[] = ["APPROVED", "REPROVED"];

function statusIs(view: KycView): SQL | undefined {
  if (view === "all") return undefined;
  return view === "open" ? notInArray(kycCase.status, FINAL) : eq(kycCase.status, view);
}

async function countByStatus(mine: SQL | undefined): Promise<Record<KycView, number>> {
  const rows = await (
    await db()
  )
    .select({ status: kycCase.status, n: count() })
    .from(kycCase)
    .where(mine)
    .groupBy(kycCase.status);
  const counts = { open: 0, PENDING: 0, PROCESSING: 0, APPROVED: 0, REPROVED: 0, all: 0 };
  for (const { status, n } of rows) {
    counts.all += n;
    if (status !== "APPROVED" && status !== "REPROVED") counts.open += n;
    if (status === "APPROVED" || status === "REPROVED" || status === "PENDING" || status === "PROCESSING")
      counts[status] += n;
  }
  return counts;
}

/** The queue, newest first, as the watch last saw it. */
export const listCases = query("kyc:read", async (actor, given: Partial<KycFilter> = {}): Promise<KycQueue> => {
  const filter = KycFilter.parse(given);
  const mine = and(
    eq(kycCase.tenant, actor.tenant),
    filter.type === undefined ? undefined : eq(kycCase.kycType, filter.type),
  );
  const counts = await countByStatus(mine);
  const total = counts[filter.status];
  const { page, totalPages, offset } = pageWindow(filter.page, total);
  const store = await db();
  const found = await store
    .select()
    .from(kycCase)
    .where(and(mine, statusIs(filter.status)))
    .orderBy(desc(kycCase.seq))
    .limit(PAGE_SIZE)
    .offset(offset);
  const rows = await caseRows(store, actor.tenant, found);
  return { rows, page, totalPages, total, counts, ...(await freshness(actor.tenant, "kyc")) };
});

export type KycCaseView = {
  row: KycRow;
  asOf: string;
  /** The document-scopy page, once the provider tells of it. */
  webview: SafeLink | null;
  decisions: {
    intentId: string;
    decision: "APPROVED" | "REPROVED";
    reason: string;
    byName: string;
    at: string;
    state: DecisionState;
  }[];
};

/**
 * One case with what our own people decided about it, and that this person looked at it is on record; null when the watch
 * has not seen it.
 */
export const getCase = query("kyc:read", async (actor, kycUUID: string): Promise<KycCaseView | null> => {
  if (!isStorable(kycUUID)) return null;
  const store = await db();
  const [found] = await store
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, actor.tenant), eq(kycCase.kycUUID, kycUUID)));
  if (found === undefined) return null;
  const [row] = await caseRows(store, actor.tenant, [found]);
  if (row === undefined) return null;
  await look(actor, `kyc:${kycUUID}`);
  const decisions = await store
    .select({ decision: kycDecision, byName: staff.name, state: bankIntent.state })
    .from(kycDecision)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, kycDecision.tenant), eq(bankIntent.id, kycDecision.intentId)))
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(and(eq(kycDecision.tenant, actor.tenant), eq(kycDecision.kycUUID, kycUUID)))
    .orderBy(desc(kycDecision.createdAt));
  return {
    row,
    asOf: found.seenAt.toISOString(),
    webview: safeLink(found.webviewUrl, env().isEmbedded),
    decisions: decisions.map(({ decision, byName, state }) => ({
      intentId: decision.intentId,
      decision: decision.decision,
      reason: unseal(decision.reason, { column: "kyc_decision.reason", row: [decision.intentId] }),
      byName,
      at: decision.createdAt.toISOString(),
      state: state === "HELD" ? "UNKNOWN" : state,
    })),
  };
});
