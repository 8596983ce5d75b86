import { and, asc, desc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { z } from "zod";
import { CHAIN_FAMILIES, type Network, NETWORKS } from "@/lib/contract/crypto";
import { addressKey, idKey, tokenKey } from "@/lib/contract/identity";
import type { Db } from "@/lib/db/connection";
import type { AskedBy } from "@/lib/db/enums/deposits";
import { lookupHashes } from "@/lib/db/seal";
import { deposit } from "@/lib/db/tables/deposits";
import {
  chainMovement,
  chainReading,
  cryptoOrder,
  hashKey,
  wallet,
  walletBalance,
  walletLabel,
  walletRequest,
} from "@/lib/db/tables/wallets";
import { recall } from "@/lib/db/watch-state";
import { folded } from "@/lib/text/typed";
import { openedLabels } from "@/lib/wallets/look-up";
import { networksOf, WALLETS_WATCH, WalletWalk } from "@/lib/wallets/inputs";
import { requestsNamed, type StoredMovement } from "@/lib/wallets/records";
import { type PaymentClues, type KnownToken, networksOfHash, type PaidPlace } from "./ask-paid";
import { groupOf, type KnownAddress, openedReference, readKnown } from "./keep";

type DepositRow = typeof deposit.$inferSelect;

/** What of the pasted text is known here. */
export type Subject = {
  kind: AskedBy;
  hashes: string[];
  /** Hashes of nothing that is kept. */
  unfound: string[];
  reference: string | null;
  /** Its addresses that are ours. */
  known: KnownAddress[];
  /** Pasted, and of no wallet here. */
  foreign: string[];
  linked: PaymentClues["linked"];
  isListWhole: boolean;
};

const plainHash = (hash: string) => idKey(hash).toLowerCase().replace(/^0x/, "");

export const movementsOf = (store: Db, tenant: string, hashes: readonly string[]): Promise<StoredMovement[]> => {
  const spelt = hashes.map(plainHash).flatMap((hash) => [hash, `0x${hash}`]);
  return store
    .select()
    .from(chainMovement)
    .where(and(eq(chainMovement.tenant, tenant), inArray(sql`lower(${chainMovement.hash})`, spelt)))
    .orderBy(chainMovement.walletId, chainMovement.key, chainMovement.ordinal);
};

export const isOfHashes = (hashes: readonly string[]) => inArray(hashKey(deposit.txHash), hashes.map(plainHash));

export const isOfReference = (reference: string) => inArray(deposit.referenceHash, lookupHashes(reference));

export const wasSentHere = async (store: Db, tenant: string, hashes: readonly string[]): Promise<boolean> =>
  (await store.$count(
    cryptoOrder,
    and(eq(cryptoOrder.tenant, tenant), inArray(hashKey(cryptoOrder.txHash), hashes.map(plainHash))),
  )) > 0;

/** Those of no movement, deposit or order that is kept. */
async function unfoundOf(store: Db, tenant: string, hashes: readonly string[]): Promise<string[]> {
  const unfound: string[] = [];
  for (const hash of hashes) {
    const isKept =
      (await movementsOf(store, tenant, [hash])).length > 0 ||
      (await store.$count(deposit, and(eq(deposit.tenant, tenant), isOfHashes([hash])))) > 0 ||
      (await wasSentHere(store, tenant, [hash]));
    if (!isKept) unfound.push(hash);
  }
  return unfound;
}

const isOurs = ({ walletIds, isCheckout, reference }: KnownAddress) =>
  walletIds.length > 0 || isCheckout || reference !== null;

/** Those that are ours, whichever family's they are. */
export async function readOwn(store: Db, tenant: string, addresses: readonly string[]): Promise<KnownAddress[]> {
  const keys = [...new Set(addresses)].flatMap((address) =>
    CHAIN_FAMILIES.map((family) => ({ family, addressKey: addressKey(family, address) })),
  );
  return (await readKnown(store, tenant, keys)).filter(isOurs);
}

type OfReference = { reference: string; known: KnownAddress[] };

async function readReference(store: Db, tenant: string, reference: string): Promise<OfReference | null> {
  const { addresses } = await groupOf(store, tenant, reference, []);
  const isThis = and(eq(deposit.tenant, tenant), isOfReference(reference));
  const isKnown = addresses.length > 0 || (await store.$count(deposit, isThis)) > 0;
  return isKnown ? { reference, known: addresses } : null;
}

/** As it was typed when its address was made, whatever case it was pasted in. */
async function readRespelt(store: Db, tenant: string, typed: string): Promise<OfReference | null> {
  const ids = await requestsNamed(store, tenant, typed);
  if (ids.length === 0) return null;
  const rows = await store
    .select()
    .from(walletRequest)
    .where(and(eq(walletRequest.tenant, tenant), inArray(walletRequest.intentId, ids)));
  const spelt = rows.flatMap((row) => openedLabels(row).reference ?? []);
  const found = spelt.find((one) => folded(one) === folded(typed));
  return found === undefined ? null : readReference(store, tenant, found);
}

async function findReference(store: Db, tenant: string, candidates: readonly string[]): Promise<OfReference | null> {
  for (const candidate of candidates) {
    const found = await readReference(store, tenant, candidate);
    if (found !== null) return found;
  }
  return null;
}

const HAS_LETTER = /\p{L}/u;

export async function findAsked(store: Db, tenant: string, asked: PaymentClues): Promise<Subject> {
  const walk = WalletWalk.parse(await recall(store, { tenant, name: WALLETS_WATCH }));
  const isListWhole = walk.walkedAt !== null && walk.unread.length === 0;
  const atAddresses = await readOwn(store, tenant, asked.addresses);
  const [whole] = asked.references;
  const isAlone =
    asked.hashes.length === 0 && atAddresses.length === 0 && whole !== undefined && HAS_LETTER.test(whole);
  const named =
    (await findReference(store, tenant, asked.references)) ??
    (isAlone ? await readRespelt(store, tenant, whole) : null);
  const known = atAddresses.length > 0 ? atAddresses : (named?.known ?? []);
  const unfound = await unfoundOf(store, tenant, asked.hashes);
  const isKeptHash = unfound.length < asked.hashes.length;
  const isForeign = asked.addresses.length > 0 && atAddresses.length === 0;
  const kindOf = (): Subject["kind"] => {
    if (isKeptHash) return "hash";
    if (atAddresses.length > 0) return "address";
    if (named !== null) return "reference";
    if (asked.hashes.length > 0) return "hash";
    return isForeign ? "foreign-address" : "nothing";
  };
  return {
    kind: kindOf(),
    hashes: asked.hashes,
    unfound,
    reference: named?.reference ?? null,
    known,
    foreign: isForeign ? asked.addresses : [],
    linked: asked.linked,
    isListWhole,
  };
}

const MOST_MASTERS = 6;
const MOST_OPEN = 8;

/** What coins are swept to, the most used first. */
async function readMasters(store: Db, tenant: string, networks: readonly Network[]): Promise<PaidPlace[]> {
  const swept = sql<number>`(select count(*) from ${deposit} where ${deposit.tenant} = ${wallet.tenant} and ${deposit.sweepWalletId} = ${wallet.id})`;
  const isOwn = and(eq(walletLabel.use, "own"), isNull(wallet.userId));
  const rows = await store
    .select({ walletId: wallet.id, address: wallet.address, family: wallet.family })
    .from(wallet)
    .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id)))
    .where(and(eq(wallet.tenant, tenant), sql`${wallet.isForwardPayment} is not true`, or(isOwn, sql`${swept} > 0`)))
    .orderBy(desc(swept), asc(wallet.createdAt), asc(wallet.id));
  return rows
    .filter(({ family }) => networksOf(family).some((network) => networks.includes(network)))
    .slice(0, MOST_MASTERS)
    .flatMap(({ walletId, address, family }) =>
      networksOf(family).flatMap((network) =>
        networks.includes(network) ? [{ walletId, address, network, isLikely: true }] : [],
      ),
    );
}

