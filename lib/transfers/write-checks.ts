import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { policyOf } from "@/lib/approvals/policy";
import { approval } from "@/lib/db/tables/approvals";
import type { ApprovalReason } from "@/lib/approvals/view";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { findIntent } from "@/lib/provider/intents/intent-record";
import type { OpenedDrafts } from "@/lib/drafts/view";
import { openDrafts, saveDraft } from "@/lib/drafts/drafts";
import { recordAccess } from "@/lib/audit/access-log";
import { account, onboarding } from "@/lib/db/tables/customers";
import { type Db, db } from "@/lib/db/connection";
import { civilMinute } from "@/lib/text/time";
import { approvalReasonOf, orderExternalTransfer, orderInternalTransfer } from "./approvals";
import { formOf, listTransferDrafts } from "./drafts";
import { APPROVAL_NAMES, duplicatesOf } from "./duplicates";
import { isFirstUse, listPayees, reportedPayee } from "./payees";
import { recipientOf } from "./ordered";
import { readWaitingReais } from "./payer";
import { partyOf } from "./records";
import { findUser } from "@/lib/accounts/find-user";
import {
  type Essence,
  essenceOfExternal,
  essenceOfInternal,
  ExternalOrder,
  InternalOrder,
  type TransferForm,
  type TransferOrder,
} from "./inputs";
import {
  type AccountParty,
  type PayeeList,
  type Recipient,
  type TransferDuplicate,
  type UnfinishedTransfer,
} from "./view";
import { accountOf } from "@/lib/accounts/records";
import type { AccountUser } from "@/lib/accounts/view";
import type { TransferKind } from "@/lib/db/enums/transfers";

type Orderer = Actor<"transfers:create">;
type AccountRow = typeof account.$inferSelect;

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

async function tedPayeeOf(store: Db, tenant: string, form: Exclude<TransferForm, { kind: "INTERNAL" }>) {
  if (form.kind === "PAYEE") return reportedPayee(store, tenant, form.payee);
  const { document, name, institutionIspb, branchCode, accountCode, bankAccountType } = form;
  const institutionCode = Number(form.institutionCode);
  return { document, name, institutionIspb, institutionCode, branchCode, accountCode, bankAccountType };
}

/** What the provider would be told, under this intent. */
async function meantBy(
  store: Db,
  tenant: string,
  form: TransferForm,
  named: { intentId: string; isRepeat: boolean; seen: string[] },
): Promise<Meant> {
  const from = await accountOf(store, tenant, form.from);
  const { userId, amount } = form;
  if (form.kind === "INTERNAL") {
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
    return { kind: form.kind, order: InternalOrder.parse(order), to };
  }
  const onBoardingId = await onboardingIdOf(store, from);
  // oxlint-disable-next-line house/check-inside -- the onboarding of an account never changes
  if (onBoardingId === null) throw new AppError("conflict", { code: "ted-without-onboarding" });
  const payee = await tedPayeeOf(store, tenant, form);
  const order = { ...named, userId, onBoardingId, idAccount: from.accountId, ...payee, value: amount };
  return { kind: "EXTERNAL", order: ExternalOrder.parse(order), to: null };
}

const essenceOf = (meant: Meant): Essence =>
  meant.kind === "INTERNAL" ? essenceOfInternal(meant.order) : essenceOfExternal(meant.order);

// Our assumption: the interface states no hours; most institutions send TEDs in these.
const OPENS = "06:30";
const CLOSES = "17:00";

