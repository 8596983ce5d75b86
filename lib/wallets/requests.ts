import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias, type AnyPgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { type IntentOutcome, intents } from "@/lib/provider/intents/intent";
import {
  concludeIntent,
  type Intent,
  type IntentEnd,
  type IntentKind,
  intentKind,
  nothing,
  isLookedFor,
  isSending,
  ofIntent,
  wasLookedSince,
} from "@/lib/provider/intents/intent-record";
import { createCheckoutAddress, createWallet } from "@/lib/provider/operations";
import { providerIntent } from "@/lib/db/tables/provider";
import { publish } from "@/lib/db/publish";
import type { OutcomeKind, OutcomeSubject } from "@/lib/provider/intents/outcome-kind";
import { outcomeExclusion } from "@/lib/db/tables/unconfirmed";
import { lockByHashes } from "@/lib/db/lease";
import { staff } from "@/lib/db/tables/staff";
import { watchState } from "@/lib/db/tables/watch";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { type AddressOrder, type WalletOrder, type WalletReconciliation, WALLETS_WATCH } from "./inputs";
import { wallet, walletRequest } from "@/lib/db/tables/wallets";
import type { EarlierAddress, MadeWallet, UnconfirmedWallet, WalletCandidate, WalletOrigin } from "./view";
import type { WalletRequestKind } from "@/lib/db/enums/wallets";

/** Null when a person linked it, or said that it happened. */
const Made = z.object({ walletId: z.string().nullable(), address: z.string() }).nullable();
type Made = z.infer<typeof Made>;

type RequestRow = typeof walletRequest.$inferSelect;

type Named = Pick<RequestRow, "tenant" | "intentId">;

const NAMES = { wallet: "wallet.create", address: "wallet.address" } as const satisfies Record<
  WalletRequestKind,
  OutcomeKind["name"]
>;

const objectOf = (intentId: string) => `wallet-request:${intentId}`;

const named = ({ tenant, intentId }: Named) =>
  and(eq(walletRequest.tenant, tenant), eq(walletRequest.intentId, intentId));

async function findRequest(tx: Db | Tx, request: Named): Promise<RequestRow | null> {
  const [row] = await tx.select().from(walletRequest).where(named(request));
  return row ?? null;
}

