import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { type IntentOutcome, intents } from "@/lib/provider/intents/intent";
import {
  type IntentEnd,
  type IntentKind,
  intentKind,
  nothing,
  isLookedFor,
  ofIntent,
} from "@/lib/provider/intents/intent-record";
import { createCheckoutAddress, createWallet } from "@/lib/provider/operations";
import { providerIntent } from "@/lib/db/tables/provider";
import { publish } from "@/lib/db/publish";
import { lockByHashes } from "@/lib/db/lease";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { walletRequest } from "@/lib/db/tables/wallets";
import type { AddressOrder, WalletOrder } from "./inputs";
import type { EarlierAddress, MadeWallet } from "./view";
import { type Named, NAMES, objectOf, named, findRequest, type Wanted, hasHash, sealNames } from "./requests";

/** It is null when a person linked it, or said that it happened. */
const Made = z.object({ walletId: z.string().nullable(), address: z.string() }).nullable();
type Made = z.infer<typeof Made>;

async function onOutcome(tx: Tx, { intent, by, outcome, stored }: IntentEnd<Made>): Promise<void> {
  const { tenant, id: intentId, status, code } = intent;
  if (stored !== null) await tx.update(walletRequest).set(stored).where(named({ tenant, intentId }));
  const request = await findRequest(tx, { tenant, intentId });
  if (request === null) throw new Error(`intent ${intentId} has no wallet request`);
  const { kind, family, walletId } = request;
  await publish(tx, { tenant, topic: "wallets", object: walletId ?? intentId });
  await record(tx, {
    tenant,
    actor: by,
    code: "wallets.create",
    outcome,
    object: walletId === null ? intent.object : `wallet:${walletId}`,
    intentId,
    detail: { kind: NAMES[kind], network: family, status, code },
  });
}

/** Without Idempotency-Key (interface: Crypto wallets › POST /v1/crypto/wallets, /v1/crypto/checkout/address). */
const making = {
  isKeyed: false,
  busyCode: null,
  unconfirmedCode: "wallet-unconfirmed",
  stored: Made,
  ended: onOutcome,
  unreadable: recordIncident,
} as const;

export const walletMaking = intentKind({
  operation: createWallet,
  ...making,
  toStore: ({ data: { walletId, address } }) => ({ walletId, address }),
});

export const addressMaking = intentKind({
  operation: createCheckoutAddress,
  ...making,
  toStore: ({ data: { address } }) => ({ walletId: null, address }),
});

export const MAKINGS = { wallet: walletMaking, address: addressMaking } as const;

export type Maker = Actor<"wallets:create">;

/** Of the same wish only one may be without an answer: the second could be made twice. */
async function refuseUnsettled(tx: Tx, { tenant, intentId }: Named, wanted: Wanted): Promise<void> {
  const { kind, family, isForward, reference, customer } = wanted;
  await lockByHashes(tx, `wallet ${kind} ${family} ${reference ?? customer ?? ""}`);
  const like = and(
    eq(walletRequest.tenant, tenant),
    ne(walletRequest.intentId, intentId),
    eq(walletRequest.kind, kind),
    eq(walletRequest.family, family),
    eq(walletRequest.isForward, isForward),
    hasHash(walletRequest.referenceHash, reference),
    hasHash(walletRequest.customerHash, customer),
    isLookedFor,
  );
  const [open] = await tx
    .select({ intentId: walletRequest.intentId })
    .from(walletRequest)
    .innerJoin(providerIntent, ofIntent(walletRequest))
    .where(like)
    .limit(1);
  if (open !== undefined) throw new AppError("conflict", { code: "wallet-unsettled" });
}

type Opening = { intentId: string; wanted: Wanted; refuse: (tx: Tx) => Promise<void> };

