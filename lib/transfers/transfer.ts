import { defineWrite, type Ordering } from "@/lib/approvals/define-write";
import { type Shown, shownBrl, shownText } from "@/lib/approvals/snapshot";
import type { ApprovalReason } from "@/lib/approvals/view";
import { maskWithin } from "@/lib/contract/document";
import type { Tx } from "@/lib/db/connection";
import { sendInternalTransfer } from "@/lib/provider/operations";
import { accountFacts, accountNames, fact, repeatFact, whyFacts } from "./facts";
import { essenceOfInternal, InternalOrder, paidByInternal } from "./inputs";
import { accountObject, ended, leaving, type Money, needsApproval, open, proposed, recheck, validate } from "./leave";

type Transferring = Ordering<"transfers:create", InternalOrder>;

const moneyOf = (order: InternalOrder): Money => ({ essence: essenceOfInternal(order), paid: paidByInternal(order) });

async function show(tx: Tx, { actor: { tenant }, order }: Transferring, why: ApprovalReason): Promise<Shown> {
  const { accountIdFrom, accountIdTo, amount, description, isRepeat } = order;
  const nameOf = await accountNames(tx, tenant, [accountIdFrom, accountIdTo]);
  const from = nameOf(accountIdFrom);
  return {
    headline: shownBrl(amount),
    href: from.href,
    facts: [
      fact("amount", shownBrl(amount)),
      ...accountFacts("from", from),
      ...accountFacts("to", nameOf(accountIdTo)),
      ...(description === undefined ? [] : [fact("description", shownText(maskWithin(description)))]),
      ...repeatFact(isRepeat),
      ...(await whyFacts(tx, tenant, essenceOfInternal(order), why)),
    ],
  };
}

/** Moves money between two accounts of the provider (interface: POST …/generateInternalTransferRequest). */
export const sendTransfer = defineWrite({
  ...leaving,
  name: "transfer.internal",
  order: InternalOrder,
  objectOf: (store, tenant, { accountIdFrom }) => accountObject(store, tenant, accountIdFrom),
  validate: (tx, ordering) => validate(tx, ordering, moneyOf(ordering.order)),
  approval: {
    isExclusive: false,
    needsApproval: (tx, ordering, policy) => needsApproval(tx, ordering, policy, moneyOf(ordering.order)),
    show,
    proposed: (tx, ordering) => proposed(tx, ordering, moneyOf(ordering.order)),
  },
  operation: sendInternalTransfer,
  bodyOf: ({ intentId: _intent, isRepeat: _repeat, seen: _seen, ...body }) => body,
  opened: (tx, ordering) => open(tx, ordering, moneyOf(ordering.order)),
  recheck: (ordering) => recheck(ordering, moneyOf(ordering.order)),
  toStore: ({ status, data }) => (status === "CONFIRMED" ? { transactionId: data.transactionId } : null),
  ended: (tx, end) => ended(tx, "INTERNAL", end),
});