const placesOf = (known: readonly KnownAddress[], isLikely: (network: Network) => boolean): PaidPlace[] =>
  known.flatMap(({ walletIds: [walletId], address, family }) =>
    walletId === undefined
      ? []
      : networksOf(family).map((network) => ({ walletId, address, network, isLikely: isLikely(network) })),
  );

/** Where something is expected, or told by an event, and not there yet. */
async function readOpen(store: Db, tenant: string): Promise<KnownAddress[]> {
  const isTold = and(eq(deposit.stage, "told"), isNotNull(deposit.address));
  const rows = await store
    .select()
    .from(deposit)
    .where(and(eq(deposit.tenant, tenant), or(eq(deposit.standing, "expected"), isTold)))
    .orderBy(desc(deposit.at), desc(deposit.id))
    .limit(MOST_OPEN);
  const found: KnownAddress[] = [];
  for (const { id, address, referenceSealed } of rows) {
    const reference = referenceSealed === null ? null : openedReference({ tenant, id }, referenceSealed);
    if (address !== null) found.push(...(await readOwn(store, tenant, [address])));
    else if (reference !== null) found.push(...((await readReference(store, tenant, reference))?.known ?? []));
  }
  return found;
}

const distinctPlaces = (places: readonly PaidPlace[]): PaidPlace[] => {
  const byPlace = new Map<string, PaidPlace>();
  for (const place of places) {
    const key = `${place.network} ${place.walletId}`;
    if (byPlace.get(key)?.isLikely !== true) byPlace.set(key, place);
  }
  return [...byPlace.values()];
};

