import { loosens, type Policy } from "@/lib/approval-terms";
import type { Actor } from "@/lib/auth/grant";
import { db } from "@/lib/store/store";
import { adminApprovalKind } from "./approval-kind";
import { changedPolicy, changePolicy, policyOf } from "./policy";
import { type Proposed, underPolicy } from "./propose";
import { PolicyChange } from "./rules";
import type { ShownValue } from "./shown";

const ruleOf = ({ rule, amount }: Policy): ShownValue => ({ as: "rule", rule, amount });

/** A policy that lets more pass than the one before; every other change is made at once. */
export const looseningApproval = adminApprovalKind({
  name: "policy.loosen",
  permission: "settings:manage",
  order: PolicyChange,
  isExclusive: true,
  objectOf: async (_tenant, { kind }) => `approval-policy:${kind}`,
  isGrave: async ({ store, tenant, order }) => {
    const before = await policyOf(store, tenant, order.kind);
    return loosens(before, changedPolicy(before, order));
  },
  show: async (tenant, order) => {
    const before = await policyOf(await db(), tenant, order.kind);
    return {
      headline: { as: "kind", kind: order.kind },
      href: "/settings/approvals",
      facts: [{ name: "rule", before: ruleOf(before), after: ruleOf(changedPolicy(before, order)) }],
    };
  },
  apply: async (tx, actor, change) => changePolicy(tx, actor, change),
});

/** Puts another policy in force, or proposes it to a second administrator where it lets more pass. */
export const orderPolicyChange = (actor: Actor<"settings:manage">, change: PolicyChange): Promise<Policy | Proposed> =>
  underPolicy(looseningApproval, actor, change);
