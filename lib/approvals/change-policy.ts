import type { Policy } from "@/lib/permission/writes";
import type { Actor } from "@/lib/permission/grant";
import { nothing, type Proposed } from "@/lib/provider/intents/intent-record";
import type { ShownValue } from "./snapshot";
import { changedPolicy, changePolicy, limitsOf, policyKey, policyOf, requirePolicySeen } from "./policy";
import { PolicyChange } from "./inputs";
import { loosens } from "./view";
import { ASKED, executeOrPropose } from "./propose";
import { defineChange } from "./define-write";

const ruleOf = (policy: Policy): ShownValue => ({
  as: "rule",
  rule: policy.rule,
  amount: policy.amount,
  limits: limitsOf(policy),
});

/** Every other change takes effect at once. */
export const loosenPolicy = defineChange({
  name: "policy.loosen",
  order: PolicyChange,
  objectOf: async (_store, _tenant, { kind }) => policyKey(kind),
  validate: async (tx, { actor, order }) => {
    await requirePolicySeen(tx, actor.tenant, order);
  },
  approval: {
    isExclusive: true,
    needsApproval: async (tx, { actor, order }) => {
      const before = await policyOf(tx, actor.tenant, order.kind);
      return loosens(before, changedPolicy(before, order)) ? ASKED : null;
    },
    show: async (tx, { actor, order }) => {
      const before = await policyOf(tx, actor.tenant, order.kind);
      return {
        headline: { as: "kind", kind: order.kind },
        href: "/settings/approvals",
        facts: [{ name: "rule", before: ruleOf(before), after: ruleOf(changedPolicy(before, order)) }],
      };
    },
    proposed: nothing,
  },
  apply: (tx, { actor, order }) => changePolicy(tx, actor, order),
});

export const orderPolicyChange = (actor: Actor<"settings:manage">, change: PolicyChange): Promise<Policy | Proposed> =>
  executeOrPropose(loosenPolicy, actor, change);
