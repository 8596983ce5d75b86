import { and, desc, eq, gt } from "drizzle-orm";
import { findUser } from "@/lib/accounts/find-user";
import type { AccountUser } from "@/lib/accounts/view";
import { isOrdered } from "@/lib/approvals/records";
import { storeTimeBefore } from "@/lib/db/clock";
import { db } from "@/lib/db/connection";
import type { TransferKind } from "@/lib/db/enums/transfers";
import { account } from "@/lib/db/tables/customers";
import { transfer } from "@/lib/db/tables/transfers";
import { openDrafts, saveDraft } from "@/lib/drafts/drafts";
import type { OpenedDrafts } from "@/lib/drafts/view";
import type { Actor } from "@/lib/permission/grant";
import { findIntent } from "@/lib/provider/intents/intent-record";
import { calendarOf } from "@/lib/calendar/calendar";
import { type TedWindow, tedWindow } from "@/lib/calendar/ted-window";
import { formOf, listTransferDrafts, refusedOf } from "./drafts";
import { listPayees } from "./payees";
import { onboardingIdOf } from "./transfer-form";
import type { PayeeList, UnfinishedTransfer } from "./view";

type Orderer = Actor<"transfers:create">;

export type TransferFormState = Omit<OpenedDrafts, "unfinished"> & {
  /** Drafts of this account, of either kind. */
  unfinished: UnfinishedTransfer[];
  /** Its transfer was sent, and is not answered yet. */
  isInFlight: boolean;
  /** What the reader ordered from this account in the form before this one, within the last quarter of an hour. */
  orderedId: string | null;
  user: AccountUser | null;
  /** When a TED ordered now leaves. */
  window: TedWindow;
  payees: PayeeList;
  /** No onboarding of the account is known, which a TED must name. */
  lacksOnboarding: boolean;
};

const JUST_ORDERED_MS = 900_000;

async function lastOrderOf({ tenant, id: staffId }: Orderer, accountId: string): Promise<string | null> {
  const { intentId, createdAt } = transfer;
  const [last] = await (
    await db()
  )
    .select({ intentId })
    .from(transfer)
    .where(
      and(
        eq(transfer.tenant, tenant),
        eq(transfer.accountId, accountId),
        eq(transfer.staffId, staffId),
        gt(createdAt, storeTimeBefore(JUST_ORDERED_MS)),
      ),
    )
    .orderBy(desc(createdAt))
    .limit(1);
  return last?.intentId ?? null;
}

const unnamed = () => undefined;

/** The initial state of a form; null for an unknown account. */
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
  // An ordered transfer has its own screen; while it is in flight, the page that sent it waits.
  const isDone = isSent && !isInFlight;
  if (isDone) await saveDraft(actor, form, { do: "discard", draftId });
  const isRefused = wanted === null && (await refusedOf(store, tenant, [opened.draft])).has(draftId);
  if (isRefused) await saveDraft(actor, form, { do: "begin" });
  const drafts = isDone || isRefused ? await openDrafts(actor, form, { draftId: null, documentIn: unnamed }) : opened;
  const isShown = (draft: UnfinishedTransfer) => drafts.isChosen && draft.draftId === drafts.draft.draftId;
  return {
    ...drafts,
    unfinished: (await listTransferDrafts(actor)).filter((draft) => draft.from === from && !isShown(draft)),
    isChosen: isInFlight || drafts.isChosen,
    isInFlight,
    orderedId: isDone ? draftId : await lastOrderOf(actor, row.accountId),
    user: await findUser(store, row),
    window: tedWindow(new Date(), (await calendarOf(store, actor.tenant)).calendar),
    payees: await listPayees(actor, kind),
    lacksOnboarding: kind === "EXTERNAL" && (await onboardingIdOf(store, row)) === null,
  };
}
