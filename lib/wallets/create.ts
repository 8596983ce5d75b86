import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { defineWrite, executeAlone, type Ordering } from "@/lib/approvals/define-write";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import type { IntentOutcome } from "@/lib/provider/intents/intent";
import { type IntentEnd, nothing, isLookedFor, ofIntent } from "@/lib/provider/intents/intent-record";
import { createCheckoutAddress, createWallet as createWalletOperation } from "@/lib/provider/operations";
import { providerIntent } from "@/lib/db/tables/provider";
import { publish } from "@/lib/db/publish";
import { lockByHashes } from "@/lib/db/lease";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { walletRequest } from "@/lib/db/tables/wallets";
import { triggerWatch } from "@/lib/watch/watch";
import { AddressOrder, WalletOrder, WALLETS_WATCH } from "./inputs";
import type { EarlierAddress, MadeWallet } from "./view";
import {
  walletCandidateIds,
  describeWalletRequest,
  findWalletRequest,
  hasHash,
  type RequestKey,
  isRequest,
  NAMES,
  walletRequestObject,
  sealNames,
  type WalletWish,
} from "./requests";

/** Null when a person linked it or settled it as happened. */
const CreatedWallet = z.object({ walletId: z.string().nullable(), address: z.string() }).nullable();
type CreatedWallet = z.infer<typeof CreatedWallet>;

async function onOutcome(tx: Tx, { intent, by, outcome, stored }: IntentEnd<CreatedWallet>): Promise<void> {
  const { tenant, id: intentId, status, code } = intent;
  if (stored !== null) await tx.update(walletRequest).set(stored).where(isRequest({ tenant, intentId }));
  const request = await findWalletRequest(tx, { tenant, intentId });
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

export type Maker = Actor<"wallets:create">;

/** Only one request per purpose may be unanswered, as a second could create another wallet. */
async function refuseUnsettled(tx: Tx, { tenant, intentId }: RequestKey, wanted: WalletWish): Promise<void> {
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

type Creating<Order> = Ordering<"wallets:create", Order>;

async function openRequest(tx: Tx, creating: Creating<{ intentId: string }>, wanted: WalletWish): Promise<void> {
  const { actor, order, object } = creating;
  const { tenant, id: staffId } = actor;
  const { intentId } = order;
  const { kind, family, isForward } = wanted;
  const request = { tenant, intentId };
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
  const what = { code: "wallets.create", object, intentId, detail } as const;
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what });
}

/** `address` null: a person settled it as happened without naming one. */
async function madeOf(
  { tenant }: Maker,
  { intentId, family }: WalletOrder | AddressOrder,
  outcome: IntentOutcome<CreatedWallet>,
): Promise<MadeWallet> {
  if (outcome.state === "HELD") throw new AppError("held");
  const row = await findWalletRequest(await db(), { tenant, intentId });
  await triggerWatch(tenant, WALLETS_WATCH);
  return { intentId, family, walletId: row?.walletId ?? null, address: row?.address ?? null };
}

/** Returns null when the reference has no address of this family. */
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

const wantedWallet = ({ family, isForward, customer }: WalletOrder): WalletWish => ({
  kind: "wallet",
  family,
  isForward,
  reference: null,
  customer,
});

/** The customer is stored only here: the interface takes just a reference. */
const wantedAddress = ({ family, reference, customer }: AddressOrder): WalletWish => ({
  kind: "address",
  family,
  isForward: true,
  reference,
  customer,
});

/** Without Idempotency-Key (interface: Crypto wallets › POST /v1/crypto/wallets, /v1/crypto/checkout/address). */
const creating = {
  objectOf: async (_store: Db | Tx, _tenant: string, { intentId }: { intentId: string }) =>
    walletRequestObject(intentId),
  approval: null,
  isKeyed: false,
  busyCode: null,
  unconfirmedCode: "wallet-unconfirmed",
  recheck: nothing,
  stored: CreatedWallet,
  ended: onOutcome,
  settle: { needsSecond: false, describe: describeWalletRequest, candidatesOf: walletCandidateIds },
} as const;

export const createWallet = defineWrite({
  ...creating,
  name: "wallet.create",
  order: WalletOrder,
  validate: (tx, { actor: { tenant }, order }) =>
    refuseUnsettled(tx, { tenant, intentId: order.intentId }, wantedWallet(order)),
  operation: createWalletOperation,
  bodyOf: ({ family, isForward, customer }) => ({
    network: family,
    ...(customer !== null && { userId: customer }),
    ...(isForward && { isForwardPayment: 1 as const }),
  }),
  opened: (tx, ordering) => openRequest(tx, ordering, wantedWallet(ordering.order)),
  toStore: ({ data: { walletId, address } }) => ({ walletId, address }),
});

export const createAddress = defineWrite({
  ...creating,
  name: "wallet.address",
  order: AddressOrder,
  validate: async (tx, { actor, order }) => {
    await refuseUnsettled(tx, { tenant: actor.tenant, intentId: order.intentId }, wantedAddress(order));
    if (order.isAnother === true || (await findEarlier(tx, actor, order)) === null) return;
    throw new AppError("conflict", { code: EXISTS });
  },
  operation: createCheckoutAddress,
  bodyOf: ({ family, reference }) => ({ network: family, reference }),
  opened: (tx, ordering) => openRequest(tx, ordering, wantedAddress(ordering.order)),
  toStore: ({ data: { address } }) => ({ walletId: null, address }),
});

export const REQUESTED = { wallet: createWallet, address: createAddress } as const;

/** Once per intent. Throws as `executeAlone`, and conflict `wallet-unsettled`. */
export const makeWallet = async (actor: Maker, order: WalletOrder): Promise<MadeWallet> =>
  madeOf(actor, order, await executeAlone(createWallet, actor, order));

/** Once per intent. Throws as `makeWallet`, and conflict `address-exists`. */
export const makeDepositAddress = async (actor: Maker, order: AddressOrder): Promise<MadeWallet> =>
  madeOf(actor, order, await executeAlone(createAddress, actor, order));

/** Creates none when the reference has one, unless another is requested. */
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
