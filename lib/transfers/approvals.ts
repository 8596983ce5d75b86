import { and, eq, gte, inArray, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import { findApproval } from "@/lib/approvals/records";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import type { IntentOutcome } from "@/lib/provider/intents/intent";
import { providerIntent } from "@/lib/db/tables/provider";
import { publish } from "@/lib/db/publish";
import { lockByHashes } from "@/lib/db/lease";
import { lookupHash, lookupHashes, UnsealError } from "@/lib/db/seal";
import { account } from "@/lib/db/tables/customers";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { civilDay, TIME_ZONE } from "@/lib/text/time";
import { externalTransfer, internalTransfer, type Receipt, TRANSFER_CODES } from "./kinds";
import {
  type Essence,
  essenceOfExternal,
  essenceOfInternal,
  ExternalOrder,
  InternalOrder,
  fingerprintOn,
  paidByExternal,
  paidByInternal,
  type PaidParty,
} from "./inputs";
import { type KnownRepeat, refuseLike, refuseLikeSince } from "./duplicates";
import { storePayee } from "./find-payee";
import { isFirstUse } from "./payees";
import { readAccountRecord } from "@/lib/accounts/records";
import { bankLabel, bankOfIspb } from "./banks-view";
import { transfer } from "@/lib/db/tables/transfers";
import {
  type Carried,
  executeOrPropose,
  type PolicyQuestion,
  type Proposed,
  type Proposing,
  sentKind,
} from "@/lib/approvals/propose";
import { refuseRestored } from "@/lib/approvals/restore";
import { type Shown, shownBrl, shownText } from "@/lib/approvals/snapshot";
import { type ApprovalReason, type Policy, reaches } from "@/lib/approvals/view";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { dropDraft } from "@/lib/drafts/drafts";
import { maskDocument, maskWithin } from "@/lib/contract/document";

/** What became of an order: HELD is neither done nor failed, the provider's analyst decides until `pendingExpiresAt`. */
export type Transferred = IntentOutcome<Receipt>;

/** An account by its opaque reference, as every record names it; by the provider's id when nobody looked it up yet. */
async function accountObject(store: Db | Tx, tenant: string, accountId: string): Promise<string> {
  const [row] = await store
    .select({ ref: account.ref })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId)));
  return `account:${row?.ref ?? accountId}`;
}

type Repeatable = KnownRepeat & { intentId: string };
type Carrying = Carried<"transfers:create", Repeatable>;
/** What of an order is judged, whichever its kind. */
type Meant = { essence: Essence; paid: PaidParty };

const internalMeant = (order: InternalOrder): Meant => ({
  essence: essenceOfInternal(order),
  paid: paidByInternal(order),
});

const externalMeant = (order: ExternalOrder): Meant => ({
  essence: essenceOfExternal(order),
  paid: paidByExternal(order),
});

const accountClosed = () => new AppError("conflict", { code: "transfer-account-closed" });

async function requireOpen(store: Db | Tx, tenant: string, { essence, paid }: Meant): Promise<void> {
  const parties = paid.accountId === null ? [essence.accountId] : [essence.accountId, paid.accountId];
  const isParty = and(eq(account.tenant, tenant), inArray(account.accountId, parties));
  if ((await store.$count(account, and(isParty, eq(account.standing, "CLOSED")))) > 0) throw accountClosed();
}

async function isClosed(actor: Actor, row: typeof account.$inferSelect): Promise<boolean> {
  try {
    return (await readAccountRecord(actor, row)).standing === "CLOSED";
  } catch (error) {
    if (error instanceof AppError || error instanceof UnsealError) return false;
    throw error;
  }
}

const KEY_LIVES_MS = 23 * 60 * 60_000;

/** It may have waited for days. */
async function askAgain(tx: Tx, { actor: { tenant }, order, object }: Carrying, meant: Meant, approvalId: string) {
  const waited = await findApproval(tx, { tenant, id: approvalId });
  if (waited === null) throw new Error(`approval ${approvalId} is not on record`);
  // Until then the key that it bore in what was lost has it answered as the first one.
  if (Date.now() - waited.createdAt.getTime() > KEY_LIVES_MS) await refuseRestored(tx, waited);
  await requireOpen(tx, tenant, meant);
  const { essence } = meant;
  const repeat = { tenant, essence, object, except: order.intentId };
  await refuseLikeSince(tx, repeat, { ...order, proposedAt: waited.createdAt });
}

