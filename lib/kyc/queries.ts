import { and, desc, eq } from "drizzle-orm";
import { bankIntent, type IntentState } from "@/lib/bank/intent-schema";
import { isStorable } from "@/lib/contract/shared";
import { env } from "@/lib/env";
import { look } from "@/lib/privacy/look";
import { query } from "@/lib/query";
import { type SafeLink, safeLink } from "@/lib/safe-link";
import { kycCase, staff } from "@/lib/store/schema";
import { unseal } from "@/lib/store/seal";
import { db } from "@/lib/store/store";
import { type Assignee, readAssignees } from "./assignees";
import { readAbsence } from "./away";
import { readHolder } from "./held";
import { readQueue } from "./queue";
import { caseRows, type KycRow } from "./queue-rows";
import { kycDecision } from "./schema";

export type { Assignee } from "./assignees";
export type { Absence } from "./away";
export type { KycQueue } from "./queue";
export type { KycRow } from "./queue-rows";

/** Nothing holds a decision at the provider: what would be held is not known. */
export type DecisionState = Exclude<IntentState, "HELD">;

/** The queue, as the watch last saw it; what does not fit in the filter becomes the default. */
export const listCases = query("kyc:read", readQueue);

/** Who may have cases, and who of them is away. */
export const listAssignees = query("kyc:assign", async ({ tenant }): Promise<Assignee[]> =>
  readAssignees(await db(), tenant),
);

/** Whose the case is now; null: nobody's, or there is none. */
export const getHolder = query("kyc:read", async ({ tenant }, kycUUID: string) =>
  isStorable(kycUUID) ? readHolder(await db(), { tenant, kycUUID }) : null,
);

/** Until when the person themselves is away, and how many open cases they have. */
export const getOwnAbsence = query("kyc:assign", readAbsence);

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
