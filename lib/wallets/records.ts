import { holdLock, ownWalletsLock } from "@/lib/db/lock";
import { z } from "zod";
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { provider } from "@/lib/provider/client";
import { getWalletBalance } from "@/lib/provider/operations";
import { familyOf } from "@/lib/contract/addresses";
import { CHAIN_FAMILIES, type Network, type Wallet } from "@/lib/contract/crypto";
import { addressKey, addressSpellings } from "@/lib/contract/identity";
import { userIdIn } from "@/lib/contract/open-answer";
import { isStorable, TextOrEmpty } from "@/lib/contract/shared";
import { env } from "@/lib/settings/env";
import { publish, publishAll } from "@/lib/db/publish";
import { isDecimal } from "@/lib/text/format";
import { readInstant } from "@/lib/text/read-time";
import { showBody, type ShownBody } from "@/lib/text/shown-body";
import { civilDay, DAY_MS, DAYS_OF_A_YEAR } from "@/lib/text/time";
import { folded } from "@/lib/text/typed";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import { heldIn } from "./held";
import { unreadOf } from "./holdings";
import { holdsSomething } from "./last-movement";
import { isFamily, networksOf, WALLETS_WATCH, WalletWalk } from "./inputs";
import { labelsOf } from "./requests";
import {
  chainMovement,
  chainReading,
  wallet,
  walletBalance,
  walletLabel,
  walletRequest,
} from "@/lib/db/tables/wallets";
import { type ReadTrouble, useOf } from "./view";
import { providerIntent } from "@/lib/db/tables/provider";
import type { WalletUse } from "@/lib/db/enums/wallets";
import { storeNow } from "@/lib/db/clock";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { freshness, recall } from "@/lib/db/watch-state";

type WalletRow = typeof wallet.$inferSelect;

const TOLD = ["address", "family", "coin", "status", "userId", "isForwardPayment", "referenceHash"] as const;

const differs = (row: WalletRow | undefined, values: Pick<WalletRow, (typeof TOLD)[number] | "spellings">) =>
  TOLD.some((name) => row?.[name] !== values[name]) ||
  values.spellings.some((one) => row?.spellings.includes(one) !== true);

const REFERENCE_MAX = 300;
const Referring = z.looseObject({ reference: TextOrEmpty.catch("") });

/** Null where the list tells none, or one that cannot be kept. */
function referenceIn(one: Wallet): string | null {
  const reference = Referring.parse(one).reference.trim();
  return reference === "" || reference.length > REFERENCE_MAX || !isStorable(reference) ? null : reference;
}

const referenceTarget = ({ tenant, id }: Pick<WalletRow, "tenant" | "id">) =>
  ({ column: "wallet.reference_sealed", row: [tenant, id] }) as const;

/** What the provider's list says of whom a wallet is for. */
export function toldReference({ referenceSealed: sealed, ...row }: WalletRow): string | null {
  return sealed === null ? null : unsealedOrNull(() => unseal(sealed, referenceTarget(row)));
}

type Referred = Pick<WalletRow, "referenceHash" | "referenceSealed">;

/** Past the term it is not taken in again. */
function referredTo(row: WalletRow | undefined, key: Pick<WalletRow, "tenant" | "id">, one: Wallet): Referred {
  const reference = referenceIn(one);
  const madeAt = readInstant(one.createdAt) ?? new Date();
  const isKept = row?.referenceHash != null;
  if (reference === null || (!isKept && Date.now() - madeAt.getTime() > env().retentionYears * DAYS_OF_A_YEAR * DAY_MS))
    return { referenceHash: null, referenceSealed: null };
  if (isKept && lookupHashes(reference).includes(row.referenceHash ?? ""))
    return { referenceHash: row.referenceHash, referenceSealed: row.referenceSealed };
  return { referenceHash: lookupHash(reference), referenceSealed: seal(reference, referenceTarget(key)) };
}

/** The interface shows 1 and 0; any other value is unknown. */
const forwarding = (state: number | null): boolean | null => (state === 0 || state === 1 ? state === 1 : null);

