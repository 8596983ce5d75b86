import { and, eq, ne } from "drizzle-orm";
import { approvalKind, type Asked } from "@/lib/approvals/approval-kind";
import { policyOf } from "@/lib/approvals/policy";
import { type Proposed, underPolicy } from "@/lib/approvals/propose";
import { type Shown, shownText } from "@/lib/approvals/shown";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { bankIntent } from "@/lib/bank/intent-schema";
import { kycCase } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { decide, type Decided } from "./decide";
import { decisionKind } from "./decision";
import { CaseDecision } from "./rules";
import { kycDecision } from "./schema";

const FINAL: readonly string[] = ["APPROVED", "REPROVED"];

/** Whether our own people decided about the case already, and that was sent and not refused. */
async function wasDecided(store: Db | Tx, tenant: string, { kycUUID, intentId }: CaseDecision): Promise<boolean> {
  const [earlier] = await store
    .select({ intentId: kycDecision.intentId })
    .from(kycDecision)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, kycDecision.tenant), eq(bankIntent.id, kycDecision.intentId)))
    .where(
      and(
        eq(kycDecision.tenant, tenant),
        eq(kycDecision.kycUUID, kycUUID),
        ne(kycDecision.intentId, intentId),
        // One that is on its way now may yet be refused; meanwhile none other is sent.
        ne(bankIntent.state, "SENDING"),
        ne(bankIntent.state, "REFUSED"),
      ),
    )
    .limit(1);
  return earlier !== undefined;
}

async function isGrave({ store, tenant, order, policy }: Asked<CaseDecision>): Promise<boolean> {
  if (policy.rule === "always") return true;
  if (policy.rule === "never") return false;
  return FINAL.includes(order.expected.status) || wasDecided(store, tenant, order);
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
    headline: shownText(row?.vatNumber ?? kycUUID),
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
