import { type DayLimits, NO_LIMITS } from "@/lib/permission/limits";
import { type ApprovalKindName, type Policy, termsOf } from "@/lib/permission/writes";
import { and, desc, eq, sql } from "drizzle-orm";
import { loosens } from "./view";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import type { Db, Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import type { PolicyChange } from "./inputs";
import { approvalPolicy } from "@/lib/db/tables/approvals";

export const limitsOf = <Limits extends Record<keyof DayLimits, unknown>>({
  personSum,
  personCount,
  payeeSum,
  payeeCount,
  tenantSum,
  firstSum,
}: Limits): Pick<Limits, keyof DayLimits> => ({ personSum, personCount, payeeSum, payeeCount, tenantSum, firstSum });

export const standardOf = (kind: ApprovalKindName): Policy => ({ ...termsOf(kind).standard, version: 0 });

export const policyKey = (kind: ApprovalKindName) => `approval-policy:${kind}` as const;

export async function policyOf(store: Db | Tx, tenant: string, kind: ApprovalKindName): Promise<Policy> {
  const { rule, amount, expiresAfterHours, version } = approvalPolicy;
  const [latest] = await store
    .select({ rule, amount, ...limitsOf(approvalPolicy), expiresAfterHours, version })
    .from(approvalPolicy)
    .where(and(eq(approvalPolicy.tenant, tenant), eq(approvalPolicy.kind, kind)))
    .orderBy(desc(version))
    .limit(1);
  return latest ?? standardOf(kind);
}

export const ruleInForce = (store: Db | Tx, tenant: string, kind: ApprovalKindName) =>
  store
    .select({ rule: approvalPolicy.rule })
    .from(approvalPolicy)
    .where(and(eq(approvalPolicy.tenant, tenant), eq(approvalPolicy.kind, kind)))
    .orderBy(desc(approvalPolicy.version))
    .limit(1);

type PolicySeen = Pick<PolicyChange, "kind" | "version">;

type Change = Omit<PolicyChange, "intentId" | keyof DayLimits> & Partial<DayLimits>;

export const changedPolicy = (before: Policy, change: Change): Policy => ({
  rule: change.rule,
  amount: change.rule === "above" ? change.amount : null,
  ...(change.rule === "above" ? limitsOf({ ...NO_LIMITS, ...change }) : NO_LIMITS),
  expiresAfterHours: change.expiresAfterHours,
  version: before.version + 1,
});

function limitChanges(before: DayLimits, after: DayLimits): Record<string, string | number | null> {
  const detail: Record<string, string | number | null> = {};
  if (before.personSum !== after.personSum)
    Object.assign(detail, { fromPersonSum: before.personSum, toPersonSum: after.personSum });
  if (before.personCount !== after.personCount)
    Object.assign(detail, { fromPersonCount: before.personCount, toPersonCount: after.personCount });
  if (before.payeeSum !== after.payeeSum)
    Object.assign(detail, { fromPayeeSum: before.payeeSum, toPayeeSum: after.payeeSum });
  if (before.payeeCount !== after.payeeCount)
    Object.assign(detail, { fromPayeeCount: before.payeeCount, toPayeeCount: after.payeeCount });
  if (before.tenantSum !== after.tenantSum)
    Object.assign(detail, { fromTenantSum: before.tenantSum, toTenantSum: after.tenantSum });
  if (before.firstSum !== after.firstSum)
    Object.assign(detail, { fromFirstSum: before.firstSum, toFirstSum: after.firstSum });
  return detail;
}

export async function requirePolicySeen(tx: Tx, tenant: string, { kind, version }: PolicySeen): Promise<Policy> {
  await holdLock(tx, `${tenant} policy ${kind}`);
  const before = await policyOf(tx, tenant, kind);
  if (before.version !== version) throw new AppError("conflict", { code: "policy-changed" });
  return before;
}

/** Open proposals keep theirs. Throws conflict `policy-changed`. `orderPolicyChange` decides who must approve. */
export async function changePolicy(tx: Tx, actor: Actor<"settings:manage">, change: Change): Promise<Policy> {
  const { kind } = change;
  const { tenant, id: staffId } = actor;
  const before = await requirePolicySeen(tx, tenant, change);
  const after = changedPolicy(before, change);
  const createdAt = sql`clock_timestamp()`;
  await tx.insert(approvalPolicy).values({ tenant, kind, staffId, createdAt, ...after });
  await publish(tx, { tenant, topic: "approvals" });
  const detail = {
    version: after.version,
    fromRule: before.rule,
    toRule: after.rule,
    fromAmount: before.amount,
    toAmount: after.amount,
    fromHours: before.expiresAfterHours,
    toHours: after.expiresAfterHours,
    ...limitChanges(before, after),
    loosens: loosens(before, after),
  };
  const what = { code: "settings.approval-policy", object: policyKey(kind), detail } as const;
  await record(tx, { tenant, actor: staffId, outcome: "DONE", ...what });
  return after;
}