/** The order on record, with its INTENT. */
async function open(tx: Tx, carried: Carrying, meant: Meant): Promise<void> {
  const { actor, order, object, approvalId } = carried;
  const { essence, paid } = meant;
  const { intentId, isRepeat } = order;
  const { kind, accountId, amount } = essence;
  const { tenant, id: staffId } = actor;
  const createdAt = new Date();
  const fingerprint = fingerprintOn(essence, civilDay(createdAt));
  if (approvalId !== null) await askAgain(tx, carried, meant, approvalId);
  const row = {
    kind,
    accountId,
    amount,
    fingerprint: lookupHash(fingerprint),
    payeeHash: lookupHash(essence.payee),
    isRepeat,
    staffId,
    approvalId,
    createdAt,
    transactionId: null,
  };
  await tx
    .insert(transfer)
    .values({ tenant, intentId, ...row })
    .onConflictDoUpdate({ target: [transfer.tenant, transfer.intentId], set: row });
  await storePayee(tx, { tenant, intentId }, paid);
  const what = { code: TRANSFER_CODES[kind], object, intentId };
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what, detail: { amount, isRepeat } });
  await publish(tx, { tenant, topic: "transfers", object });
}

/** What of the order is sent. */
function internalBody({ intentId: _intent, isRepeat: _repeat, seen: _seen, ...body }: InternalOrder) {
  return body;
}

function externalBody({ intentId: _intent, isRepeat: _repeat, seen: _seen, ...body }: ExternalOrder) {
  return body;
}

type Fact = Shown["facts"][number];

const fact = (name: Fact["name"], after: Fact["after"]): Fact => ({ name, before: null, after });

type Leaving = { essence: Essence; makerId: string; intentId: string | null };

const TODAY = sql`(date_trunc('day', now() at time zone ${TIME_ZONE}) at time zone ${TIME_ZONE})`;

const sumOf = (whose: SQL) =>
  sql<string>`(coalesce(sum(${transfer.amount}::numeric) filter (where ${whose}), 0))::numeric(20, 2)::text`;
const numberOf = (whose: SQL) => sql<number>`(count(*) filter (where ${whose}))::int`;

/** What left that day with nobody but its makers: of the account that pays, by the maker, to the payee, at the tenant; reais. */
async function leftAlone(store: Db | Tx, tenant: string, { essence, makerId, intentId }: Leaving) {
  const of = {
    account: sql`${eq(transfer.accountId, essence.accountId)}`,
    person: sql`${eq(transfer.staffId, makerId)}`,
    payee: sql`${inArray(transfer.payeeHash, lookupHashes(essence.payee))}`,
    tenant: sql`true`,
  };
  const [left] = await store
    .select({
      account: sumOf(of.account),
      person: sumOf(of.person),
      payee: sumOf(of.payee),
      tenant: sumOf(of.tenant),
      accountCount: numberOf(of.account),
      personCount: numberOf(of.person),
      payeeCount: numberOf(of.payee),
      tenantCount: numberOf(of.tenant),
    })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(
      and(
        eq(transfer.tenant, tenant),
        gte(transfer.createdAt, TODAY),
        ne(providerIntent.state, "REFUSED"),
        isNull(transfer.approvalId),
        intentId === null ? undefined : ne(transfer.intentId, intentId),
      ),
    );
  if (left === undefined) throw new Error("an aggregate without a row");
  return left;
}

/** On an earlier day, and did not come back: a payment of today makes nobody known. */
async function wasPaidEarlier(store: Db | Tx, tenant: string, essence: Essence): Promise<boolean> {
  if (await isFirstUse(store, tenant, essence)) return false;
  const earlier = await store
    .select({ id: transfer.intentId })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(
      and(
        eq(transfer.tenant, tenant),
        inArray(transfer.payeeHash, lookupHashes(essence.payee)),
        lt(transfer.createdAt, TODAY),
        isNull(transfer.returnedAt),
        eq(providerIntent.state, "DONE"),
      ),
    )
    .limit(1);
  return earlier.length > 0;
}

