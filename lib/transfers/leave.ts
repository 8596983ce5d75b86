import { and, eq, inArray } from "drizzle-orm";
import { readAccountRecord } from "@/lib/accounts/records";
import type { Ordering } from "@/lib/approvals/define-write";
import { type ApprovalId, findApproval } from "@/lib/approvals/records";
import { refuseRestored } from "@/lib/approvals/restore";
import type { ApprovalReason } from "@/lib/approvals/view";
import { record } from "@/lib/audit/record";
import { type Db, db, type Tx } from "@/lib/db/connection";
import type { TransferKind } from "@/lib/db/enums/transfers";
import { lockByHashes } from "@/lib/db/lease";
import { publish } from "@/lib/db/publish";
import { lookupHash, UnsealError } from "@/lib/db/seal";
import { account } from "@/lib/db/tables/customers";
import { transfer } from "@/lib/db/tables/transfers";
import { dropDraft } from "@/lib/drafts/drafts";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { Policy } from "@/lib/permission/writes";
import type { Intent, IntentEnd } from "@/lib/provider/intents/intent-record";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";
import { civilDay } from "@/lib/text/time";
import { type KnownRepeat, type PossibleRepeat, refuseLike, refuseLikeSince, TRANSFER_NAMES } from "./duplicates";
import { storePayee } from "./find-payee";
import { type Essence, fingerprintOn, type PaidParty } from "./inputs";
import { approvalReasonOf } from "./limits";
import { savePaid } from "./payees";
import { Receipt } from "./receipt";
import { describePayee } from "./records";

/** An account by its opaque reference, as every record names it; by the provider's id when not looked up yet. */
export async function accountObject(store: Db | Tx, tenant: string, accountId: string): Promise<string> {
  const [row] = await store
    .select({ ref: account.ref })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId)));
  return `account:${row?.ref ?? accountId}`;
}

type Leaving = Ordering<"transfers:create", KnownRepeat & { intentId: string }>;

/** The parts of an order that limits judge, for either kind. */
export type Money = { essence: Essence; paid: PaidParty };

const accountClosed = () => new AppError("conflict", { code: "transfer-account-closed" });

async function requireOpen(store: Db | Tx, tenant: string, { essence, paid }: Money): Promise<void> {
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

async function validateAgain(tx: Tx, waiting: ApprovalId, repeat: PossibleRepeat, known: KnownRepeat): Promise<void> {
  const waited = await findApproval(tx, waiting);
  if (waited === null) throw new Error(`approval ${waiting.id} is not on record`);
  // While the key is remembered, a resend gets the first answer; afterwards a restored request is refused.
  if (Date.now() - waited.createdAt.getTime() > KEY_LIVES_MS) await refuseRestored(tx, waited);
  await refuseLikeSince(tx, repeat, { ...known, proposedAt: waited.createdAt });
}

export async function validate(tx: Tx, leaving: Leaving, money: Money): Promise<void> {
  const { actor, order, object, approvalId } = leaving;
  const { tenant } = actor;
  await requireOpen(tx, tenant, money);
  const repeat = { tenant, essence: money.essence, object, except: order.intentId };
  if (approvalId === null) await refuseLike(tx, repeat, order);
  else await validateAgain(tx, { tenant, id: approvalId }, repeat, order);
}

/** Locks, because two concurrent transfers would not see each other in the day's sum. */
export async function needsApproval(
  tx: Tx,
  { actor, order: { intentId } }: Leaving,
  policy: Policy,
  { essence }: Money,
): Promise<ApprovalReason | null> {
  const { tenant, id: makerId } = actor;
  await lockByHashes(tx, `alone ${tenant}`);
  return approvalReasonOf(tx, tenant, { essence, makerId, intentId }, policy);
}

/** A proposal has its own screen, so its draft is dropped. */
export async function proposed(tx: Tx, { actor, order: { intentId } }: Leaving, { paid }: Money): Promise<void> {
  const { tenant } = actor;
  await dropDraft(tx, actor, intentId);
  await storePayee(tx, { tenant, intentId }, paid);
  await publish(tx, { tenant, topic: "transfers" });
}

export async function open(tx: Tx, leaving: Leaving, { essence, paid }: Money): Promise<void> {
  const { actor, order, object, approvalId } = leaving;
  const { intentId, isRepeat } = order;
  const { kind, accountId, amount } = essence;
  const { tenant, id: staffId } = actor;
  const createdAt = new Date();
  const fingerprint = fingerprintOn(essence, civilDay(createdAt));
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
  const what = { code: TRANSFER_NAMES[kind], object, intentId };
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what, detail: { amount, isRepeat } });
  await publish(tx, { tenant, topic: "transfers", object });
}

/** Reads the paying account's status now; if the provider does not answer, the transfer's own answer decides. */
export async function recheck({ actor, approvalId }: Leaving, { essence: { accountId } }: Money): Promise<void> {
  if (approvalId === null) return;
  const isIt = and(eq(account.tenant, actor.tenant), eq(account.accountId, accountId));
  const [row] = await (await db()).select().from(account).where(isIt);
  if (row !== undefined && (await isClosed(actor, row))) throw accountClosed();
}

export async function ended(
  tx: Tx,
  kind: TransferKind,
  { intent, by, outcome, stored }: IntentEnd<Receipt>,
): Promise<void> {
  const { tenant, id: intentId, actor, object, state, status, code, antifraudId } = intent;
  const what = { code: TRANSFER_NAMES[kind], object, intentId, detail: { status, code, antifraudId } };
  await record(tx, { tenant, actor: by, outcome, ...what });
  await publish(tx, { tenant, topic: "transfers", object });
  // A refused one is corrected and resent; any other has its own screen.
  if (state !== "REFUSED") await dropDraft(tx, { tenant, id: actor }, intentId);
  if (state === "DONE") await savePaid(tx, kind, intent);
  if (stored === null) return;
  await tx
    .update(transfer)
    .set({ transactionId: stored.transactionId, endToEndId: stored.endToEndId ?? null })
    .where(and(eq(transfer.tenant, tenant), eq(transfer.intentId, intentId)));
}

async function describe(store: Db | Tx, { tenant, id, object }: Intent): Promise<OutcomeSubject> {
  const [row] = await store
    .select({ amount: transfer.amount, branch: account.branch, number: account.number, ref: account.ref })
    .from(transfer)
    .leftJoin(account, and(eq(account.tenant, transfer.tenant), eq(account.accountId, transfer.accountId)))
    .where(and(eq(transfer.tenant, tenant), eq(transfer.intentId, id)));
  const isKnown = row !== undefined && row.ref !== null;
  return {
    subject: isKnown ? `${row.branch} / ${row.number}` : object.replace("account:", ""),
    amount: row?.amount ?? null,
    destination: await describePayee(store, { tenant, id }),
    href: row === undefined ? null : `/transfers/${id}`,
  };
}

/** With an Idempotency-Key, and both may be held by antifraud (interface: Bank accounts › transfers). */
export const leaving = {
  isKeyed: true,
  busyCode: null,
  unconfirmedCode: "transfer-unconfirmed",
  stored: Receipt,
  settle: { needsSecond: true, describe },
} as const;