export async function saveWallets(tx: Tx, tenant: string, listed: readonly Wallet[]): Promise<number> {
  const seenAt = new Date();
  await holdLock(tx, ownWalletsLock(tenant));
  const ids = listed.map(({ id }) => id);
  const mine = and(eq(wallet.tenant, tenant), inArray(wallet.id, ids));
  const stored = ids.length === 0 ? [] : await tx.select().from(wallet).where(mine);
  const firstSeenAt = sql`clock_timestamp()`;
  const changed: string[] = [];
  for (const one of listed) {
    const { id, address, network, coin, status, createdAt } = one;
    const userId = userIdIn(one) || null;
    const isForwardPayment = forwarding(one.isForwardPayment);
    const row = stored.find((before) => before.id === id);
    const referred = referredTo(row, { tenant, id }, one);
    const spellings = isFamily(network) ? addressSpellings(network, address) : [];
    const values = { address, spellings, family: network, coin, status, userId, isForwardPayment, ...referred, seenAt };
    if (!differs(row, values)) continue;
    changed.push(id);
    await tx
      .insert(wallet)
      .values({ tenant, id, ...values, createdAt: readInstant(createdAt) ?? seenAt, firstSeenAt })
      .onConflictDoUpdate({ target: [wallet.tenant, wallet.id], set: values });
  }
  if (ids.length > 0) await tx.update(wallet).set({ seenAt }).where(mine);
  await publishAll(tx, { tenant, topic: "wallets", objects: changed });
  return changed.length;
}

export async function findWallet(
  store: Db,
  tenant: string,
  id: string,
): Promise<Pick<WalletRow, "address" | "family"> | null> {
  const isIt = and(eq(wallet.tenant, tenant), eq(wallet.id, id));
  const [row] = await store.select({ address: wallet.address, family: wallet.family }).from(wallet).where(isIt);
  return row ?? null;
}

/** The wallet id for one of these addresses, in any case; the newest when several share it. */
export async function findWalletAt(store: Db, tenant: string, addresses: readonly string[]): Promise<string | null> {
  if (addresses.length === 0) return null;
  const lower = addresses.map((address) => address.toLowerCase());
  const [found] = await store
    .select({ id: wallet.id })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), inArray(sql`lower(${wallet.address})`, lower)))
    .orderBy(desc(wallet.createdAt))
    .limit(1);
  return found?.id ?? null;
}

export type WalletNetwork = { walletId: string; address: string; network: Network };

type BalanceUpdate = Partial<Pick<typeof walletBalance.$inferInsert, "entries" | "asOf" | "triedAt" | "movedAt">>;

async function saveReading(tx: Db | Tx, tenant: string, { walletId, network, ...read }: WalletNetwork & BalanceUpdate) {
  const { address: _, ...values } = read;
  await tx
    .insert(walletBalance)
    .values({ tenant, walletId, network, entries: [], ...values })
    .onConflictDoUpdate({
      target: [walletBalance.tenant, walletBalance.walletId, walletBalance.network],
      set: values,
    });
}

export const isOutOfTurn = (error: unknown): boolean =>
  error instanceof AppError && error.details.code === "budget-spent";

export function readTroubleOf(read: PromiseSettledResult<void> | undefined): ReadTrouble | null {
  if (read?.status !== "rejected") return null;
  const { reason } = read;
  if (!(reason instanceof AppError) || !isOutOfTurn(reason)) return { as: "failed" };
  return { as: "put-off", until: new Date(Date.now() + (reason.details.retryAfterMs ?? 0)).toISOString() };
}

/** A failed attempt is recorded too. `isPatient`: nobody waits for it; `isTold`: an event reported a movement, even if it was forwarded. */
export async function refreshBalance(
  actor: Actor,
  one: WalletNetwork,
  {
    isPatient = false,
    isFirst = false,
    isTold = false,
  }: { isPatient?: boolean; isFirst?: boolean; isTold?: boolean } = {},
): Promise<void> {
  const { tenant } = actor;
  const { walletId, address, network } = one;
  const store = await db();
  const triedAt = await storeNow(store);
  const how = { params: { address }, query: { network }, object: `wallet:${walletId}`, isPatient, isFirst };
  const { answer, asOf } = await provider.get(actor, getWalletBalance, how).catch(async (error: unknown) => {
    if (!isOutOfTurn(error)) await saveReading(store, tenant, { ...one, triedAt });
    throw error;
  });
  const entries = answer.data.map((entry) => ("unread" in entry ? { shape: showBody(entry.unread) } : entry));
  await store.transaction(async (tx) => {
    const isThis = and(eq(walletBalance.walletId, walletId), eq(walletBalance.network, network));
    // jsonb reorders fields, so the database compares.
    const isOther = sql<boolean>`${walletBalance.entries} is distinct from ${JSON.stringify(entries)}::jsonb`;
    const [before] = await tx
      .select({ isOther, asOf: walletBalance.asOf })
      .from(walletBalance)
      .where(and(eq(walletBalance.tenant, tenant), isThis));
    const isNews = before?.isOther !== false || before.asOf === null;
    const hasMoved = isTold || (before?.isOther === true && before.asOf !== null);
    await saveReading(tx, tenant, { ...one, entries, asOf, triedAt, ...(hasMoved && { movedAt: triedAt }) });
    if (isNews) await publish(tx, { tenant, topic: "wallets", object: walletId });
  });
}

