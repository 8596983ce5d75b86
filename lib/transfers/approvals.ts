import { and, eq, inArray, ne, gte, notExists, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { type IntentOutcome, type IntentWish, intents } from "@/lib/bank/intent";
import { bankIntent } from "@/lib/bank/schema";
import { publish } from "@/lib/live/publish";
import { lockByHashes } from "@/lib/store/lease";
import { lookupHash, lookupHashes } from "@/lib/store/seal";
import { account } from "@/lib/store/schema";
import { db, type Tx, type Db } from "@/lib/store/store";
import { civilDay, TIME_ZONE } from "@/lib/text/time";
import { externalTransfer, internalTransfer, type Receipt, TRANSFER_CODES } from "./kinds";
import {
  type Essence,
  essenceOfExternal,
  essenceOfInternal,
  ExternalOrder,
  InternalOrder,
  fingerprintOn,
} from "./rules";
import { transfer } from "./schema";
import { approvalKind, type Asked } from "@/lib/approvals/approval-kind";
import { type Proposed, underPolicy } from "@/lib/approvals/propose";
import { type Shown, shownBrl, shownText } from "@/lib/approvals/frozen";
import { policyOf } from "@/lib/approvals/policy";
import { approval } from "@/lib/approvals/schema";
import { type Policy, reaches } from "@/lib/approvals/view";
import { ofIntent } from "@/lib/bank/intent-record";
import { dropDraft } from "@/lib/preferences/records";
import { maskDocument, maskWithin } from "@/lib/contract/document";

/** What became of an order: HELD is neither done nor failed, the provider's analyst decides until `pendingExpiresAt`. */
export type Transferred = IntentOutcome<Receipt>;

type Ordered = Essence & {
  actor: Actor<"transfers:create">;
  intentId: string;
  isRepeat: boolean;
  /** `account:<ref>`. */
  object: string;
  /** Throws what keeps it from going out now; null where a second person agreed. */
  check: Check | null;
};

/** In the transaction that puts the order on record. */
type Check = (tx: Tx, tenant: string) => Promise<void>;

/** An account by its opaque reference, as every record names it; by the provider's id when nobody looked it up yet. */
async function accountObject(tenant: string, accountId: string): Promise<string> {
  const [row] = await (
    await db()
  )
    .select({ ref: account.ref })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId)));
  return `account:${row?.ref ?? accountId}`;
}

async function refuseDuplicate(tx: Tx, { actor: { tenant }, intentId, isRepeat }: Ordered, fingerprint: string) {
  // Two like orders at once would not see each other.
  await lockByHashes(tx, fingerprint);
  const [like] = await tx
    .select({ intentId: transfer.intentId })
    .from(transfer)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, transfer.tenant), eq(bankIntent.id, transfer.intentId)))
    .where(
      and(
        eq(transfer.tenant, tenant),
        inArray(transfer.fingerprint, lookupHashes(fingerprint)),
        ne(transfer.intentId, intentId),
        ne(bankIntent.state, "REFUSED"),
      ),
    )
    .limit(1);
  if (like !== undefined && !isRepeat) throw new BankError("conflict", { code: "possible-duplicate" });
}

/** The order on record, with its INTENT; conflict when it may be one that was given before. */
async function open(tx: Tx, ordered: Ordered): Promise<void> {
  const { actor, intentId, isRepeat, kind, accountId, object, amount } = ordered;
  const { tenant, id: staffId } = actor;
  const createdAt = new Date();
  const fingerprint = fingerprintOn(ordered, civilDay(createdAt));
  await refuseDuplicate(tx, ordered, fingerprint);
  await ordered.check?.(tx, tenant);
  const order = {
    kind,
    accountId,
    amount,
    fingerprint: lookupHash(fingerprint),
    isRepeat,
    staffId,
    createdAt,
    transactionId: null,
  };
  await tx
    .insert(transfer)
    .values({ tenant, intentId, ...order })
    .onConflictDoUpdate({ target: [transfer.tenant, transfer.intentId], set: order });
  const what = { code: TRANSFER_CODES[kind], object, intentId };
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what, detail: { amount, isRepeat } });
  await publish(tx, { tenant, topic: "transfers", object: what.object });
}

