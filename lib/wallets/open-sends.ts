import { and, eq, inArray, isNotNull, or } from "drizzle-orm";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { Db } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { type IntentState, providerIntent } from "@/lib/db/tables/provider";
import type { Actor } from "@/lib/permission/grant";
import { can } from "@/lib/permission/permission";
import { sendCryptoTransfer } from "@/lib/provider/operations";
import { candidatesOfSend } from "./sent-coins";
import { readSentOrder } from "./sent-order";
import type { OpenSend } from "./view";

const OPEN_INTENTS = ["SENDING", "UNKNOWN", "HELD"] as const satisfies IntentState[];

/** Unconfirmed, held by antifraud, or contradicted by the chain. */
function unsettledSends(store: Db, tenant: string, object: string) {
  const { id: intentId, state, antifraudId, pendingExpiresAt } = providerIntent;
  return store
    .select({ intentId, state, antifraudId, pendingExpiresAt, approvalId: approval.id, makerId: approval.makerId })
    .from(providerIntent)
    .leftJoin(approval, and(eq(approval.tenant, providerIntent.tenant), eq(approval.intentId, intentId)))
    .where(
      and(
        eq(providerIntent.tenant, tenant),
        eq(providerIntent.operation, sendCryptoTransfer.path),
        eq(providerIntent.object, object),
        or(inArray(state, [...OPEN_INTENTS]), isNotNull(providerIntent.contradictedAt)),
      ),
    )
    .orderBy(providerIntent.createdAt);
}

function waitingSends(store: Db, tenant: string, object: string) {
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

/** Each once: a send in flight was authorised and is also unsettled. */
export async function readOpenSends(store: Db, reader: Actor<"wallets:read">, walletId: string): Promise<OpenSend[]> {
  const { tenant, id, roles } = reader;
  const object = `wallet:${walletId}`;
  const sent = await unsettledSends(store, tenant, object);
  const proposed = await waitingSends(store, tenant, object);
  const seesAll = can(roles, "approvals:authorize") || can(roles, "audit:read");
  const unsettled = sent.map(
    ({ state, makerId, pendingExpiresAt, ...one }): Omit<OpenSend, "order" | "candidates"> => ({
      ...one,
      state: state === "HELD" ? "HELD" : "UNKNOWN",
      isShown: one.approvalId !== null && (seesAll || makerId === id),
      until: pendingExpiresAt?.toISOString() ?? null,
    }),
  );
  const waiting = proposed
    .filter(({ intentId }) => sent.every((one) => one.intentId !== intentId))
    .map(({ id: approvalId, intentId, makerId, state }): Omit<OpenSend, "order" | "candidates"> => ({
      intentId,
      state: state === "PENDING" ? "WAITING" : "SENDING",
      approvalId,
      isShown: seesAll || makerId === id,
      antifraudId: null,
      until: null,
    }));
  return Promise.all(
    [...waiting, ...unsettled].map(async (one) => ({
      ...one,
      order: await readSentOrder(store, { tenant, intentId: one.intentId }),
      candidates: await candidatesOfSend(store, tenant, one.intentId),
    })),
  );
}
