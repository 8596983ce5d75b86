import { and, desc, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { policyOf } from "@/lib/approvals/policy";
import { approval } from "@/lib/approvals/schema";
import { reaches } from "@/lib/approvals/view";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { findIntent, ofIntent } from "@/lib/bank/intent-record";
import { bankIntent } from "@/lib/bank/schema";
import type { Draft, DraftAnswer } from "@/lib/preferences/draft-view";
import { keepDraft, openDraft } from "@/lib/preferences/records";
import { recordAccess } from "@/lib/privacy/access-log";
import { lookupHashes } from "@/lib/store/seal";
import { account, onboarding, staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { civilDaysAgo } from "@/lib/text/time";
import { approvalNeedOf, orderExternalTransfer, orderInternalTransfer } from "./approvals";
import { orderedBodyOf, orderedProposalOf, partyOf, stateOfIntent } from "./records";
import {
  type Essence,
  essenceOfExternal,
  essenceOfInternal,
  ExternalOrder,
  InternalOrder,
  fingerprintOn,
  type TransferDrafting,
  type TransferForm,
  type TransferOrder,
} from "./rules";
import { transfer } from "./schema";
import { type TedWindow, tedWindow } from "./ted-window";
import { type AccountParty, type TransferDuplicate, REPEAT_DAYS, type TransferKind } from "./view";

type Orderer = Actor<"transfers:create">;
type AccountRow = typeof account.$inferSelect;

async function accountOf(store: Db, tenant: string, ref: string): Promise<AccountRow> {
  const [row] = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.ref, ref)));
  if (row === undefined) throw new BankError("not-found");
  return row;
}

/** A TED names the onboarding of the account that pays; null when it is not known here. */
async function onboardingIdOf(store: Db, { tenant, accountId }: AccountRow): Promise<string | null> {
  const [row] = await store
    .select({ id: onboarding.onBoardingId })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.accountId, accountId), isNotNull(onboarding.onBoardingId)))
    .orderBy(sql`${onboarding.status} = 'CONFIRMED' desc`, desc(onboarding.seq))
    .limit(1);
  return row?.id ?? null;
}

type Meant =
  | { kind: "INTERNAL"; order: InternalOrder; to: AccountRow }
  | { kind: "EXTERNAL"; order: ExternalOrder; to: null };

/** What the provider would be told, under this intent. */
async function meantBy(
  store: Db,
  tenant: string,
  form: TransferForm,
  named: { intentId: string; isRepeat: boolean },
): Promise<Meant> {
  const from = await accountOf(store, tenant, form.from);
  const { kind, userId, amount } = form;
  if (kind === "INTERNAL") {
    const to = await accountOf(store, tenant, form.to);
    const { description } = form;
    const order = {
      ...named,
      userId,
      accountIdFrom: from.accountId,
      accountIdTo: to.accountId,
      amount,
      ...(description !== "" && { description }),
    };
    return { kind, order: InternalOrder.parse(order), to };
  }
  const onBoardingId = await onboardingIdOf(store, from);
  if (onBoardingId === null) throw new BankError("conflict", { code: "ted-without-onboarding" });
  const { document, name, institutionIspb, institutionCode, branchCode, accountCode, bankAccountType } = form;
  const order = {
    ...named,
    userId,
    onBoardingId,
    idAccount: from.accountId,
    document,
    name,
    institutionIspb,
    institutionCode: Number(institutionCode),
    branchCode,
    accountCode,
    bankAccountType,
    value: amount,
  };
  return { kind, order: ExternalOrder.parse(order), to: null };
}

const essenceOf = (meant: Meant): Essence =>
  meant.kind === "INTERNAL" ? essenceOfInternal(meant.order) : essenceOfExternal(meant.order);

const APPROVAL_NAMES = { INTERNAL: "transfer.internal", EXTERNAL: "transfer.external" } as const;

type Sought = { tenant: string; essence: Essence; object: string; except: string | null };

