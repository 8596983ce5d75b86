import { executeOrPropose } from "@/lib/approvals/propose";
import { type Db, db } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { findIntent } from "@/lib/provider/intents/intent-record";
import type { TransferOrder } from "./inputs";
import { sendTed } from "./ted";
import { sendTransfer } from "./transfer";
import { readTransferForm } from "./transfer-form";

type Orderer = Actor<"transfers:create">;

export type TransferAnswer = { id: string; state: "PROPOSED" | "DONE" | "HELD" | "BLOCKED" | "UNKNOWN" };

/** The stored state explains more than a refusal would. */
async function recordedState(store: Db, tenant: string, id: string): Promise<"BLOCKED" | "UNKNOWN" | null> {
  const intent = await findIntent(store, { tenant, id });
  if (intent?.state === "UNKNOWN" || intent?.state === "SENDING") return "UNKNOWN";
  return intent?.code === "TRANSACTION_BLOCKED" ? "BLOCKED" : null;
}

/**
 * Sends a transfer once per intent, or proposes it when the policy requires a second person. Throws not-found, what the
 * two orders do, and conflict `ted-without-onboarding`, `transfer-unsettled` and `possible-duplicate` for a similar
 * transfer that the person has not confirmed seeing.
 */
export async function orderTransfer(
  actor: Orderer,
  { seen, intentId, ...form }: TransferOrder,
): Promise<TransferAnswer> {
  const store = await db();
  const { tenant } = actor;
  const read = await readTransferForm(store, tenant, form, { intentId, isRepeat: seen.length > 0, seen });
  const ordering =
    read.kind === "INTERNAL"
      ? executeOrPropose(sendTransfer, actor, read.order)
      : executeOrPropose(sendTed, actor, read.order);
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
