import { defineWrite, type Ordering } from "@/lib/approvals/define-write";
import { type Shown, shownBrl, shownText } from "@/lib/approvals/snapshot";
import type { ApprovalReason } from "@/lib/approvals/view";
import { maskDocument } from "@/lib/contract/document";
import { stateIn } from "@/lib/contract/told-state";
import type { Tx } from "@/lib/db/connection";
import { sendExternalTransfer } from "@/lib/provider/operations";
import { bankLabel, bankOfIspb } from "@/lib/text/banks";
import { accountFacts, accountNames, fact, repeatFact, whyFacts } from "./facts";
import { essenceOfExternal, ExternalOrder, paidByExternal } from "./inputs";
import { accountObject, ended, leaving, type Money, needsApproval, open, proposed, recheck, validate } from "./leave";
import { tedReceipt } from "./receipt";

type SendingTed = Ordering<"transfers:create", ExternalOrder>;

const moneyOf = (order: ExternalOrder): Money => ({ essence: essenceOfExternal(order), paid: paidByExternal(order) });

async function show(tx: Tx, { actor: { tenant }, order }: SendingTed, why: ApprovalReason): Promise<Shown> {
  const { idAccount, value, name, document, institutionIspb, branchCode, accountCode, isRepeat } = order;
  const bank = bankOfIspb(institutionIspb);
  const from = (await accountNames(tx, tenant, [idAccount]))(idAccount);
  return {
    headline: shownBrl(value),
    href: from.href,
    facts: [
      fact("amount", shownBrl(value)),
      ...accountFacts("from", from),
      fact("recipient", shownText(name)),
      fact("document", shownText(maskDocument(document))),
      fact("institution", shownText(bank === null ? institutionIspb : `${bankLabel(bank)} (${institutionIspb})`)),
      fact("branch", shownText(branchCode)),
      fact("account", shownText(accountCode)),
      fact("accountType", { as: "account-type", type: order.bankAccountType }),
      ...repeatFact(isRepeat),
      ...(await whyFacts(tx, tenant, essenceOfExternal(order), why)),
    ],
  };
}

/** Sends a TED (interface: POST …/generateExternalTransferRequest). */
export const sendTed = defineWrite({
  ...leaving,
  name: "transfer.external",
  order: ExternalOrder,
  objectOf: (store, tenant, { idAccount }) => accountObject(store, tenant, idAccount),
  validate: (tx, ordering) => validate(tx, ordering, moneyOf(ordering.order)),
  approval: {
    isExclusive: false,
    needsApproval: (tx, ordering, policy) => needsApproval(tx, ordering, policy, moneyOf(ordering.order)),
    show,
    proposed: (tx, ordering) => proposed(tx, ordering, moneyOf(ordering.order)),
  },
  operation: sendExternalTransfer,
  bodyOf: ({ intentId: _intent, isRepeat: _repeat, seen: _seen, ...body }) => body,
  opened: (tx, ordering) => open(tx, ordering, moneyOf(ordering.order)),
  recheck: (ordering) => recheck(ordering, moneyOf(ordering.order)),
  toStore: tedReceipt,
  told: (answer) => stateIn(answer),
  ended: (tx, end) => ended(tx, "EXTERNAL", end),
});