const wishOf = <Body>(ordered: Ordered, body: Body): IntentWish<Body> => ({
  actor: ordered.actor,
  intentId: ordered.intentId,
  object: ordered.object,
  body,
  opened: (tx) => open(tx, ordered),
});

/** What of the order is sent. */
function internalBody({ intentId: _intent, isRepeat: _repeat, ...body }: InternalOrder) {
  return body;
}

function externalBody({ intentId: _intent, isRepeat: _repeat, ...body }: ExternalOrder) {
  return body;
}

/**
 * Moves money between two accounts of the provider, once per intent (interface: POST …/generateInternalTransferRequest).
 * Throws what `Intents.carryOut` does, and conflict `possible-duplicate` when today's São Paulo day has a transfer of the
 * same amount between the same two that was not refused, unless `isRepeat`.
 */
export async function transferInternal(
  actor: Actor<"transfers:create">,
  order: InternalOrder,
  check: Check | null = null,
): Promise<Transferred> {
  const { intentId, isRepeat } = order;
  const essence = essenceOfInternal(order);
  const object = await accountObject(actor.tenant, essence.accountId);
  return intents.carryOut(
    internalTransfer,
    wishOf({ actor, intentId, isRepeat, object, check, ...essence }, internalBody(order)),
  );
}

/** Sends a TED, once per intent (interface: POST …/generateExternalTransferRequest); throws as `transferInternal` does. */
export async function transferExternal(
  actor: Actor<"transfers:create">,
  order: ExternalOrder,
  check: Check | null = null,
): Promise<Transferred> {
  const { intentId, isRepeat } = order;
  const essence = essenceOfExternal(order);
  const object = await accountObject(actor.tenant, essence.accountId);
  return intents.carryOut(
    externalTransfer,
    wishOf({ actor, intentId, isRepeat, object, check, ...essence }, externalBody(order)),
  );
}

type Fact = Shown["facts"][number];

const fact = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });

type Leaving = { accountId: string; amount: string; intentId: string | null };

/** Whether a second person must agree: for the amount itself, or as the last of what is split below the policy. */
type Gravity = {
  needsApproval: boolean;
  /** Reais that left the account today with nobody but their makers. */ alone: string;
};

const TODAY = sql`(date_trunc('day', now() at time zone ${TIME_ZONE}) at time zone ${TIME_ZONE})`;

export async function approvalNeedOf(
  store: Db | Tx,
  tenant: string,
  leaving: Leaving,
  policy: Policy,
): Promise<Gravity> {
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
  const needsApproval = policy.rule === "always" || (policy.rule === "above" && reaches(whole, policy));
  return { needsApproval, alone };
}

const transferNeedsApproval = async ({ store, tenant, policy }: Asked<unknown>, leaving: Leaving) =>
  (await approvalNeedOf(store, tenant, leaving, policy)).needsApproval;

/** Of two at once from one account each would not see the other: checked again where the order is put on record. */
const aloneStill =
  (kind: "transfer.internal" | "transfer.external", leaving: Leaving) => async (tx: Tx, tenant: string) => {
    await lockByHashes(tx, `alone ${tenant} ${leaving.accountId}`);
    const { needsApproval } = await approvalNeedOf(tx, tenant, leaving, await policyOf(tx, tenant, kind));
    if (needsApproval) throw new BankError("conflict", { code: "transfer-split" });
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
  needsApproval: (asked) => transferNeedsApproval(asked, leavingOfInternal(asked.order)),
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
  needsApproval: (asked) => transferNeedsApproval(asked, leavingOfExternal(asked.order)),
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