const MOST_OLDEST = 12;

async function readOldest(store: Db, tenant: string, networks: readonly Network[]): Promise<PaidPlace[]> {
  const wallets = await store.select().from(wallet).where(eq(wallet.tenant, tenant)).orderBy(desc(wallet.createdAt));
  const readings = await store
    .select({ walletId: chainReading.walletId, network: chainReading.network, asOf: chainReading.asOf })
    .from(chainReading)
    .where(and(eq(chainReading.tenant, tenant), eq(chainReading.tokenAddress, "")));
  const readAt = new Map(readings.map(({ walletId, network, asOf }) => [`${network} ${walletId}`, asOf?.getTime()]));
  const ageOf = ({ walletId, network }: PaidPlace) => readAt.get(`${network} ${walletId}`) ?? 0;
  return wallets
    .flatMap(({ id: walletId, address, family }) =>
      networksOf(family).map((network) => ({ walletId, address, network, isLikely: false })),
    )
    .filter(({ network }) => networks.includes(network))
    .toSorted((one, other) => ageOf(one) - ageOf(other))
    .slice(0, MOST_OLDEST);
}

/** A hash alone tells no address: where coins are swept to, where something is open, and what was read least lately. */
export async function placesToRead(
  store: Db,
  tenant: string,
  subject: Subject,
  expected: readonly Pick<DepositRow, "network">[],
): Promise<PaidPlace[]> {
  const { kind, hashes, known, linked } = subject;
  const wanted = [...expected.flatMap(({ network }) => network ?? []), ...linked.values()];
  const ofHashes = new Set(hashes.flatMap((hash) => networksOfHash(hash, linked)));
  const ofKnown = placesOf(known, (network) => wanted.includes(network));
  if (kind !== "hash") return distinctPlaces(ofKnown);
  const movements = await movementsOf(store, tenant, hashes);
  const told = await store
    .select({ address: deposit.address, network: deposit.network })
    .from(deposit)
    .where(and(eq(deposit.tenant, tenant), isOfHashes(hashes), isNotNull(deposit.address)));
  const networks = new Set([...movements, ...told].flatMap(({ network }) => network ?? [...ofHashes]));
  const ids = [...new Set(movements.map(({ walletId }) => walletId))];
  const moved =
    ids.length === 0
      ? []
      : await store
          .select()
          .from(wallet)
          .where(and(eq(wallet.tenant, tenant), inArray(wallet.id, ids)));
  const addresses = [...moved.map(({ address }) => address), ...told.flatMap(({ address }) => address ?? [])];
  const its = await readOwn(store, tenant, addresses);
  const kept = placesOf(its, () => true).filter(({ network }) => networks.has(network));
  if (kept.length > 0 || movements.length > 0) return distinctPlaces(kept);
  const written = NETWORKS.filter((network) => ofHashes.has(network));
  const open = placesOf(await readOpen(store, tenant), () => false);
  return distinctPlaces([
    ...ofKnown,
    ...(await readMasters(store, tenant, written)),
    ...open.filter(({ network }) => written.includes(network)),
    ...(await readOldest(store, tenant, written)),
  ]);
}

