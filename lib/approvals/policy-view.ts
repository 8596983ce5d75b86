import { and, desc, eq } from "drizzle-orm";
import {
  APPROVAL_KIND_NAMES,
  type ApprovalKindName,
  hasPolicy,
  loosens,
  type Policy,
  type PolicyRule,
  termsOf,
} from "@/lib/approval-terms";
import { isOffered } from "@/lib/auth/permission";
import { staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { policyOf, standardOf } from "./policy";
import { approvalPolicy } from "./schema";

/** A version that was put in force: by whom, when (ISO), and in place of what. */
export type PolicyStep = { before: Policy; after: Policy; byName: string; at: string; loosens: boolean };

export type PolicyView = {
  kind: ApprovalKindName;
  rules: readonly PolicyRule[];
  policy: Policy;
  /** Newest first. */
  history: PolicyStep[];
};

const MOST_STEPS = 20;

async function historyOf(store: Db, tenant: string, kind: ApprovalKindName): Promise<PolicyStep[]> {
  const rows = await store
    .select({ row: approvalPolicy, byName: staff.name })
    .from(approvalPolicy)
    .innerJoin(staff, eq(staff.id, approvalPolicy.staffId))
    .where(and(eq(approvalPolicy.tenant, tenant), eq(approvalPolicy.kind, kind)))
    .orderBy(desc(approvalPolicy.version))
    .limit(MOST_STEPS + 1);
  const shown = rows.slice(0, MOST_STEPS);
  return shown.map(({ row: after, byName }, n) => {
    const before = rows[n + 1]?.row ?? standardOf(kind);
    return {
      before: policyFrom(before),
      after: policyFrom(after),
      byName,
      at: after.createdAt.toISOString(),
      loosens: loosens(before, after),
    };
  });
}

const policyFrom = ({ rule, amount, expiresAfterHours, version }: Policy): Policy => ({
  rule,
  amount,
  expiresAfterHours,
  version,
});

/** A choice about what no screen offers to do yet would be a promise. */
const isShown = (kind: ApprovalKindName) => hasPolicy(kind) && isOffered(termsOf(kind).orderedWith);

/** What needs a second person at this tenant, and how that came to be. */
export async function readPolicies(tenant: string): Promise<PolicyView[]> {
  const store = await db();
  return Promise.all(
    APPROVAL_KIND_NAMES.filter(isShown).map(async (kind) => ({
      kind,
      rules: termsOf(kind).rules,
      policy: await policyOf(store, tenant, kind),
      history: await historyOf(store, tenant, kind),
    })),
  );
}
