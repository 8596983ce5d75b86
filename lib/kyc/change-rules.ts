import { defineChange } from "@/lib/approvals/define-write";
import { ASKED, executeOrPropose } from "@/lib/approvals/propose";
import { type Fact, shownText, type ShownValue } from "@/lib/approvals/snapshot";
import type { Actor } from "@/lib/permission/grant";
import type { Tx } from "@/lib/db/connection";
import { nothing, type Proposed } from "@/lib/provider/intents/intent-record";
import { RULE_PARTS } from "@/lib/db/enums/case-rules";
import { SLA_CLOCKS } from "@/lib/db/enums/kyc";
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

const shownClock = (clock: string | null): ShownValue => ({
  as: "sla-clock",
  clock: SLA_CLOCKS.find((known) => known === clock) ?? "continuous",
});

function factsOf(changes: readonly RulesChange[]): Fact[] {
  return RULE_PARTS.flatMap((name): Fact[] => {
    const own = changes.filter(({ part }) => part === name);
    const said = (side: Side) => own.flatMap((change) => lineOf(change, side)).join("\n");
    if (own.length === 0) return [];
    const [clock] = own;
    if (clock?.part === "slaClock") return [{ name, before: shownClock(clock.before), after: shownClock(clock.after) }];
    return [{ name, before: shownText(said("before") || NONE), after: shownText(said("after") || NONE) }];
  });
}

export const loosenRules = defineChange({
  name: "kyc.rules",
  order: CaseRulesOrder,
  objectOf: async () => CASE_RULES,
  validate: async (tx, { actor, order }) => {
    await changesOf(tx, actor.tenant, order);
  },
  approval: {
    isExclusive: true,
    needsApproval: async (tx, { actor, order }) =>
      loosensRules(await changesOf(tx, actor.tenant, order)) ? ASKED : null,
    show: async (tx, { actor, order }) => ({
      headline: { as: "kind", kind: "kyc.rules" },
      href: "/settings/kyc",
      facts: factsOf(await changesOf(tx, actor.tenant, order)),
    }),
    proposed: nothing,
  },
  apply: (tx, { actor, order }) => changeCaseRules(tx, actor, formOf(order)),
});

export const orderRulesChange = (
  actor: Actor<"settings:manage">,
  order: CaseRulesOrder,
): Promise<RulesInForce | Proposed> => executeOrPropose(loosenRules, actor, order);
