import type { Actor } from "@/lib/permission/grant";
import { nothing } from "@/lib/provider/intents/intent-record";
import type { ShownValue } from "./snapshot";
import { changedPolicy, changePolicy, limitsOf, policyKey, policyOf, requirePolicySeen } from "./policy";
import { PolicyChange } from "./inputs";
import { loosens, type Policy } from "./view";
import { ASKED, executeOrPropose, type Proposed, storedKind } from "./propose";

const ruleOf = (policy: Policy): ShownValue => ({
  as: "rule",
  rule: policy.rule,
  amount: policy.amount,
  limits: limitsOf(policy),
});

/** Every other change takes effect at once. */
export const looseningApproval = storedKind({
  name: "policy.loosen",
  permission: "settings:manage",
  order: PolicyChange,
  isExclusive: true,
  objectOf: async ({ order: { kind } }) => policyKey(kind),
  needsApproval: async ({ store, tenant, order }) => {
    const before = await policyOf(store, tenant, order.kind);
    return loosens(before, changedPolicy(before, order)) ? ASKED : null;
  },
  show: async ({ store, tenant, order }) => {
    const before = await policyOf(store, tenant, order.kind);
    return {
      headline: { as: "kind", kind: order.kind },
      href: "/settings/approvals",
      facts: [{ name: "rule", before: ruleOf(before), after: ruleOf(changedPolicy(before, order)) }],
    };
  },
  validate: async (tx, { tenant }, change) => {
    await requirePolicySeen(tx, tenant, change);
  },
  proposed: nothing,
  apply: async (tx, actor, change) => changePolicy(tx, actor, change),
});

export const orderPolicyChange = (actor: Actor<"settings:manage">, change: PolicyChange): Promise<Policy | Proposed> =>
  executeOrPropose(looseningApproval, actor, change);