const cents = (reais: string) => BigInt(reais.replace(".", ""));

const isBeyond = (count: number, limit: number | null) => limit !== null && count + 1 > limit;

/** Why a second person must agree, by the first of the policy's terms that asks for one; null where none does. */
export async function approvalReasonOf(
  store: Db | Tx,
  tenant: string,
  leaving: Leaving,
  policy: Policy,
): Promise<ApprovalReason | null> {
  const { rule, amount: from, personSum, personCount, payeeSum, payeeCount, tenantSum, firstSum } = policy;
  const { amount } = leaving.essence;
  const own = { sum: amount, count: 1 };
  if (rule === "always") return { by: "always", ...own, limit: null };
  if (rule !== "above") return null;
  if (reaches(amount, from)) return { by: "amount", ...own, limit: from };
  const left = await leftAlone(store, tenant, leaving);
  const isReached = (sum: string, limit: string | null) => limit !== null && cents(sum) + cents(amount) >= cents(limit);
  const ofPerson = { sum: left.person, count: left.personCount };
  const ofPayee = { sum: left.payee, count: left.payeeCount };
  const ofAccount = { sum: left.account, count: left.accountCount };
  if (isReached(left.account, from)) return { by: "account-sum", ...ofAccount, limit: from };
  if (isReached(left.person, personSum)) return { by: "person-sum", ...ofPerson, limit: personSum };
  if (isBeyond(left.personCount, personCount)) return { by: "person-count", ...ofPerson, limit: String(personCount) };
  if (isReached(left.payee, payeeSum)) return { by: "payee-sum", ...ofPayee, limit: payeeSum };
  if (isBeyond(left.payeeCount, payeeCount)) return { by: "payee-count", ...ofPayee, limit: String(payeeCount) };
  const ofTenant = { sum: left.tenant, count: left.tenantCount };
  if (isReached(left.tenant, tenantSum)) return { by: "tenant-sum", ...ofTenant, limit: tenantSum };
  const isFirst = isReached(left.payee, firstSum) && !(await wasPaidEarlier(store, tenant, leaving.essence));
  return isFirst ? { by: "first-sum", ...ofPayee, limit: firstSum } : null;
}

/** Of two at once neither would see the other. */
async function needsApproval(
  { store, tenant, order: { intentId }, policy, makerId }: PolicyQuestion<Repeatable>,
  essence: Essence,
): Promise<ApprovalReason | null> {
  await lockByHashes(store, `alone ${tenant}`);
  return approvalReasonOf(store, tenant, { essence, makerId, intentId }, policy);
}

/** Accounts as people know them, by branch and number; by the provider's id when nobody looked them up yet. */
async function accountNames(store: Tx, tenant: string, ids: readonly string[]) {
  const { accountId, ref, branch, number, holder } = account;
  const rows = await store
    .select({ accountId, ref, branch, number, holder })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(accountId, [...ids])));
  return (id: string) => {
    const row = rows.find((found) => found.accountId === id);
    return row === undefined
      ? { name: id, href: null, holder: null }
      : { name: `${row.branch} / ${row.number}`, href: `/accounts/${row.ref}`, holder: row.holder };
  };
}

/** An account, and who holds it where the provider named somebody. */
const accountFacts = (side: "from" | "to", { name, holder }: { name: string; holder: string | null }): Fact[] => [
  fact(side, shownText(name)),
  ...(holder === null ? [] : [fact(`${side}Holder`, shownText(holder))]),
];

const repeatFact = (isRepeat: boolean): Fact[] => (isRepeat ? [fact("repeat", shownText(""))] : []);

async function askedFacts({ store, tenant, why }: Proposing<unknown>, essence: Essence): Promise<Fact[]> {
  const isFirst = await isFirstUse(store, tenant, essence);
  return [...(isFirst ? [fact("firstUse", shownText(""))] : []), fact("why", { as: "why", ...why })];
}