async function openRequest(
  tx: Tx,
  { tenant, id: staffId }: Maker,
  { intentId, wanted, refuse }: Opening,
): Promise<void> {
  const { kind, family, isForward } = wanted;
  const request = { tenant, intentId };
  await refuseUnsettled(tx, request, wanted);
  await refuse(tx);
  const row = {
    kind,
    family,
    isForward,
    ...sealNames(request, wanted),
    staffId,
    createdAt: sql`clock_timestamp()`,
    walletId: null,
    address: null,
  };
  await tx
    .insert(walletRequest)
    .values({ ...request, ...row })
    .onConflictDoUpdate({ target: [walletRequest.tenant, walletRequest.intentId], set: row });
  await publish(tx, { tenant, topic: "wallets", object: intentId });
  const detail = { kind: NAMES[kind], network: family };
  const what = { code: "wallets.create", object: objectOf(intentId), intentId, detail } as const;
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what });
}

/** Once per intent. `address` null: a person said that it happened, and named none. */
async function make<Body>(
  actor: Maker,
  kind: IntentKind<Body, Made>,
  { body, ...opening }: Opening & { body: Body },
): Promise<MadeWallet> {
  const { intentId, wanted } = opening;
  const outcome: IntentOutcome<Made> = await intents.execute(kind, {
    actor,
    intentId,
    object: objectOf(intentId),
    body,
    opened: (tx) => openRequest(tx, actor, opening),
    prepare: nothing,
  });
  if (outcome.state === "HELD") throw new AppError("held");
  const row = await findRequest(await db(), { tenant: actor.tenant, intentId });
  const { family } = wanted;
  return { intentId, family, walletId: row?.walletId ?? null, address: row?.address ?? null };
}

/** Throws as `Intents.execute`, and conflict `wallet-unsettled`. */
export const makeWallet = (actor: Maker, { intentId, family, isForward, customer }: WalletOrder): Promise<MadeWallet> =>
  make(actor, walletMaking, {
    intentId,
    refuse: nothing,
    wanted: { kind: "wallet", family, isForward, reference: null, customer },
    body: {
      network: family,
      ...(customer !== null && { userId: customer }),
      ...(isForward && { isForwardPayment: 1 as const }),
    },
  });

/** Returns null where the reference has no address of this family. */
async function findEarlier(
  store: Db | Tx,
  { tenant }: Maker,
  { intentId, family, reference }: AddressOrder,
): Promise<EarlierAddress | null> {
  const [found] = await store
    .select({ address: walletRequest.address, createdAt: walletRequest.createdAt })
    .from(walletRequest)
    .where(
      and(
        eq(walletRequest.tenant, tenant),
        ne(walletRequest.intentId, intentId),
        eq(walletRequest.kind, "address"),
        eq(walletRequest.family, family),
        hasHash(walletRequest.referenceHash, reference),
        isNotNull(walletRequest.address),
      ),
    )
    .orderBy(desc(walletRequest.createdAt))
    .limit(1);
  if (found === undefined || found.address === null) return null;
  return { address: found.address, at: found.createdAt.toISOString() };
}

const EXISTS = "address-exists";

/** The customer is ours to keep: the interface takes a reference only. Throws as `makeWallet`, and conflict `address-exists`. */
export const makeDepositAddress = (actor: Maker, order: AddressOrder): Promise<MadeWallet> => {
  const { intentId, family, reference, customer, isAnother } = order;
  return make(actor, addressMaking, {
    intentId,
    wanted: { kind: "address", family, isForward: true, reference, customer },
    body: { network: family, reference },
    refuse: async (tx) => {
      if (isAnother === true || (await findEarlier(tx, actor, order)) === null) return;
      throw new AppError("conflict", { code: EXISTS });
    },
  });
};

/** Makes none where the reference has one, until another is asked for. */
export const orderDepositAddress = (
  actor: Maker,
  order: AddressOrder,
): Promise<MadeWallet | { earlier: EarlierAddress }> =>
  makeDepositAddress(actor, order).catch(async (refusal: unknown) => {
    const isThere = refusal instanceof AppError && refusal.details.code === EXISTS;
    const earlier = isThere ? await findEarlier(await db(), actor, order) : null;
    if (earlier === null) throw refusal;
    return { earlier };
  });
