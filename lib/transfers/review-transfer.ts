import { recordAccess } from "@/lib/audit/access-log";
import { policyOf } from "@/lib/approvals/policy";
import type { ApprovalReason } from "@/lib/approvals/view";
import { db } from "@/lib/db/connection";
import type { TransferKind } from "@/lib/db/enums/transfers";
import type { Actor } from "@/lib/permission/grant";
import { calendarOf } from "@/lib/calendar/calendar";
import { type TedWindow, tedWindow } from "@/lib/calendar/ted-window";
import { transferDuplicates, TRANSFER_NAMES } from "./duplicates";
import type { TransferForm } from "./inputs";
import { approvalReasonOf } from "./limits";
import { recipientOf } from "./ordered";
import { type PartyClosing, readPartiesClosing, readWaitingReais } from "./payer";
import { isFirstUse } from "./payees";
import { partyOf } from "./records";
import { essenceOf, readTransferForm } from "./transfer-form";
import type { AccountParty, Recipient, TransferDuplicate } from "./view";

type Orderer = Actor<"transfers:create">;

export type TransferReview = {
  kind: TransferKind;
  amount: string;
  /** The payee, masked; null when the person typed it. */
  to: AccountParty | Recipient | null;
  /** No confirmed transfer to this account is stored. */
  isFirstUse: boolean;
  /** Why the policy requires a second person; null when it does not. */
  approval: ApprovalReason | null;
  duplicates: TransferDuplicate[];
  waiting: { sum: string; count: number };
  closing: PartyClosing[];
  /** When a TED would leave. */
  window: TedWindow | null;
};

const UNNAMED = "00000000-0000-4000-8000-000000000000";

/** Whether it may be sent as it is, with warnings; nothing is sent. Throws as `orderTransfer` does. */
export async function reviewTransfer(actor: Orderer, form: TransferForm): Promise<TransferReview> {
  const store = await db();
  const { tenant } = actor;
  const read = await readTransferForm(store, tenant, form, { intentId: UNNAMED, isRepeat: false, seen: [] });
  const { kind, to } = read;
  if (to !== null) await recordAccess(actor, `account:${to.ref}`);
  const policy = await policyOf(store, tenant, TRANSFER_NAMES[kind]);
  const essence = essenceOf(read);
  const leaving = { essence, makerId: actor.id, intentId: null };
  const repeat = { tenant, essence, object: `account:${form.from}`, except: null };
  return {
    kind,
    amount: form.amount,
    to: to !== null ? partyOf(to) : form.kind === "PAYEE" ? recipientOf(read.order) : null,
    isFirstUse: await isFirstUse(store, tenant, essence),
    approval: await approvalReasonOf(store, tenant, leaving, policy),
    duplicates: await transferDuplicates(store, repeat),
    waiting: await readWaitingReais(store, tenant, form.from, null),
    closing: await readPartiesClosing(store, tenant, { from: essence.accountId, to: to?.accountId ?? null }),
    window: kind === "EXTERNAL" ? tedWindow(new Date(), (await calendarOf(store, tenant)).calendar) : null,
  };
}