const DAY_MS = 24 * 60 * 60 * 1000;
const noon = (day: string) => new Date(`${day}T12:00:00Z`);
const dayAfter = (day: string, days = 1): string =>
  new Date(noon(day).getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Meeus, Jones and Butcher: `yyyy-MM-dd` of Easter Sunday in the Gregorian calendar. */
function easter(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  const month = Math.floor(n / 31);
  const day = (n % 31) + 1;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

const FIXED = ["01-01", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "12-25"];
/** Carnival's Monday and Tuesday, Good Friday, Corpus Christi. */
const FROM_EASTER = [-48, -47, -2, 60];
/** Law 14.759 of 2023. */
const CONSCIOUSNESS_SINCE = 2024;

/** Days on which no bank of the country settles, `yyyy-MM-dd`. */
export function bankHolidays(year: number): string[] {
  const sunday = easter(year);
  return [
    ...FIXED.map((day) => `${year}-${day}`),
    ...(year >= CONSCIOUSNESS_SINCE ? [`${year}-11-20`] : []),
    ...FROM_EASTER.map((days) => dayAfter(sunday, days)),
  ].toSorted();
}

export function isBusinessDay(day: string): boolean {
  const weekday = noon(day).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !bankHolidays(Number(day.slice(0, 4))).includes(day);
}

export type TedWindow = {
  /** A TED ordered now leaves today. */
  isOpen: boolean;
  /** What keeps it from leaving now. */
  reason: "early" | "late" | "weekend" | "holiday" | null;
  /** The day on which it leaves, `yyyy-MM-dd`. */
  day: string;
  opens: string;
  closes: string;
};

function firstBusinessDay(from: string): string {
  let day = from;
  while (!isBusinessDay(day)) day = dayAfter(day);
  return day;
}

/** When a TED that is ordered at this instant leaves, by São Paulo's clock. */
export function tedWindow(now: Date): TedWindow {
  const [today = "", clock = ""] = civilMinute(now).split("T");
  const hours = { opens: OPENS, closes: CLOSES };
  if (!isBusinessDay(today)) {
    const weekday = noon(today).getUTCDay();
    const reason = weekday === 0 || weekday === 6 ? "weekend" : "holiday";
    return { isOpen: false, reason, day: firstBusinessDay(today), ...hours };
  }
  if (clock < OPENS) return { isOpen: false, reason: "early", day: today, ...hours };
  if (clock < CLOSES) return { isOpen: true, reason: null, day: today, ...hours };
  return { isOpen: false, reason: "late", day: firstBusinessDay(dayAfter(today)), ...hours };
}

export type TransferReview = {
  kind: TransferKind;
  amount: string;
  /** Whom it pays, masked; null where the person typed it. */
  to: AccountParty | Recipient | null;
  /** No transfer to this account was confirmed, as far as is kept here. */
  isFirstUse: boolean;
  /** Why the policy asks for a second person; null where it does not. */
  approval: ApprovalReason | null;
  duplicates: TransferDuplicate[];
  waiting: { sum: string; count: number };
  /** When a TED would leave. */
  window: TedWindow | null;
};

const UNNAMED = "00000000-0000-4000-8000-000000000000";

/** Whether it may go out as it is, and what should be known before; nothing is sent. Throws as `orderTransfer` does. */
export async function reviewTransfer(actor: Orderer, form: TransferForm): Promise<TransferReview> {
  const store = await db();
  const { tenant } = actor;
  const meant = await meantBy(store, tenant, form, { intentId: UNNAMED, isRepeat: false, seen: [] });
  const { kind, to } = meant;
  if (to !== null) await recordAccess(actor, `account:${to.ref}`);
  const policy = await policyOf(store, tenant, APPROVAL_NAMES[kind]);
  const essence = essenceOf(meant);
  const leaving = { essence, makerId: actor.id, intentId: null };
  const repeat = { tenant, essence, object: `account:${form.from}`, except: null };
  return {
    kind,
    amount: form.amount,
    to: to !== null ? partyOf(to) : form.kind === "PAYEE" ? recipientOf(meant.order) : null,
    isFirstUse: await isFirstUse(store, tenant, essence),
    approval: await approvalReasonOf(store, tenant, leaving, policy),
    duplicates: await duplicatesOf(store, repeat),
    waiting: await readWaitingReais(store, tenant, form.from, null),
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
  const meant = await meantBy(store, tenant, form, { intentId, isRepeat: seen.length > 0, seen });
  const ordering =
    meant.kind === "INTERNAL" ? orderInternalTransfer(actor, meant.order) : orderExternalTransfer(actor, meant.order);
  const state = await ordering.then(
    (done) => done.state,
    async (refusal: unknown) => {
      const recorded = refusal instanceof AppError ? await recordedState(store, tenant, intentId) : null;
      const isReuse = refusal instanceof AppError && refusal.details.code === "intent-reused";
      if (recorded === null || isReuse) throw refusal;
      return recorded;
    },
  );
  return { id: intentId, state };
}

export type TransferFormState = Omit<OpenedDrafts, "unfinished"> & {
  /** Of this account, of either kind. */
  unfinished: UnfinishedTransfer[];
  /** Its transfer was sent, and is not answered yet. */
  isInFlight: boolean;
  user: AccountUser | null;
  /** When a TED that is ordered now leaves. */
  window: TedWindow;
  payees: PayeeList;
  /** Nothing of the account's onboarding is known that a TED could name. */
  lacksOnboarding: boolean;
};

const unnamed = () => undefined;

/** What a form begins with; null for what is no account here. */
export async function readTransferFormState(
  actor: Orderer,
  { kind, from, draftId: wanted = null }: { kind: TransferKind; from: string; draftId?: string | null },
): Promise<TransferFormState | null> {
  const store = await db();
  const { tenant } = actor;
  const [row] = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.ref, from)));
  if (row === undefined) return null;
  const form = formOf(kind, from);
  const opened = await openDrafts(actor, form, { draftId: wanted, documentIn: unnamed });
  const { draftId } = opened.draft;
  const isSent = await isOrdered(store, tenant, draftId);
  const isInFlight = isSent && (await findIntent(store, { tenant, id: draftId }))?.state === "SENDING";
  // What was ordered has a screen of its own; while it is in flight, the page that sent it waits.
  const isDone = isSent && !isInFlight;
  if (isDone) await saveDraft(actor, form, { do: "discard", draftId });
  const drafts = isDone ? await openDrafts(actor, form, { draftId: null, documentIn: unnamed }) : opened;
  const isShown = (draft: UnfinishedTransfer) => drafts.isChosen && draft.draftId === drafts.draft.draftId;
  return {
    ...drafts,
    unfinished: (await listTransferDrafts(actor)).filter((draft) => draft.from === from && !isShown(draft)),
    isChosen: isInFlight || drafts.isChosen,
    isInFlight,
    user: await findUser(store, row),
    window: tedWindow(new Date()),
    payees: await listPayees(actor, kind),
    lacksOnboarding: kind === "EXTERNAL" && (await onboardingIdOf(store, row)) === null,
  };
}