export type WalletPlace = WalletNetwork & { use: WalletUse | null };

/** Each wallet on each of its networks. */
export async function listPlaces(store: Db, tenant: string): Promise<WalletPlace[]> {
  const { id: walletId, address, family, userId, isForwardPayment } = wallet;
  const wallets = await store
    .select({ walletId, address, family, userId, isForwardPayment, set: walletLabel.use })
    .from(wallet)
    .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, walletId)))
    .where(eq(wallet.tenant, tenant))
    .orderBy(walletId);
  return wallets.flatMap(({ walletId: id, address: at, family: name, set, ...told }) =>
    networksOf(name).map((network) => ({ walletId: id, address: at, network, use: useOf({ use: set, ...told }) })),
  );
}

/** Wallets with a balance or a movement that was never read; null before the first list. */
export async function countUnreadWallets(store: Db, tenant: string): Promise<number | null> {
  if ((await freshness(tenant, WALLETS_WATCH)).asOf === null) return null;
  const pairs = CHAIN_FAMILIES.flatMap((family) =>
    networksOf(family).map((network) => sql`(${family}::text, ${network}::text)`),
  );
  const Counted = z.object({ rows: z.tuple([z.object({ n: z.coerce.number() })]) });
  const found = await store.execute(sql`
    select count(distinct one.id) as n from ${wallet} as one
    join (values ${sql.join(pairs, sql`, `)}) as on_chain (family, network) on on_chain.family = one.family
    left join ${walletBalance} as balance
      on balance.tenant = one.tenant and balance.wallet_id = one.id and balance.network = on_chain.network
    left join ${chainReading} as reading on reading.tenant = one.tenant and reading.wallet_id = one.id
      and reading.network = on_chain.network and reading.token_address = ''
    where one.tenant = ${tenant} and (balance.as_of is null
      or balance.moved_at > coalesce(reading.as_of, '-infinity')
      or (reading.as_of is null and ${holdsSomething(sql`balance.entries`)}))`);
  return Counted.parse(found).rows[0].n;
}

/** Listed wallets without a readable balance: unreadable, or of a family unknown to the interface. */
export async function countUnplaced(store: Db, tenant: string): Promise<number> {
  const { unread } = WalletWalk.parse(await recall(store, { tenant, name: WALLETS_WATCH }));
  const others = and(eq(wallet.tenant, tenant), notInArray(wallet.family, [...CHAIN_FAMILIES]));
  return unread.length + (await store.$count(wallet, others));
}

/** `balance`: null when contradictory or unreadable. */
type HeldAsset = { asset: string; tokenAddress: string; balance: string | null };

function unreadHolding({ fields }: ShownBody): HeldAsset {
  const valueOf = (name: string) => fields.find(({ path }) => path === name)?.value ?? "";
  const tokenAddress = valueOf("tokenAddress").replace(/^null$/, "");
  return { asset: tokenAddress === "" ? "" : valueOf("asset"), tokenAddress, balance: null };
}

