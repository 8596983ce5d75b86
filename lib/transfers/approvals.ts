import { and, eq, inArray } from "drizzle-orm";
import { approvalKind, type Asked } from "@/lib/approvals/approval-kind";
import { type Proposed, underPolicy } from "@/lib/approvals/propose";
import { type Shown, shownBrl, shownText } from "@/lib/approvals/frozen";
import { reaches } from "@/lib/approvals/view";
import type { Actor } from "@/lib/auth/grant";
import { publish } from "@/lib/live/publish";
import { dropDraft } from "@/lib/preferences/records";
import { maskDocument, maskWithin } from "@/lib/contract/document";
import { account } from "@/lib/store/schema";
import { db, type Tx } from "@/lib/store/store";
import { externalTransfer, internalTransfer } from "./kinds";
import { ExternalOrder, InternalOrder } from "./rules";
import {
  accountObject,
  externalBody,
  internalBody,
  type Transferred,
  transferExternal,
  transferInternal,
} from "./transfer";

type Fact = Shown["facts"][number];

const fact = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });

async function isGraveAmount(amount: string, { policy }: Pick<Asked<unknown>, "policy">): Promise<boolean> {
  if (policy.rule === "never") return false;
  return policy.rule === "always" || reaches(amount, policy);
}

/** Accounts as people know them, by branch and number; by the provider's id when nobody looked them up yet. */
async function accountNames(tenant: string, ids: readonly string[]) {
  const store = await db();
  const { accountId, ref, branch, number } = account;
  const rows = await store
    .select({ accountId, ref, branch, number })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(accountId, [...ids])));
  return (id: string) => {
    const row = rows.find((found) => found.accountId === id);
    return row === undefined
      ? { name: id, href: null }
      : { name: `${row.branch} / ${row.number}`, href: `/accounts/${row.ref}` };
  };
}

const repeatFact = (isRepeat: boolean): Fact[] => (isRepeat ? [fact("repeat", shownText(""))] : []);

async function showInternal(tenant: string, order: InternalOrder): Promise<Shown> {
  const { accountIdFrom, accountIdTo, amount, description, isRepeat } = order;
  const nameOf = await accountNames(tenant, [accountIdFrom, accountIdTo]);
  const from = nameOf(accountIdFrom);
  return {
    headline: shownBrl(amount),
    href: from.href,
    facts: [
      fact("amount", shownBrl(amount)),
      fact("from", shownText(from.name)),
      fact("to", shownText(nameOf(accountIdTo).name)),
      ...(description === undefined ? [] : [fact("description", shownText(maskWithin(description)))]),
      ...repeatFact(isRepeat),
    ],
  };
}

async function showExternal(tenant: string, order: ExternalOrder): Promise<Shown> {
  const { idAccount, value, name, document, institutionIspb, branchCode, accountCode, isRepeat } = order;
  const from = (await accountNames(tenant, [idAccount]))(idAccount);
  return {
    headline: shownBrl(value),
    href: from.href,
    facts: [
      fact("amount", shownBrl(value)),
      fact("from", shownText(from.name)),
      fact("recipient", shownText(name)),
      fact("document", shownText(maskDocument(document))),
      fact("institution", shownText(institutionIspb)),
      fact("branch", shownText(branchCode)),
      fact("account", shownText(accountCode)),
      ...repeatFact(isRepeat),
    ],
  };
}

/** A proposal has a screen of its own: what was typed for it is no draft any more. */
async function admit(tx: Tx, { tenant }: { tenant: string }, { intentId }: { intentId: string }): Promise<void> {
  await dropDraft(tx, tenant, intentId);
  await publish(tx, { tenant, topic: "transfers" });
}

export const internalApproval = approvalKind({
  name: "transfer.internal",
  permission: "transfers:create",
  order: InternalOrder,
  bytesOf: (order) => internalTransfer.bytesOf(internalBody(order)),
  isExclusive: false,
  objectOf: (tenant, { accountIdFrom }) => accountObject(tenant, accountIdFrom),
  isGrave: ({ order, policy }) => isGraveAmount(order.amount, { policy }),
  admit,
  show: showInternal,
  perform: (actor, order) => transferInternal(actor, order),
});

export const externalApproval = approvalKind({
  name: "transfer.external",
  permission: "transfers:create",
  order: ExternalOrder,
  bytesOf: (order) => externalTransfer.bytesOf(externalBody(order)),
  isExclusive: false,
  objectOf: (tenant, { idAccount }) => accountObject(tenant, idAccount),
  isGrave: ({ order, policy }) => isGraveAmount(order.value, { policy }),
  admit,
  show: showExternal,
  perform: (actor, order) => transferExternal(actor, order),
});

type Transferring = Actor<"transfers:create">;

/** Moves money between two accounts of the provider, or proposes it where the policy asks for a second person. */
export const orderInternalTransfer = (actor: Transferring, order: InternalOrder): Promise<Transferred | Proposed> =>
  underPolicy(internalApproval, actor, order);

/** Sends a TED, or proposes it where the policy asks for a second person. */
export const orderExternalTransfer = (actor: Transferring, order: ExternalOrder): Promise<Transferred | Proposed> =>
  underPolicy(externalApproval, actor, order);
