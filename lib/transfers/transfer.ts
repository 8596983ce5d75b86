import { and, eq, inArray, ne } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { type IntentOutcome, type IntentWish, intents } from "@/lib/bank/intent";
import { bankIntent } from "@/lib/bank/schema";
import { publish } from "@/lib/live/publish";
import { lockByHashes } from "@/lib/store/lease";
import { lookupHash, lookupHashes } from "@/lib/store/seal";
import { account } from "@/lib/store/schema";
import { db, type Tx } from "@/lib/store/store";
import { civilDay } from "@/lib/text/time";
import { externalTransfer, internalTransfer, type Receipt, TRANSFER_CODES } from "./kinds";
import {
  type Essence,
  essenceOfExternal,
  essenceOfInternal,
  type ExternalOrder,
  type InternalOrder,
  likenessOn,
} from "./rules";
import { transfer } from "./schema";

/** What became of an order: HELD is neither done nor failed, the provider's analyst decides until `pendingExpiresAt`. */
export type Transferred = IntentOutcome<Receipt>;

type Ordered = Essence & {
  actor: Actor<"transfers:create">;
  intentId: string;
  isRepeat: boolean;
  /** `account:<ref>`. */
  object: string;
  /** Throws what keeps it from going out now; null where a second person agreed. */
  check: Check | null;
};

/** In the transaction that puts the order on record. */
export type Check = (tx: Tx, tenant: string) => Promise<void>;

/** An account by its opaque reference, as every record names it; by the provider's id when nobody looked it up yet. */
export async function accountObject(tenant: string, accountId: string): Promise<string> {
  const [row] = await (
    await db()
  )
    .select({ ref: account.ref })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId)));
  return `account:${row?.ref ?? accountId}`;
}

async function refuseLikeness(tx: Tx, { actor: { tenant }, intentId, isRepeat }: Ordered, likeness: string) {
  // Two like orders at once would not see each other.
  await lockByHashes(tx, likeness);
  const [like] = await tx
    .select({ intentId: transfer.intentId })
    .from(transfer)
    .innerJoin(bankIntent, and(eq(bankIntent.tenant, transfer.tenant), eq(bankIntent.id, transfer.intentId)))
    .where(
      and(
        eq(transfer.tenant, tenant),
        inArray(transfer.likeness, lookupHashes(likeness)),
        ne(transfer.intentId, intentId),
        ne(bankIntent.state, "REFUSED"),
      ),
    )
    .limit(1);
  if (like !== undefined && !isRepeat) throw new BankError("conflict", { code: "possible-duplicate" });
}

/** The order on record, with its INTENT; conflict when it may be one that was given before. */
async function open(tx: Tx, ordered: Ordered): Promise<void> {
  const { actor, intentId, isRepeat, kind, accountId, object, amount } = ordered;
  const { tenant, id: staffId } = actor;
  const createdAt = new Date();
  const likeness = likenessOn(ordered, civilDay(createdAt));
  await refuseLikeness(tx, ordered, likeness);
  await ordered.check?.(tx, tenant);
  const order = {
    kind,
    accountId,
    amount,
    likeness: lookupHash(likeness),
    isRepeat,
    staffId,
    createdAt,
    transactionId: null,
  };
  await tx
    .insert(transfer)
    .values({ tenant, intentId, ...order })
    .onConflictDoUpdate({ target: [transfer.tenant, transfer.intentId], set: order });
  const what = { code: TRANSFER_CODES[kind], object, intentId };
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what, detail: { amount, isRepeat } });
  await publish(tx, { tenant, topic: "transfers", object: what.object });
}

const wishOf = <Body>(ordered: Ordered, body: Body): IntentWish<Body> => ({
  actor: ordered.actor,
  intentId: ordered.intentId,
  object: ordered.object,
  body,
  opened: (tx) => open(tx, ordered),
});

/** What of the order is sent. */
export function internalBody({ intentId: _intent, isRepeat: _repeat, ...body }: InternalOrder) {
  return body;
}

export function externalBody({ intentId: _intent, isRepeat: _repeat, ...body }: ExternalOrder) {
  return body;
}

/**
 * Moves money between two accounts of the provider, once per intent (interface: POST …/generateInternalTransferRequest).
 * Throws what `Intents.carryOut` does, and conflict `possible-duplicate` when today's São Paulo day has a transfer of the
 * same amount between the same two that was not refused, unless `isRepeat`.
 */
export async function transferInternal(
  actor: Actor<"transfers:create">,
  order: InternalOrder,
  check: Check | null = null,
): Promise<Transferred> {
  const { intentId, isRepeat } = order;
  const essence = essenceOfInternal(order);
  const object = await accountObject(actor.tenant, essence.accountId);
  return intents.carryOut(
    internalTransfer,
    wishOf({ actor, intentId, isRepeat, object, check, ...essence }, internalBody(order)),
  );
}

/** Sends a TED, once per intent (interface: POST …/generateExternalTransferRequest); throws as `transferInternal` does. */
export async function transferExternal(
  actor: Actor<"transfers:create">,
  order: ExternalOrder,
  check: Check | null = null,
): Promise<Transferred> {
  const { intentId, isRepeat } = order;
  const essence = essenceOfExternal(order);
  const object = await accountObject(actor.tenant, essence.accountId);
  return intents.carryOut(
    externalTransfer,
    wishOf({ actor, intentId, isRepeat, object, check, ...essence }, externalBody(order)),
  );
}