/** A wallet's last reading on a network; an unreadable entry without a token has no asset. */
export async function storedHoldings(
  store: Db,
  tenant: string,
  { walletId, network }: WalletNetwork,
): Promise<{ asOf: Date; holdings: HeldAsset[] } | null> {
  const isIt = and(eq(walletBalance.walletId, walletId), eq(walletBalance.network, network));
  const [row] = await store
    .select({ entries: walletBalance.entries, asOf: walletBalance.asOf })
    .from(walletBalance)
    .where(and(eq(walletBalance.tenant, tenant), isIt));
  if (row === undefined || row.asOf === null) return null;
  const read = row.entries.flatMap((entry) => ("shape" in entry ? [] : [entry]));
  const holdings = heldIn(tenant, network, read).map(({ asset, tokenAddress, balance, doubt }) => ({
    asset,
    tokenAddress: tokenAddress ?? "",
    balance: doubt !== "told-twice" && isDecimal(balance) ? balance : null,
  }));
  const unread = unreadOf(row.entries).map(unreadHolding);
  const byName = new Map(unread.map((one) => [JSON.stringify([one.asset, one.tokenAddress]), one]));
  return { asOf: row.asOf, holdings: [...holdings, ...byName.values()] };
}

export async function addressesOf(store: Db, tenant: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await store
    .select({ id: wallet.id, address: wallet.address })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), inArray(wallet.id, [...ids])));
  return new Map(rows.map(({ id, address }) => [id, address]));
}

/** `network` null: a family unknown to the interface. `isWhole`: includes each known token's query. */
export type StoredHistory = {
  walletId: string;
  address: string;
  family: string;
  label: string | null;
  network: Network | null;
  asOf: Date | null;
  isWhole: boolean;
  unread: number;
  /** Null: nothing says when. */
  madeAt: Date | null;
};

/**
 * When the provider, or we by our order, made a wallet; `of`: the table's name in the query. A time that is merely when
 * we saw it first says nothing.
 */
export const walletMadeAt = (of: SQL): SQL<Date | null> =>
  sql`case when ${of}.created_at < ${of}.first_seen_at - interval '1 second' or (${of}.tenant, ${of}.id) in (
    select made.tenant, made.wallet_id from ${walletRequest} as made
    join ${providerIntent} as ordered on ordered.tenant = made.tenant and ordered.id = made.intent_id)
    then ${of}.created_at end`;

/** Of a deposit address of the last day its event tells first; of a wallet `one` with its `label`. */
export const isAwaitingDeposit = sql`(coalesce(one.is_forward_payment, label.use = 'checkout', false)
    and coalesce(one.first_seen_at, one.created_at) > clock_timestamp() - interval '1 day')`;

/** How far each wallet's history is read on each of its networks, or one wallet's. */
export async function listHistories(store: Db, tenant: string, only?: string): Promise<StoredHistory[]> {
  const { id: walletId, address, family } = wallet;
  const wallets = await store
    .select({
      walletId,
      address,
      family,
      label: walletLabel.label,
      madeAt: walletMadeAt(sql`wallet`).mapWith(wallet.createdAt),
    })
    .from(wallet)
    .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, walletId)))
    .where(and(eq(wallet.tenant, tenant), only === undefined ? undefined : eq(walletId, only)))
    .orderBy(wallet.createdAt, walletId);
  const { network: on, walletId: of, tokenAddress, asOf, isWhole, unread } = chainReading;
  const told = await store
    .select({
      place: sql<string>`${on} || ' ' || ${of}`,
      asOf: sql<Date | null>`max(${asOf}) filter (where ${tokenAddress} = '')`.mapWith(asOf),
      isWhole: sql<boolean>`bool_and(${isWhole})`,
      unread: sql<number>`max(${unread})`,
    })
    .from(chainReading)
    .where(and(eq(chainReading.tenant, tenant), only === undefined ? undefined : eq(of, only)))
    .groupBy(on, of);
  const readings = new Map(told.map(({ place, ...reading }) => [place, reading]));
  const never = { asOf: null, isWhole: false, unread: 0 };
  return wallets.flatMap((one) => {
    const networks = networksOf(one.family);
    return (networks.length === 0 ? [null] : networks).map((network) => ({
      ...one,
      network,
      ...(readings.get(`${network} ${one.walletId}`) ?? never),
    }));
  });
}

/** One address counts once on a network, however many wallets list it. */
export const placeKey = (network: Network, address: string): string =>
  `${network} ${addressKey(familyOf(network), address)}`;

export const walletPlace = (family: string, address: string): string =>
  `${family} ${isFamily(family) ? addressKey(family, address) : address}`;

