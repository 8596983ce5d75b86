import { and, eq, gte, inArray, ne, notExists, sql } from "drizzle-orm";
import { approvalKind, type Asked } from "@/lib/approvals/approval-kind";
import { type Proposed, underPolicy } from "@/lib/approvals/propose";
import { type Shown, shownBrl, shownText } from "@/lib/approvals/frozen";
import { policyOf } from "@/lib/approvals/policy";
import { approval } from "@/lib/approvals/schema";
import { type Policy, reaches } from "@/lib/approvals/view";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { ofIntent } from "@/lib/bank/intent-record";
import { bankIntent } from "@/lib/bank/schema";
import { publish } from "@/lib/live/publish";
import { dropDraft } from "@/lib/preferences/records";
import { maskDocument, maskWithin } from "@/lib/contract/document";
import { account } from "@/lib/store/schema";
import { lockByHashes } from "@/lib/store/lease";
import { type Db, db, type Tx } from "@/lib/store/store";
import { TIME_ZONE } from "@/lib/text/time";
import { externalTransfer, internalTransfer } from "./kinds";
import { ExternalOrder, InternalOrder } from "./rules";
import { transfer } from "./schema";
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

type Leaving = { accountId: string; amount: string; intentId: string | null };

/** Whether a second person must agree: for the amount itself, or as the last of what is split below the policy. */
export type Gravity = {
  isGrave: boolean;
  /** Reais that left the account today with nobody but their makers. */ alone: string;
};

const TODAY = sql`(date_trunc('day', now() at time zone ${TIME_ZONE}) at time zone ${TIME_ZONE})`;

export async function gravityOf(store: Db | Tx, tenant: string, leaving: Leaving, policy: Policy): Promise<Gravity> {
  const { accountId, amount, intentId } = leaving;
  const wasProposed = store
    .select({ id: approval.id })
    .from(approval)
    .where(and(eq(approval.tenant, transfer.tenant), eq(approval.intentId, transfer.intentId)));
  const sum = sql`coalesce(sum(${transfer.amount}::numeric), 0)`;
  const [sums] = await store
    .select({
      alone: sql<string>`(${sum})::numeric(20, 2)::text`,
      whole: sql<string>`(${sum} + ${amount}::numeric)::numeric(20, 2)::text`,
    })
    .from(transfer)
    .innerJoin(bankIntent, ofIntent(transfer))
    .where(
      and(
        eq(transfer.tenant, tenant),
        eq(transfer.accountId, accountId),
        gte(transfer.createdAt, TODAY),
        ne(bankIntent.state, "REFUSED"),
        notExists(wasProposed),
        intentId === null ? undefined : ne(transfer.intentId, intentId),
      ),
    );
  const { alone = "0.00", whole = amount } = sums ?? {};
  const isGrave = policy.rule === "always" || (policy.rule === "above" && reaches(whole, policy));
  return { isGrave, alone };
}

const isGraveTransfer = async ({ store, tenant, policy }: Asked<unknown>, leaving: Leaving) =>
  (await gravityOf(store, tenant, leaving, policy)).isGrave;

/** Of two at once from one account each would not see the other: checked again where the order is put on record. */
const aloneStill =
  (kind: "transfer.internal" | "transfer.external", leaving: Leaving) => async (tx: Tx, tenant: string) => {
    await lockByHashes(tx, `alone ${tenant} ${leaving.accountId}`);
    const { isGrave } = await gravityOf(tx, tenant, leaving, await policyOf(tx, tenant, kind));
    if (isGrave) throw new BankError("conflict", { code: "transfer-split" });
  };

const leavingOfInternal = ({ accountIdFrom: accountId, amount, intentId }: InternalOrder): Leaving => ({
  accountId,
  amount,
  intentId,
});
const leavingOfExternal = ({ idAccount: accountId, value: amount, intentId }: ExternalOrder): Leaving => ({
  accountId,
  amount,
  intentId,
});

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
  isGrave: (asked) => isGraveTransfer(asked, leavingOfInternal(asked.order)),
  admit,
  show: showInternal,
  perform: (actor, order, isAuthorised) =>
    transferInternal(actor, order, isAuthorised ? null : aloneStill("transfer.internal", leavingOfInternal(order))),
});

export const externalApproval = approvalKind({
  name: "transfer.external",
  permission: "transfers:create",
  order: ExternalOrder,
  bytesOf: (order) => externalTransfer.bytesOf(externalBody(order)),
  isExclusive: false,
  objectOf: (tenant, { idAccount }) => accountObject(tenant, idAccount),
  isGrave: (asked) => isGraveTransfer(asked, leavingOfExternal(asked.order)),
  admit,
  show: showExternal,
  perform: (actor, order, isAuthorised) =>
    transferExternal(actor, order, isAuthorised ? null : aloneStill("transfer.external", leavingOfExternal(order))),
});

type Transferring = Actor<"transfers:create">;

/** Moves money between two accounts of the provider, or proposes it where the policy asks for a second person. */
export const orderInternalTransfer = (actor: Transferring, order: InternalOrder): Promise<Transferred | Proposed> =>
  underPolicy(internalApproval, actor, order);

/** Sends a TED, or proposes it where the policy asks for a second person. */
export const orderExternalTransfer = (actor: Transferring, order: ExternalOrder): Promise<Transferred | Proposed> =>
  underPolicy(externalApproval, actor, order);
