import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { AuditCode } from "@/lib/audit/codes";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import { type IntentEnd, intentKind } from "@/lib/provider/intents/intent-record";
import { sendExternalTransfer, sendInternalTransfer } from "@/lib/provider/operations";
import { maskWithin } from "@/lib/contract/document";
import { findIn } from "@/lib/contract/open-answer";
import { stateIn } from "@/lib/contract/told-state";
import { publish } from "@/lib/db/publish";
import { dropDraft } from "@/lib/drafts/drafts";
import type { Tx } from "@/lib/db/connection";
import { savePaid } from "./payees";
import { transfer } from "@/lib/db/tables/transfers";
import type { TransferKind } from "@/lib/db/enums/transfers";

/**
 * What is shown of a transfer that is done, its transaction null when the answer, which the interface may not show, names
 * none; null of one whose answer was lost.
 */
export const Receipt = z
  .object({
    transactionId: z.string().nullable(),
    endToEndId: z.string().optional(),
    message: z.string().optional(),
  })
  .nullable();
export type Receipt = z.infer<typeof Receipt>;

/** What each kind is on record as. */
export const TRANSFER_CODES = {
  INTERNAL: "transfer.internal",
  EXTERNAL: "transfer.external",
} as const satisfies Record<TransferKind, AuditCode>;

const MESSAGE_MAX = 500;

const transferring = {
  isKeyed: true,
  busyCode: null,
  unconfirmedCode: "transfer-unconfirmed",
  stored: Receipt,
  unreadable: recordIncident,
} as const;

async function onOutcome(
  tx: Tx,
  kind: TransferKind,
  { intent, by, outcome, stored }: IntentEnd<Receipt>,
): Promise<void> {
  const { tenant, id: intentId, actor, object, state, status, code, antifraudId } = intent;
  const what = { code: TRANSFER_CODES[kind], object, intentId, detail: { status, code, antifraudId } };
  await record(tx, { tenant, actor: by, outcome, ...what });
  await publish(tx, { tenant, topic: "transfers", object });
  // What was refused is corrected and sent again; all else has a screen of its own from now on.
  if (state !== "REFUSED") await dropDraft(tx, { tenant, id: actor }, intentId);
  if (state === "DONE") await savePaid(tx, kind, intent);
  if (stored === null) return;
  await tx
    .update(transfer)
    .set({ transactionId: stored.transactionId, endToEndId: stored.endToEndId ?? null })
    .where(and(eq(transfer.tenant, tenant), eq(transfer.intentId, intentId)));
}

export const internalTransfer = intentKind({
  operation: sendInternalTransfer,
  ...transferring,
  toStore: ({ status, data }) => (status === "CONFIRMED" ? { transactionId: data.transactionId } : null),
  ended: (tx, end) => onOutcome(tx, "INTERNAL", end),
});

/** The answer of a TED is not shown. What it says besides its state is kept where it did not confirm. */
export function tedReceipt(answer: unknown): NonNullable<Receipt> {
  const { is, message } = stateIn(answer);
  const endToEndId = findIn(answer, "endToEndId")?.text;
  const transactionId = findIn(answer, "transactionId")?.text ?? null;
  return {
    transactionId,
    ...(endToEndId !== undefined && { endToEndId }),
    ...(is !== "DONE" && message !== "" && { message: maskWithin(message).slice(0, MESSAGE_MAX) }),
  };
}

export const externalTransfer = intentKind({
  operation: sendExternalTransfer,
  ...transferring,
  toStore: tedReceipt,
  told: (answer) => stateIn(answer),
  ended: (tx, end) => onOutcome(tx, "EXTERNAL", end),
});