async function likeSent(store: Db, { tenant, essence, except }: Sought): Promise<TransferDuplicate[]> {
  const days = Array.from({ length: REPEAT_DAYS }, (_, ago) => civilDaysAgo(ago));
  const hashes = days.flatMap((day) => lookupHashes(fingerprintOn(essence, day)));
  const rows = await store
    .select({ ref: transfer.intentId, at: transfer.createdAt, byName: staff.name, state: stateOfIntent })
    .from(transfer)
    .innerJoin(bankIntent, ofIntent(transfer))
    .innerJoin(staff, eq(staff.id, transfer.staffId))
    .where(
      and(
        eq(transfer.tenant, tenant),
        inArray(transfer.fingerprint, hashes),
        ne(bankIntent.state, "REFUSED"),
        except === null ? undefined : ne(transfer.intentId, except),
      ),
    )
    .orderBy(desc(transfer.createdAt));
  return rows.map(({ at, state, ...row }) => ({
    ...row,
    at: at.toISOString(),
    state,
    isUnconfirmed: state === "UNKNOWN" || state === "SENDING",
  }));
}

const isAlike = (one: Essence, other: Essence) => fingerprintOn(one, "") === fingerprintOn(other, "");

async function likeProposed(store: Db, { tenant, essence, object, except }: Sought): Promise<TransferDuplicate[]> {
  const rows = await store
    .select({ row: approval, byName: staff.name })
    .from(approval)
    .innerJoin(staff, eq(staff.id, approval.makerId))
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, APPROVAL_NAMES[essence.kind]),
        eq(approval.object, object),
        eq(approval.state, "PENDING"),
        except === null ? undefined : ne(approval.intentId, except),
      ),
    )
    .orderBy(desc(approval.createdAt));
  const read = await Promise.all(
    rows.map(async ({ row, byName }) => ({ row, byName, order: await orderedProposalOf(row) })),
  );
  return read.flatMap(({ row, byName, order }): TransferDuplicate[] =>
    order === null || !isAlike(essence, order.essence)
      ? []
      : [{ ref: row.intentId, at: row.createdAt.toISOString(), byName, state: "WAITING", isUnconfirmed: false }],
  );
}

const duplicatesOf = async (store: Db, sought: Sought): Promise<TransferDuplicate[]> => [
  ...(await likeProposed(store, sought)),
  ...(await likeSent(store, sought)),
];

export type TransferReview = {
  kind: TransferKind;
  amount: string;
  /** Whom a transfer between accounts pays. */
  to: AccountParty | null;
  /** The policy asks for a second person. */
  needsApproval: boolean;
  /** Reais that left the account today with nobody but their makers, where it is these that ask for one. */
  aloneToday: string | null;
  duplicates: TransferDuplicate[];
  /** When a TED would leave. */
  window: TedWindow | null;
};

const UNNAMED = "00000000-0000-4000-8000-000000000000";

/** Whether it may go out as it is, and what should be known before; nothing is sent. Throws as `orderTransfer` does. */
export async function reviewTransfer(actor: Orderer, form: TransferForm): Promise<TransferReview> {
  const store = await db();
  const { tenant } = actor;
  const meant = await meantBy(store, tenant, form, { intentId: UNNAMED, isRepeat: false });
  const { kind, to } = meant;
  if (to !== null) await recordAccess(actor, `account:${to.ref}`);
  const policy = await policyOf(store, tenant, APPROVAL_NAMES[kind]);
  const essence = essenceOf(meant);
  const { accountId, amount } = essence;
  const need = await approvalNeedOf(store, tenant, { accountId, amount, intentId: null }, policy);
  const sought = { tenant, essence, object: `account:${form.from}`, except: null };
  return {
    kind,
    amount: form.amount,
    to: to === null ? null : partyOf(to),
    needsApproval: need.needsApproval,
    aloneToday: need.needsApproval && policy.rule === "above" && !reaches(form.amount, policy) ? need.alone : null,
    duplicates: await duplicatesOf(store, sought),
    window: kind === "EXTERNAL" ? tedWindow(new Date()) : null,
  };
}

async function isOrdered(store: Db, tenant: string, intentId: string): Promise<boolean> {
  const isIts = and(eq(approval.tenant, tenant), eq(approval.intentId, intentId));
  if ((await store.$count(approval, isIts)) > 0) return true;
  const intent = await findIntent(store, { tenant, id: intentId });
  return intent !== null && intent.state !== "REFUSED";
}

export type TransferAnswer = { id: string; state: "PROPOSED" | "DONE" | "HELD" | "BLOCKED" | "UNKNOWN" };

