import { and, eq } from "drizzle-orm";
import { approvalKind, type Asked } from "@/lib/approvals/approval-kind";
import { policyOf } from "@/lib/approvals/policy";
import { type Proposed, underPolicy } from "@/lib/approvals/propose";
import { type Shown, shownText } from "@/lib/approvals/shown";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { maskWithin } from "@/lib/contract/document";
import { kycCase } from "@/lib/store/schema";
import { db, type Tx } from "@/lib/store/store";
import { decide, type Decided } from "./decide";
import { decisionKind } from "./decision";
import { decidedAmong, isFinal } from "./gravity";
import { CaseDecision } from "./rules";

async function isGrave({ store, tenant, order, policy }: Asked<CaseDecision>): Promise<boolean> {
  if (policy.rule === "always") return true;
  if (policy.rule === "never") return false;
  if (isFinal(order.expected.status)) return true;
  const { kycUUID, intentId: except } = order;
  return (await decidedAmong(store, { tenant, except }, [kycUUID])).has(kycUUID);
}

/** Somebody else's decision may have come to its end while this one was on its way. */
const refuseLateRepeat = (tenant: string, order: CaseDecision) => async (tx: Tx) => {
  const policy = await policyOf(tx, tenant, "kyc.decision");
  if (await isGrave({ store: tx, tenant, order, policy })) throw new BankError("conflict", { code: "case-changed" });
};

async function show(tenant: string, { kycUUID, decision, reason, expected }: CaseDecision): Promise<Shown> {
  const [row] = await (
    await db()
  )
    .select({ vatNumber: kycCase.vatNumber })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)));
  return {
    headline: shownText(maskWithin(row?.vatNumber ?? kycUUID)),
    href: `/kyc/${encodeURIComponent(kycUUID)}`,
    facts: [
      {
        name: "status",
        before: { as: "kyc-status", status: expected.status },
        after: { as: "kyc-status", status: decision },
      },
      { name: "reason", before: null, after: shownText(reason) },
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
  show,
  perform: async (actor, order, isAuthorised): Promise<CaseDecided> => {
    const guard = isAuthorised ? undefined : refuseLateRepeat(actor.tenant, order);
    return { state: "DECIDED", ...(await decide(actor, order, guard)) };
  },
});

/** Decides a case, or proposes the decision where the policy asks for a second person. Throws as `decide` and `underPolicy` do. */
export const orderDecision = (actor: Actor<"kyc:decide">, order: CaseDecision): Promise<CaseDecided | Proposed> =>
  underPolicy(decisionApproval, actor, order);