async function showInternal(proposing: Proposing<InternalOrder>): Promise<Shown> {
  const { store, tenant, order } = proposing;
  const { accountIdFrom, accountIdTo, amount, description, isRepeat } = order;
  const nameOf = await accountNames(store, tenant, [accountIdFrom, accountIdTo]);
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
      ...(await askedFacts(proposing, essenceOfInternal(order))),
    ],
  };
}

async function showExternal(proposing: Proposing<ExternalOrder>): Promise<Shown> {
  const { store, tenant, order } = proposing;
  const { idAccount, value, name, document, institutionIspb, branchCode, accountCode, isRepeat } = order;
  const bank = bankOfIspb(institutionIspb);
  const from = (await accountNames(store, tenant, [idAccount]))(idAccount);
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
      ...(await askedFacts(proposing, essenceOfExternal(order))),
    ],
  };
}

/** A proposal has a screen of its own: what was typed for it is no draft any more. */
async function proposed(tx: Tx, maker: Transferring, { intentId, paid }: { intentId: string; paid: PaidParty }) {
  const { tenant } = maker;
  await dropDraft(tx, maker, intentId);
  await storePayee(tx, { tenant, intentId }, paid);
  await publish(tx, { tenant, topic: "transfers" });
}

type Transferring = Actor<"transfers:create">;

async function validate(tx: Tx, { tenant }: Transferring, order: Repeatable, meant: Meant): Promise<void> {
  await requireOpen(tx, tenant, meant);
  const { essence } = meant;
  const object = await accountObject(tx, tenant, essence.accountId);
  await refuseLike(tx, { tenant, essence, object, except: order.intentId }, order);
}

/** As the provider tells the account that pays now; where it does not answer, its answer to the transfer says. */
async function recheck({ actor, approvalId }: Carrying, { essence: { accountId } }: Meant): Promise<void> {
  if (approvalId === null) return;
  const isIt = and(eq(account.tenant, actor.tenant), eq(account.accountId, accountId));
  const [row] = await (await db()).select().from(account).where(isIt);
  if (row !== undefined && (await isClosed(actor, row))) throw accountClosed();
}

export const internalApproval = sentKind({
  name: "transfer.internal",
  permission: "transfers:create",
  order: InternalOrder,
  intent: internalTransfer,
  bodyOf: internalBody,
  isExclusive: false,
  objectOf: ({ store, tenant, order }) => accountObject(store, tenant, order.accountIdFrom),
  validate: (tx, maker, order) => validate(tx, maker, order, internalMeant(order)),
  needsApproval: (asked) => needsApproval(asked, essenceOfInternal(asked.order)),
  proposed: (tx, maker, order) => proposed(tx, maker, { intentId: order.intentId, paid: paidByInternal(order) }),
  show: showInternal,
  opened: (tx, carried) => open(tx, carried, internalMeant(carried.order)),
  recheck: (carried) => recheck(carried, internalMeant(carried.order)),
});

export const externalApproval = sentKind({
  name: "transfer.external",
  permission: "transfers:create",
  order: ExternalOrder,
  intent: externalTransfer,
  bodyOf: externalBody,
  isExclusive: false,
  objectOf: ({ store, tenant, order }) => accountObject(store, tenant, order.idAccount),
  validate: (tx, maker, order) => validate(tx, maker, order, externalMeant(order)),
  needsApproval: (asked) => needsApproval(asked, essenceOfExternal(asked.order)),
  proposed: (tx, maker, order) => proposed(tx, maker, { intentId: order.intentId, paid: paidByExternal(order) }),
  show: showExternal,
  opened: (tx, carried) => open(tx, carried, externalMeant(carried.order)),
  recheck: (carried) => recheck(carried, externalMeant(carried.order)),
});

/** Moves money between two accounts of the provider, or proposes it (interface: POST …/generateInternalTransferRequest). */
export const orderInternalTransfer = (actor: Transferring, order: InternalOrder): Promise<Transferred | Proposed> =>
  executeOrPropose(internalApproval, actor, order);

/** Sends a TED, or proposes it (interface: POST …/generateExternalTransferRequest). */
export const orderExternalTransfer = (actor: Transferring, order: ExternalOrder): Promise<Transferred | Proposed> =>
  executeOrPropose(externalApproval, actor, order);