async function onOutcome(tx: Tx, { intent, by, stored }: IntentEnd<Made>): Promise<void> {
  const { tenant, id: intentId, state, status, code } = intent;
  if (stored !== null) await tx.update(walletRequest).set(stored).where(named({ tenant, intentId }));
  const request = await findRequest(tx, { tenant, intentId });
  if (request === null) throw new Error(`intent ${intentId} has no wallet request`);
  const { kind, family, walletId } = request;
  await publish(tx, { tenant, topic: "wallets", object: walletId ?? intentId });
  await record(tx, {
    tenant,
    actor: by,
    code: "wallets.create",
    outcome: state === "SENDING" ? "INTENT" : state,
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

const MAKINGS = { wallet: walletMaking, address: addressMaking } as const;

type Maker = Actor<"wallets:create">;

type Wanted = Pick<RequestRow, "kind" | "family" | "isForward"> & { reference: string | null; customer: string | null };

const holderOf = (column: "reference" | "customer", { tenant, intentId }: Named) =>
  ({ column: `wallet_request.${column}_sealed`, row: [tenant, intentId] }) as const;

const hasHash = (column: AnyPgColumn, clear: string | null): SQL =>
  clear === null ? isNull(column) : inArray(column, lookupHashes(clear));

/** Of the same wish only one may be without an answer: the second could be made twice. */
async function refuseUnsettled(tx: Tx, { tenant, intentId }: Named, wanted: Wanted): Promise<void> {
  const { kind, family, isForward, reference, customer } = wanted;
  await lockByHashes(tx, `wallet ${kind} ${family} ${reference ?? ""} ${customer ?? ""}`);
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

async function openRequest(tx: Tx, { tenant, id: staffId }: Maker, intentId: string, wanted: Wanted): Promise<void> {
  const { kind, family, isForward } = wanted;
  const request = { tenant, intentId };
  await refuseUnsettled(tx, request, wanted);
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
  { intentId, body, wanted }: { intentId: string; body: Body; wanted: Wanted },
): Promise<MadeWallet> {
  const outcome: IntentOutcome<Made> = await intents.execute(kind, {
    actor,
    intentId,
    object: objectOf(intentId),
    body,
    opened: (tx) => openRequest(tx, actor, intentId, wanted),
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
    wanted: { kind: "wallet", family, isForward, reference: null, customer },
    body: {
      network: family,
      ...(customer !== null && { userId: customer }),
      ...(isForward && { isForwardPayment: 1 as const }),
    },
  });

/** The customer is ours to keep: the interface takes a reference only. Throws as `makeWallet`. */
export const makeDepositAddress = (
  actor: Maker,
  { intentId, family, reference, customer }: AddressOrder,
): Promise<MadeWallet> =>
  make(actor, addressMaking, {
    intentId,
    wanted: { kind: "address", family, isForward: true, reference, customer },
    body: { network: family, reference },
  });

/** Null where the reference has no address of this family. */
async function findEarlier(
  { tenant }: Maker,
  { intentId, family, reference }: AddressOrder,
): Promise<EarlierAddress | null> {
  const [found] = await (
    await db()
  )
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

/** Makes none where the reference has one, until another is asked for. */
export async function orderDepositAddress(
  actor: Maker,
  order: AddressOrder,
): Promise<MadeWallet | { earlier: EarlierAddress }> {
  const earlier = order.isAnother === true ? null : await findEarlier(actor, order);
  return earlier === null ? makeDepositAddress(actor, order) : { earlier };
}

type SealedNames = Pick<RequestRow, "referenceHash" | "referenceSealed" | "customerHash" | "customerSealed">;

export const sealNames = (
  request: Named,
  { reference, customer }: Pick<Wanted, "reference" | "customer">,
): SealedNames => ({
  referenceHash: reference === null ? null : lookupHash(reference),
  referenceSealed: reference === null ? null : seal(reference, holderOf("reference", request)),
  customerHash: customer === null ? null : lookupHash(customer),
  customerSealed: customer === null ? null : seal(customer, holderOf("customer", request)),
});

type OpenedLabels = Pick<UnconfirmedWallet, "reference" | "customer" | "isUnopened">;

const isClosed = (stored: string | null, clear: string | null) => stored !== null && clear === null;

export function labelsOf(row: RequestRow): OpenedLabels {
  const opened = (column: "reference" | "customer", stored: string | null) =>
    stored === null ? null : unsealedOrNull(() => unseal(stored, holderOf(column, row)));
  const reference = opened("reference", row.referenceSealed);
  const customer = opened("customer", row.customerSealed);
  const isUnopened = isClosed(row.referenceSealed, reference) || isClosed(row.customerSealed, customer);
  return { reference, customer, isUnopened };
}

/** Null for a wallet that was not made here. */
export async function findOrigin(
  store: Db,
  tenant: string,
  { id, address, family }: Pick<typeof wallet.$inferSelect, "id" | "address" | "family">,
): Promise<WalletOrigin | null> {
  const isOfAddress = sql`lower(${walletRequest.address}) = ${address.toLowerCase()} and ${walletRequest.family} = ${family}`;
  const [found] = await store
    .select({ request: walletRequest, byName: staff.name })
    .from(walletRequest)
    .innerJoin(staff, eq(staff.id, walletRequest.staffId))
    .where(and(eq(walletRequest.tenant, tenant), or(eq(walletRequest.walletId, id), isOfAddress)))
    .orderBy(walletRequest.createdAt)
    .limit(1);
  if (found === undefined) return null;
  const { request, byName } = found;
  return { ...labelsOf(request), byName, at: request.createdAt.toISOString() };
}

const MAX_CANDIDATES = 20;

/** First seen since it was sent, of the same family and use, and no other request's. */
async function candidatesOf(store: Db | Tx, request: RequestRow, sentAt: Date | null): Promise<WalletCandidate[]> {
  if (sentAt === null || request.address !== null) return [];
  const { tenant, intentId, family, isForward } = request;
  const claimant = alias(walletRequest, "claimant");
  const isClaimed = or(
    eq(claimant.walletId, wallet.id),
    eq(sql`lower(${claimant.address})`, sql`lower(${wallet.address})`),
  );
  const claimed = store
    .select({ intentId: claimant.intentId })
    .from(claimant)
    .where(and(eq(claimant.tenant, wallet.tenant), isClaimed));
  const excluded = store
    .select({ intentId: outcomeExclusion.intentId })
    .from(outcomeExclusion)
    .where(
      and(
        eq(outcomeExclusion.tenant, tenant),
        eq(outcomeExclusion.intentId, intentId),
        eq(outcomeExclusion.candidate, wallet.id),
      ),
    );
  const isOfUse = or(isNull(wallet.isForwardPayment), eq(wallet.isForwardPayment, isForward));
  const isNew = gte(wallet.firstSeenAt, sentAt);
  const rows = await store
    .select({ walletId: wallet.id, address: wallet.address, userId: wallet.userId, firstSeenAt: wallet.firstSeenAt })
    .from(wallet)
    .where(
      and(
        eq(wallet.tenant, tenant),
        eq(wallet.family, family),
        isOfUse,
        isNew,
        notExists(claimed),
        notExists(excluded),
      ),
    )
    .orderBy(asc(wallet.firstSeenAt), wallet.id)
    .limit(MAX_CANDIDATES);
  const { customer } = labelsOf(request);
  const isOfAnother = (userId: string | null) =>
    request.kind === "wallet" && userId !== null && customer !== null && userId !== customer;
  return rows
    .filter(({ userId }) => !isOfAnother(userId))
    .map(({ walletId, address, firstSeenAt }) => ({
      walletId,
      address,
      firstSeenAt: (firstSeenAt ?? sentAt).toISOString(),
    }));
}

/** When the last walk that read the whole list began. */
const walkedAt = sql`case when ${watchState.memory} ->> 'offset' = '0'
  then (${watchState.memory} ->> 'walkedAt')::timestamptz end`;

export async function openRequests(store: Db | Tx, tenant: string): Promise<UnconfirmedWallet[]> {
  const rows = await store
    .select({
      request: walletRequest,
      byName: staff.name,
      isSending,
      sentAt: providerIntent.firstSentAt,
      wasReadSince: wasLookedSince(walkedAt),
    })
    .from(walletRequest)
    .innerJoin(providerIntent, ofIntent(walletRequest))
    .innerJoin(staff, eq(staff.id, walletRequest.staffId))
    .leftJoin(watchState, and(eq(watchState.tenant, walletRequest.tenant), eq(watchState.name, WALLETS_WATCH)))
    .where(and(eq(walletRequest.tenant, tenant), isLookedFor))
    .orderBy(desc(walletRequest.createdAt));
  return Promise.all(
    rows.map(async ({ request, byName, isSending: isBeingSent, sentAt, wasReadSince }) => {
      const candidates = await candidatesOf(store, request, sentAt);
      const { intentId, kind, family, isForward, createdAt } = request;
      return {
        ...labelsOf(request),
        intentId,
        kind,
        family,
        isForward,
        byName,
        at: createdAt.toISOString(),
        isSending: isBeingSent,
        candidates,
        isNotFound: !isBeingSent && wasReadSince && candidates.length === 0,
      };
    }),
  );
}

/** Two people may choose the same wallet at once: its row is held until one is done. */
async function linkWallet(tx: Tx, request: RequestRow, candidate: WalletCandidate): Promise<boolean> {
  const { tenant } = request;
  const { walletId, address } = candidate;
  await tx
    .select({ id: wallet.id })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.id, walletId)))
    .for("update");
  const claimant = alias(walletRequest, "claimant");
  const taken = tx
    .select({ intentId: claimant.intentId })
    .from(claimant)
    .where(
      and(
        eq(claimant.tenant, tenant),
        or(eq(claimant.walletId, walletId), eq(sql`lower(${claimant.address})`, address.toLowerCase())),
      ),
    );
  const linked = await tx
    .update(walletRequest)
    .set({ walletId, address })
    .where(and(named(request), isNull(walletRequest.address), notExists(taken)))
    .returning({ intentId: walletRequest.intentId });
  return linked.length > 0;
}

/** A person says which wallet came of it. Throws conflict `wallet-settled` when it is linked already or is no candidate. */
export async function reconcileRequest(
  actor: Maker,
  { intentId, walletId }: WalletReconciliation,
): Promise<{ walletId: string }> {
  const { tenant, id: by } = actor;
  await (
    await db()
  ).transaction(async (tx) => {
    const request = await findRequest(tx, { tenant, intentId });
    const open = (await openRequests(tx, tenant)).find((one) => one.intentId === intentId);
    const candidate = open?.candidates.find((one) => one.walletId === walletId);
    const isOpen = request !== null && open !== undefined && !open.isSending && candidate !== undefined;
    const isLinked = isOpen && (await linkWallet(tx, request, candidate));
    const ended =
      isLinked &&
      (await concludeIntent(tx, {
        intent: { tenant, id: intentId },
        kind: MAKINGS[request.kind],
        by,
        hasHappened: true,
      }));
    if (!ended) throw new AppError("conflict", { code: "wallet-settled" });
  });
  return { walletId };
}

async function candidatesOfIntent(tx: Db | Tx, { tenant, id, firstSentAt }: Intent): Promise<string[]> {
  const request = await findRequest(tx, { tenant, intentId: id });
  if (request === null) return [];
  return (await candidatesOf(tx, request, firstSentAt)).map(({ walletId }) => walletId);
}

async function describeRequest(tx: Db | Tx, { tenant, id: intentId }: Intent): Promise<OutcomeSubject> {
  const request = await findRequest(tx, { tenant, intentId });
  const { reference, customer } = request === null ? { reference: null, customer: null } : labelsOf(request);
  return { subject: reference ?? customer ?? request?.family ?? null, amount: null, href: "/wallets/addresses" };
}

const outcomeOf = (kind: WalletRequestKind): OutcomeKind => ({
  name: NAMES[kind],
  intent: MAKINGS[kind],
  permission: "wallets:create",
  needsApproval: false,
  describe: describeRequest,
  candidatesOf: candidatesOfIntent,
});

export const REQUEST_OUTCOMES: readonly OutcomeKind[] = [outcomeOf("wallet"), outcomeOf("address")];
