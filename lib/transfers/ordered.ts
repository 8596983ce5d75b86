import { type Approval, readSnapshot } from "@/lib/approvals/snapshot";
import { type Intent, openBody } from "@/lib/provider/intents/intent-record";
import { ExternalTransfer, InternalTransfer } from "@/lib/contract/accounts";
import { maskDocument, maskWithin } from "@/lib/contract/document";
import { maskName } from "@/lib/text/masks";
import type { TransferKind } from "@/lib/db/enums/transfers";
import { bankLabel, bankOfIspb } from "@/lib/text/banks";
import {
  type Essence,
  ExternalOrder,
  InternalOrder,
  type TedPayee,
  essenceOfExternal,
  essenceOfInternal,
} from "./inputs";
import type { Recipient } from "./view";

/** The displayable parts of an order; an account by the provider's id. */
export type OrderedTransfer = {
  userId: string;
  amount: string;
  description: string | null;
  to: { as: "account"; accountId: string } | Recipient;
};

function ofInternal({ userId, amount, accountIdTo, description }: InternalTransfer): OrderedTransfer {
  const said = description === undefined || description === "" ? null : maskWithin(description);
  return { userId, amount, description: said, to: { as: "account", accountId: accountIdTo } };
}

export function recipientOf(paid: TedPayee): Recipient {
  const bank = bankOfIspb(paid.institutionIspb);
  return {
    as: "recipient",
    name: maskName(paid.name),
    document: maskDocument(paid.document),
    bank: bank === null ? null : bankLabel(bank),
    ispb: paid.institutionIspb,
    code: paid.institutionCode,
    branch: paid.branchCode,
    account: paid.accountCode,
    accountType: paid.bankAccountType,
  };
}

const ofExternal = (body: ExternalTransfer): OrderedTransfer => ({
  userId: body.userId,
  amount: body.value,
  description: null,
  to: recipientOf(body),
});

export function orderedBodyOf(kind: TransferKind, intent: Intent): OrderedTransfer | null {
  const body = openBody(intent);
  if (body === null) return null;
  return kind === "INTERNAL" ? ofInternal(InternalTransfer.parse(body)) : ofExternal(ExternalTransfer.parse(body));
}

/** Null when it was altered since the proposal. */
export async function orderedApprovalOf(row: Approval): Promise<(OrderedTransfer & { essence: Essence }) | null> {
  const snapshot = await readSnapshot(row);
  if (snapshot === null) return null;
  const order: unknown = JSON.parse(snapshot.order);
  if (row.kind === "transfer.internal") {
    const internal = InternalOrder.parse(order);
    return { ...ofInternal(internal), essence: essenceOfInternal(internal) };
  }
  const external = ExternalOrder.parse(order);
  return { ...ofExternal(external), essence: essenceOfExternal(external) };
}
