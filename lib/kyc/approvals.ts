import { and, eq } from "drizzle-orm";
import { approvalKind, type Asked } from "@/lib/approvals/approval-kind";
import { policyOf } from "@/lib/approvals/policy";
import { type Proposed, underPolicy } from "@/lib/approvals/propose";
import { type Fact, type Shown, shownText } from "@/lib/approvals/frozen";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { maskWithin } from "@/lib/contract/document";
import { kycCase } from "@/lib/store/schema";
import { db, type Tx } from "@/lib/store/store";
import { caseRulesOf } from "./case-rules";
import { decide, type Decided } from "./decide";
import { decisionKind } from "./decision";
import { type DecisionView, readDecisions } from "./decisions";
import { tellingWho } from "./decisions";
import { decidedAmong, isFinal } from "./decisions";
import { confirmedOf, refuseStopped, requireRightDecision } from "./decision";
import { CaseDecision } from "./rules";

async function isGrave({ store, tenant, order, policy }: Asked<CaseDecision>): Promise<boolean> {
  if (policy.rule === "always") return true;
  if (policy.rule === "never") return false;
  if (isFinal(order.expected.status)) return true;
  const { kycUUID, intentId: except } = order;
  return (await decidedAmong(store, { tenant, except }, [kycUUID])).has(kycUUID);
}

/** The maker's check, as they decide: a colleague's decision may have completed meanwhile. */
const makerGuard = (actor: Actor<"kyc:decide">, order: CaseDecision) => async (tx: Tx) => {
  await requireRightDecision(tx, actor, order);
  const { tenant } = actor;
  const policy = await policyOf(tx, tenant, "kyc.decision");
  if (await isGrave({ store: tx, tenant, order, policy })) throw new BankError("conflict", { code: "case-changed" });
};

/** A term may have been blocked since it was proposed. */
const authorisedGuard = (tenant: string, order: CaseDecision) => async (tx: Tx) =>
  refuseStopped((await caseRulesOf(tx, tenant)).rules, order);

const earlierFacts = ({ decision, byName }: DecisionView): Fact[] => [
  { name: "earlierDecision", before: null, after: { as: "kyc-status", status: decision } },
  { name: "earlierBy", before: null, after: shownText(byName) },
];

async function show(tenant: string, order: CaseDecision): Promise<Shown> {
  const { kycUUID, decision, reason, note, expected } = order;
  const store = await db();
  const [row] = await store
    .select({ vatNumber: kycCase.vatNumber })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)));
  const confirmed = (await confirmedOf(store, tenant, order)).filter(({ isChecked }) => isChecked);
  const decisions = await readDecisions(store, { tenant, kycUUID, showsNotes: false });
  const earlier = decisions.find((one) => one.intentId !== order.intentId && one.state !== "REFUSED");
  const told = [
    { name: "checklist", text: confirmed.map(({ text }) => text).join("\n") },
    { name: "note", text: note ?? "" },
  ] as const;
  return {
    headline: shownText(maskWithin(row?.vatNumber ?? kycUUID)),
    href: `/kyc/${encodeURIComponent(kycUUID)}`,
    facts: [
      {
        name: "status",
        before: { as: "kyc-status", status: expected.status },
        after: { as: "kyc-status", status: decision },
      },
      ...(earlier === undefined ? [] : earlierFacts(earlier)),
      { name: "reason", before: earlier === undefined ? null : shownText(earlier.reason), after: shownText(reason) },
      ...told
        .filter(({ text }) => text !== "")
        .map(({ name, text }) => ({ name, before: null, after: shownText(text) })),
    ],
  };
}

export type CaseDecided = Decided & { state: "DECIDED" };

export const decisionApproval = approvalKind({
  name: "kyc.decision",
  permission: "kyc:decide",
  order: CaseDecision,
  bytesOf: ({ kycUUID, decision, reason }) => decisionKind.bytesOf({ kycUUID, decision, reason }),
  isExclusive: true,
  objectOf: async (_tenant, { kycUUID }) => `kyc:${kycUUID}`,
  isGrave,
  admit: requireRightDecision,
  show,
  perform: async (actor, order, isAuthorised): Promise<CaseDecided> => {
    const guard = isAuthorised ? authorisedGuard(actor.tenant, order) : makerGuard(actor, order);
    return { state: "DECIDED", ...(await decide(actor, order, guard)) };
  },
});

/** Decides, or proposes where the policy asks. Throws conflict `case-decided` when a colleague was first. */
export async function orderDecision(actor: Actor<"kyc:decide">, order: CaseDecision): Promise<CaseDecided | Proposed> {
  try {
    return await underPolicy(decisionApproval, actor, order);
  } catch (refusal) {
    throw refusal instanceof BankError ? await tellingWho(actor.tenant, order, refusal) : refusal;
  }
}