/** What the record of it says better than a refusal would. */
async function recordedState(store: Db, tenant: string, id: string): Promise<"BLOCKED" | "UNKNOWN" | null> {
  const intent = await findIntent(store, { tenant, id });
  if (intent?.state === "UNKNOWN" || intent?.state === "SENDING") return "UNKNOWN";
  return intent?.code === "TRANSACTION_BLOCKED" ? "BLOCKED" : null;
}

async function requireUnlike(store: Db, sought: Sought, seen: readonly string[]): Promise<void> {
  const duplicates = await duplicatesOf(store, sought);
  if (duplicates.some(({ isUnconfirmed }) => isUnconfirmed))
    throw new BankError("conflict", { code: "transfer-unsettled" });
  if (duplicates.some(({ ref }) => !seen.includes(ref)))
    throw new BankError("conflict", { code: "possible-duplicate" });
}

/**
 * Sends a transfer, or proposes it where the policy asks for a second person, once per intent. Throws not-found, what the
 * two orders do, and conflict `ted-without-onboarding`, `transfer-unsettled` and `possible-duplicate` for a like transfer
 * that the person did not say they had seen.
 */
export async function orderTransfer(
  actor: Orderer,
  { seen, intentId, ...form }: TransferOrder,
): Promise<TransferAnswer> {
  const store = await db();
  const { tenant } = actor;
  const meant = await meantBy(store, tenant, form, { intentId, isRepeat: seen.length > 0 });
  if (!(await isOrdered(store, tenant, intentId))) {
    const object = `account:${form.from}`;
    await requireUnlike(store, { tenant, essence: essenceOf(meant), object, except: intentId }, seen);
  }
  const ordering =
    meant.kind === "INTERNAL" ? orderInternalTransfer(actor, meant.order) : orderExternalTransfer(actor, meant.order);
  const state = await ordering.then(
    (done) => done.state,
    async (refusal: unknown) => {
      const recorded = refusal instanceof BankError ? await recordedState(store, tenant, intentId) : null;
      const isReuse = refusal instanceof BankError && refusal.details.code === "intent-reused";
      if (recorded === null || isReuse) throw refusal;
      return recorded;
    },
  );
  return { id: intentId, state };
}

/** The provider does not tell who the user of an account is: whom the last transfer from it named. */
async function lastUserOf(store: Db, { tenant, accountId }: AccountRow): Promise<string | null> {
  const [last] = await store
    .select({ kind: transfer.kind, intent: bankIntent })
    .from(transfer)
    .innerJoin(bankIntent, ofIntent(transfer))
    .where(and(eq(transfer.tenant, tenant), eq(transfer.accountId, accountId), eq(bankIntent.state, "DONE")))
    .orderBy(desc(transfer.createdAt))
    .limit(1);
  return last === undefined ? null : (orderedBodyOf(last.kind, last.intent)?.userId ?? null);
}

export type TransferFormState = {
  draft: Draft;
  /** As the last transfer from this account named it. */
  userId: string | null;
  /** When a TED that is ordered now leaves. */
  window: TedWindow;
  /** Nothing of the account's onboarding is known that a TED could name. */
  lacksOnboarding: boolean;
};

const formOf = (kind: TransferKind, from: string) => `transfer-${kind.toLowerCase()}-${from}`;

/** What a form begins with; null for what is no account here. */
export async function readTransferFormState(
  actor: Orderer,
  { kind, from }: { kind: TransferKind; from: string },
): Promise<TransferFormState | null> {
  const store = await db();
  const { tenant } = actor;
  const [row] = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.ref, from)));
  if (row === undefined) return null;
  const opened = await openDraft(actor, formOf(kind, from));
  const { draftId } = opened;
  const isSent = await isOrdered(store, tenant, draftId);
  const isInFlight = isSent && (await findIntent(store, { tenant, id: draftId }))?.state === "SENDING";
  // What was ordered has a screen of its own; while it is in flight, the page that sent it waits.
  const draft =
    isSent && !isInFlight ? (await keepDraft(actor, formOf(kind, from), { do: "discard", draftId })).draft : opened;
  return {
    draft,
    userId: await lastUserOf(store, row),
    window: tedWindow(new Date()),
    lacksOnboarding: kind === "EXTERNAL" && (await onboardingIdOf(store, row)) === null,
  };
}

export const keepTransferDraft = (actor: Orderer, { kind, from, order }: TransferDrafting): Promise<DraftAnswer> =>
  keepDraft(actor, formOf(kind, from), order);
