import { ASKED, executeOrPropose, type Proposed, storedKind } from "@/lib/approvals/propose";
import { type Fact, shownText } from "@/lib/approvals/snapshot";
import type { Actor } from "@/lib/permission/grant";
import type { Tx } from "@/lib/db/connection";
import { nothing } from "@/lib/provider/intents/intent-record";
import { RULE_PARTS } from "@/lib/db/enums/case-rules";
import {
  CASE_RULES,
  type CaseRulesForm,
  CaseRulesOrder,
  changeCaseRules,
  loosensRules,
  type RulesChange,
  type RulesInForce,
  rulesFrom,
} from "./case-rules";

const formOf = ({ intentId: _intent, ...form }: CaseRulesOrder): CaseRulesForm => form;

async function changesOf(tx: Tx, tenant: string, order: CaseRulesOrder): Promise<RulesChange[]> {
  return (await rulesFrom(tx, tenant, formOf(order))).changes;
}

const NONE = "—";

type Side = "before" | "after";

function lineOf(change: RulesChange, side: Side): string[] {
  const text = change[side];
  if (text === null) return [];
  const { process = null, kycType = null } = change.scope?.[side] ?? {};
  return [[text, process, kycType].filter((word) => word !== null).join(" · ")];
}

function factsOf(changes: readonly RulesChange[]): Fact[] {
  return RULE_PARTS.flatMap((name): Fact[] => {
    const own = changes.filter(({ part }) => part === name);
    const said = (side: Side) => own.flatMap((change) => lineOf(change, side)).join("\n");
    if (own.length === 0) return [];
    return [{ name, before: shownText(said("before") || NONE), after: shownText(said("after") || NONE) }];
  });
}

export const caseRulesApproval = storedKind({
  name: "kyc.rules",
  permission: "settings:manage",
  order: CaseRulesOrder,
  isExclusive: true,
  objectOf: async () => CASE_RULES,
  validate: async (tx, { tenant }, order) => {
    await changesOf(tx, tenant, order);
  },
  needsApproval: async ({ store, tenant, order }) =>
    loosensRules(await changesOf(store, tenant, order)) ? ASKED : null,
  proposed: nothing,
  show: async ({ store, tenant, order }) => ({
    headline: { as: "kind", kind: "kyc.rules" },
    href: "/settings/kyc",
    facts: factsOf(await changesOf(store, tenant, order)),
  }),
  apply: (tx, actor, order) => changeCaseRules(tx, actor, formOf(order)),
});

export const orderRulesChange = (
  actor: Actor<"settings:manage">,
  order: CaseRulesOrder,
): Promise<RulesInForce | Proposed> => executeOrPropose(caseRulesApproval, actor, order);