/** Networks on which neither the wallet's balance nor a query named a token. */
export async function networksWithoutTokens(store: Db, tenant: string, walletId: string): Promise<Set<Network>> {
  const isOfBalance = and(eq(walletBalance.tenant, tenant), eq(walletBalance.walletId, walletId));
  const hasToken = sql<boolean>`jsonb_path_exists(${walletBalance.entries}, '$[*].tokenAddress ? (@ != "")')
    or jsonb_path_exists(${walletBalance.entries}, '$[*].shape')`;
  const read = await store
    .select({ network: walletBalance.network, hasToken })
    .from(walletBalance)
    .where(and(isOfBalance, isNotNull(walletBalance.asOf)));
  const asked = await store
    .selectDistinct({ network: chainReading.network })
    .from(chainReading)
    .where(
      and(eq(chainReading.tenant, tenant), eq(chainReading.walletId, walletId), ne(chainReading.tokenAddress, "")),
    );
  const named = new Set(asked.map(({ network }) => network));
  return new Set(read.flatMap((one) => (one.hasToken || named.has(one.network) ? [] : [one.network])));
}

/** Entries of the wallet list that could not be read, by their hashes. */
export async function listUnlisted(store: Db, tenant: string): Promise<string[]> {
  const { unread } = WalletWalk.parse(await recall(store, { tenant, name: WALLETS_WATCH }));
  return unread.map(({ hash }) => hash);
}

const BATCH = 500;

export { hasTime, movementState } from "./chain-state";
export { publicLink } from "./explorer";
export { paidFees } from "./paid-fees";

export type StoredMovement = typeof chainMovement.$inferSelect;

/** Oldest first. */
export async function* storedMovements(store: Db, where: SQL | undefined): AsyncGenerator<StoredMovement[]> {
  const { at, network, key, ordinal } = chainMovement;
  let after: StoredMovement | undefined;
  for (;;) {
    const isAfter =
      after === undefined
        ? undefined
        : sql`(${at}, ${network}, ${key}, ${ordinal}) > (${after.at.toISOString()}::timestamptz, ${after.network}::text, ${after.key}::text, ${after.ordinal}::int)`;
    const rows = await store
      .select()
      .from(chainMovement)
      .where(and(where, isAfter))
      .orderBy(at, network, key, ordinal)
      .limit(BATCH);
    yield rows;
    after = rows.at(-1);
    if (rows.length < BATCH) return;
  }
}

/** `isDropped`: only those that their network no longer returns. */
type Period = { from: string; to: string; isDropped?: boolean };

/** Of whole São Paulo days, both included. */
export async function* movementsIn(
  store: Db,
  tenant: string,
  { walletId, network }: Pick<WalletNetwork, "walletId" | "network">,
  { from, to, isDropped = false }: Period,
): AsyncGenerator<StoredMovement[]> {
  const { at, droppedAt } = chainMovement;
  const isIt = and(
    eq(chainMovement.tenant, tenant),
    eq(chainMovement.walletId, walletId),
    eq(chainMovement.network, network),
    gte(at, new Date(Date.parse(from) - DAY_MS)),
    lt(at, new Date(Date.parse(to) + 2 * DAY_MS)),
    isDropped ? isNotNull(droppedAt) : isNull(droppedAt),
  );
  for await (const rows of storedMovements(store, isIt))
    yield rows.filter((row) => {
      const day = civilDay(row.at);
      return day >= from && day <= to;
    });
}

const OPENED_MAX = 5_000;

/** Requests with the text in their reference or customer, in any case: only the newest are opened, but a whole reference is always found. */
export async function requestsNamed(store: Db, tenant: string, text: string): Promise<string[]> {
  const isOfTenant = eq(walletRequest.tenant, tenant);
  const { referenceHash, customerHash, intentId, createdAt } = walletRequest;
  const hashes = lookupHashes(text);
  const whole = await store
    .select({ intentId })
    .from(walletRequest)
    .where(and(isOfTenant, or(inArray(referenceHash, hashes), inArray(customerHash, hashes))));
  const newest = await store
    .select()
    .from(walletRequest)
    .where(and(isOfTenant, or(isNotNull(referenceHash), isNotNull(customerHash))))
    .orderBy(desc(createdAt))
    .limit(OPENED_MAX);
  const sought = folded(text);
  const holding = newest.filter((row) => {
    const { reference, customer } = labelsOf(row);
    return [reference, customer].some((name) => name !== null && folded(name).includes(sought));
  });
  return [...new Set([...whole, ...holding].map((row) => row.intentId))];
}