const tokenPlace = (network: Network, token: string) => `${network} ${tokenKey(network, token)}`;

const NamedTokens = z.object({
  rows: z.array(
    z.object({ network: z.enum(NETWORKS), token: z.string(), asset: z.string().nullable(), times: z.coerce.number() }),
  ),
});

/** Each token that a balance names or a history was asked for, on these networks. */
export async function readTokens(
  store: Db,
  tenant: string,
  networks: readonly Network[],
  wanted: readonly Pick<DepositRow, "network" | "asset" | "token">[],
): Promise<KnownToken[]> {
  if (networks.length === 0) return [];
  const names = sql.join(
    networks.map((network) => sql`${network}`),
    sql`, `,
  );
  const found = await store.execute(sql`
    select network, token, max(asset) as asset, sum(times) as times from (
      select ${walletBalance.network}::text as network, entry ->> 'tokenAddress' as token, max(entry ->> 'asset') as asset, count(*) as times
      from ${walletBalance}, jsonb_array_elements(${walletBalance.entries}) as entry
      where ${walletBalance.tenant} = ${tenant} and coalesce(entry ->> 'tokenAddress', '') <> '' group by 1, 2
      union all
      select ${chainReading.network}::text, ${chainReading.tokenAddress}, null, count(*)
      from ${chainReading} where ${chainReading.tenant} = ${tenant} and ${chainReading.tokenAddress} <> '' group by 1, 2
    ) as told where network in (${names}) group by 1, 2`);
  const byToken = new Map<string, KnownToken>();
  for (const { network, token, asset, times } of NamedTokens.parse(found).rows) {
    const before = byToken.get(tokenPlace(network, token));
    const address = before?.address ?? token;
    const name = before?.asset ?? (asset === "" ? null : asset);
    byToken.set(tokenPlace(network, token), {
      network,
      address,
      asset: name,
      times: times + (before?.times ?? 0),
      isWanted: false,
    });
  }
  for (const { network, asset, token } of wanted)
    for (const on of network === null ? networks : [network]) {
      if (token === null || token === "" || !networks.includes(on)) continue;
      const key = tokenPlace(on, token);
      byToken.set(key, byToken.get(key) ?? { network: on, address: token, asset, times: 0, isWanted: true });
    }
  const isWanted = ({ network, address, asset }: KnownToken) =>
    wanted.some(
      (one) =>
        (one.network === null || one.network === network) &&
        ((one.asset !== null && one.asset.toLowerCase() === asset?.toLowerCase()) ||
          [one.token, one.asset].some(
            (named) => named !== null && named !== "" && tokenKey(network, named) === tokenKey(network, address),
          )),
    );
  return [...byToken.values()].map((one) => ({ ...one, isWanted: isWanted(one) }));
}
