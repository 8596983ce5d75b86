import { and, desc, eq, exists, getTableColumns, notInArray, type SQL, sql } from "drizzle-orm";
import { type PendingApproval, pendingApprovalOn } from "@/lib/approvals/records";
import { ruleInForce, standardOf } from "@/lib/approvals/policy";
import type { Policy } from "@/lib/approvals/view";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { kycCase, kycDecision } from "@/lib/db/tables/kyc";
import type { Db } from "@/lib/db/connection";
import { isFinal, UNDECIDED } from "./case-state";

export type UnconfirmedDecision = { decision: "APPROVED" | "REPROVED"; byName: string; at: string };

const SETTLED: readonly IntentState[] = ["DONE", "REFUSED"];

type CaseContext = {
  /** The last decision, unless it is confirmed or refused. */
  unconfirmed: UnconfirmedDecision | null;
  pendingApproval: PendingApproval | null;
  /** The next decision is for a second person. */
  needsSecond: boolean;
  assigneeName: string | null;
};

const ofCase = and(eq(kycDecision.tenant, kycCase.tenant), eq(kycDecision.kycUUID, kycCase.kycUUID));
const intentOfDecision = and(
  eq(providerIntent.tenant, kycDecision.tenant),
  eq(providerIntent.id, kycDecision.intentId),
);

function lastOf(store: Db) {
  const { decision, createdAt: at } = kycDecision;
  return store
    .select({ decision, at, byName: sql<string>`${staff.name}`.as("decided_by"), state: providerIntent.state })
    .from(kycDecision)
    .innerJoin(providerIntent, intentOfDecision)
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .where(ofCase)
    .orderBy(desc(at))
    .limit(1)
    .as("last");
}

type Choice = { where: SQL | undefined; orderBy: SQL; cursor: SQL<string>; limit: number };

export type SelectedCaseRow = { row: typeof kycCase.$inferSelect; cursor: string; context: CaseContext };

/** In one statement, which chooses the cases before it looks for what concerns them. */
export async function selectCaseRows(
  store: Db,
  tenant: string,
  { where, orderBy, cursor, limit }: Choice,
): Promise<SelectedCaseRow[]> {
  const chosen = store
    .select({ ...getTableColumns(kycCase), cursor: cursor.as("cursor") })
    .from(kycCase)
    .where(where)
    .orderBy(orderBy)
    .limit(limit)
    .as("kyc_case");
  const last = lastOf(store);
  const pendingApproval = pendingApprovalOn(store, { tenant, kind: "kyc.decision" }, sql`'kyc:' || ${kycCase.kycUUID}`);
  const settling = store
    .select({ one: sql`1` })
    .from(kycDecision)
    .innerJoin(providerIntent, intentOfDecision)
    .where(and(ofCase, notInArray(providerIntent.state, [...UNDECIDED])));
  const rows = await store
    .select({
      row: kycCase,
      cursor: chosen.cursor,
      last: { decision: last.decision, at: last.at, byName: last.byName, state: last.state },
      isDecided: sql<boolean>`${exists(settling)}`,
      pendingApproval: {
        approvalId: pendingApproval.approvalId,
        makerId: pendingApproval.makerId,
        makerName: pendingApproval.makerName,
        at: pendingApproval.at,
      },
      rule: sql<Policy["rule"] | null>`${ruleInForce(store, tenant, "kyc.decision")}`,
      assigneeName: staff.name,
    })
    .from(chosen)
    .leftJoin(staff, eq(staff.id, kycCase.assigneeId))
    .leftJoinLateral(last, sql`true`)
    .leftJoinLateral(pendingApproval, sql`true`)
    .orderBy(orderBy);
  return rows.map(({ row, cursor: at, ...read }) => ({ row, cursor: at, context: toContext({ ...row, ...read }) }));
}

type Read = {
  status: string;
  last: { decision: UnconfirmedDecision["decision"]; at: Date; byName: string; state: IntentState } | null;
  isDecided: boolean;
  pendingApproval: (Omit<PendingApproval, "at"> & { at: Date }) | null;
  rule: Policy["rule"] | null;
  assigneeName: string | null;
};

function toContext({ status, last, isDecided: hasDecided, pendingApproval, rule, assigneeName }: Read): CaseContext {
  const inForce = rule ?? standardOf("kyc.decision").rule;
  const isUnconfirmed = last !== null && !SETTLED.includes(last.state);
  return {
    unconfirmed: isUnconfirmed ? { decision: last.decision, byName: last.byName, at: last.at.toISOString() } : null,
    pendingApproval: pendingApproval && { ...pendingApproval, at: pendingApproval.at.toISOString() },
    needsSecond: inForce === "always" || (inForce !== "never" && (isFinal(status) || hasDecided)),
    assigneeName,
  };
}
