import { and, eq, inArray } from "drizzle-orm";
import type { Approval } from "@/lib/approvals/snapshot";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { Db } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import type { Actor } from "@/lib/permission/grant";
import { can } from "@/lib/permission/permission";
import { isLookedFor } from "@/lib/provider/intents/intent-record";
import { sendCryptoTransfer } from "@/lib/provider/operations";
import { readSentOrder } from "./sent-order";
import type { OpenSend } from "./view";

type From = { tenant: string; object: string };

/** Nobody knows whether they left. */
export function unsettledSends(store: Db, { tenant, object }: From): Promise<{ intentId: string }[]> {
  return store
    .select({ intentId: providerIntent.id })
    .from(providerIntent)
    .where(
      and(
        eq(providerIntent.tenant, tenant),
        eq(providerIntent.operation, sendCryptoTransfer.path),
        eq(providerIntent.object, object),
        isLookedFor,
      ),
    )
    .orderBy(providerIntent.createdAt);
}

export function waitingSends(store: Db, { tenant, object }: From): Promise<Approval[]> {
  return store
    .select()
    .from(approval)
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, "crypto.transfer"),
        eq(approval.object, object),
        inArray(approval.state, [...OPEN_STATES]),
      ),
    )
    .orderBy(approval.createdAt);
}

/** Each once: what is being sent was authorised, and is unsettled. */
export async function readOpenSends(store: Db, reader: Actor<"wallets:read">, walletId: string): Promise<OpenSend[]> {
  const from = { tenant: reader.tenant, object: `wallet:${walletId}` };
  const [unsettled, waiting] = [await unsettledSends(store, from), await waitingSends(store, from)];
  const seesAll = can(reader.roles, "approvals:authorize") || can(reader.roles, "audit:read");
  const open = [
    ...waiting
      .filter(({ intentId }) => unsettled.every((one) => one.intentId !== intentId))
      .map(({ id, intentId, makerId, state }) => ({
        intentId,
        state: state === "PENDING" ? ("WAITING" as const) : ("SENDING" as const),
        approvalId: id,
        isShown: seesAll || makerId === reader.id,
      })),
    ...unsettled.map(({ intentId }) => ({ intentId, state: "UNKNOWN" as const, approvalId: null, isShown: false })),
  ];
  return Promise.all(
    open.map(async ({ intentId, ...one }) => ({
      ...one,
      intentId,
      order: await readSentOrder(store, { tenant: reader.tenant, intentId }),
    })),
  );
}
