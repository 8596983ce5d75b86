import { hex } from "@scure/base";
import { entropyToMnemonic, mnemonicToSeed } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import {
  CHAIN_FAMILIES,
  type ChainFamily,
  type CreateCheckoutAddress,
  type CreateWallet,
  FAMILY_NETWORKS,
  type Network,
  type WalletBalanceQuery,
  type WalletsQuery,
  WALLET_STATUSES,
} from "@/lib/contract/crypto";
import { instant } from "@/service/clock";
import type { Call, Service } from "@/service/context";
import { invalid, notFound } from "@/service/error";
import { assetIdOf, findAccount, fromUnits, type LedgerAccount, openAccounts } from "@/service/ledger/account";
import { ledgerAccount, ledgerAsset, wallet, walletDerivation, walletSeed } from "@/service/store/schema";
import { uuid } from "@/service/random";
import { type Reader, transaction, type Tx } from "@/service/store/transaction";
import { canonicalAddress, familyOf } from "@/lib/contract/addresses";
import { deriveAddress } from "./addresses/family";
import { canonicalToken } from "./token";

const ENTROPY_BYTES = 32;

/** 64 bytes, made on first use. */
async function loadSeed({ random, clock }: Service, tx: Tx): Promise<Uint8Array> {
  const [stored] = await tx.select().from(walletSeed);
  if (stored) return hex.decode(stored.seed);
  const made = hex.encode(await mnemonicToSeed(entropyToMnemonic(random(ENTROPY_BYTES), wordlist)));
  await tx
    .insert(walletSeed)
    .values({ id: "seed", seed: made, createdAt: instant(clock) })
    .onConflictDoNothing();
  const [first] = await tx.select().from(walletSeed);
  return hex.decode(first?.seed ?? made);
}

export type Wallet = typeof wallet.$inferSelect;

/** EVM wallets use Ethereum's. */
export const FAMILY_COINS: Readonly<Record<ChainFamily, string>> = {
  EVM: "ETH",
  BTC: "BTC",
  TRON: "TRX",
  SOLANA: "SOL",
  XRPL: "XRP",
};

/** 404 when there is none, 400 when the network is of another family. */
export async function findWallet(
  db: Reader,
  { address, network }: { address: string; network: Network },
  isMine?: SQL,
): Promise<Wallet> {
  const forms = CHAIN_FAMILIES.flatMap((family) => canonicalAddress(family, address) ?? []);
  const [found] =
    forms.length === 0
      ? []
      : await db
          .select()
          .from(wallet)
          .where(and(inArray(wallet.address, forms), isMine));
  if (!found) throw notFound("The wallet was not found");
  if (found.family !== familyOf(network)) throw invalid("network", `is none of a ${found.family} wallet's`);
  return found;
}

/** Of any tenant, by canonical address; null for an outside one. */
export async function walletAt(db: Reader, address: string): Promise<Wallet | null> {
  const [found] = await db.select().from(wallet).where(eq(wallet.address, address));
  return found ?? null;
}

/** Opened when it does not exist yet. */
export async function walletAccount(tx: Tx, key: Omit<LedgerAccount, "id">): Promise<LedgerAccount> {
  const known = await findAccount(tx, key);
  if (known) return known;
  const [opened] = await openAccounts(tx, [key]);
  const account = opened ?? (await findAccount(tx, key));
  if (!account) throw new Error(`wallet ${key.holder} cannot hold ${key.assetId}`);
  return account;
}

/** The family's oldest ordinary wallet without a user (our assumption). */
export async function masterWallet(
  db: Reader,
  { clientId, family }: Pick<Wallet, "clientId" | "family">,
): Promise<Wallet | undefined> {
  const [master] = await db
    .select()
    .from(wallet)
    .where(
      and(
        eq(wallet.clientId, clientId),
        eq(wallet.family, family),
        eq(wallet.isForwardPayment, 0),
        isNull(wallet.userId),
      ),
    )
    .orderBy(wallet.sequence)
    .limit(1);
  return master;
}

type Wanted = Pick<Wallet, "family" | "userId" | "isForwardPayment" | "reference">;

/** Locked, so that no index is lost or used twice. */
async function nextIndex(tx: Tx, family: Wanted["family"]): Promise<number> {
  const [derivation] = await tx
    .insert(walletDerivation)
    .values({ family, count: 1 })
    .onConflictDoUpdate({ target: walletDerivation.family, set: { count: sql`${walletDerivation.count} + 1` } })
    .returning();
  return (derivation?.count ?? 1) - 1;
}

async function open(call: Call, tx: Tx, { family, userId, isForwardPayment, reference }: Wanted): Promise<Wallet> {
  const derivationIndex = await nextIndex(tx, family);
  const values = {
    id: uuid(call.random),
    clientId: call.tenant.clientId,
    family,
    derivationIndex,
    address: deriveAddress(await loadSeed(call, tx), family, derivationIndex),
    userId,
    isForwardPayment,
    reference,
    status: "ACTIVE" as const,
    createdAt: instant(call.clock),
  };
  const [made] = await tx.insert(wallet).values(values).returning();
  if (!made) throw new Error(`wallet ${values.id} was not written`);
  const natives = FAMILY_NETWORKS[family].map((network) => assetIdOf(network, null));
  await openAccounts(
    tx,
    natives.map((assetId) => ({ holder: made.id, assetId, kind: "available" })),
  );
  return made;
}

export async function openWallet(call: Call, tx: Tx, wanted: Wanted): Promise<Wallet> {
  const made = await open(call, tx, wanted);
  const { family, clientId } = made;
  if (made.isForwardPayment === 1 && !(await masterWallet(tx, { family, clientId })))
    await open(call, tx, { family, userId: null, isForwardPayment: 0, reference: null });
  return made;
}

/** interface: Crypto wallets. A first forward wallet creates a master wallet when there is none (our assumption). */
export async function createWallet(call: Call, { network, userId, isForwardPayment }: CreateWallet): Promise<Wallet> {
  const kind = { isForwardPayment: isForwardPayment ?? 0, reference: null };
  const wanted = { family: network, userId: userId ?? null, ...kind };
  return transaction(call.db, (tx) => openWallet(call, tx, wanted));
}

/** interface: Crypto wallets › POST /v1/crypto/checkout/address */
export async function createCheckoutAddress(
  call: Call,
  { network, reference }: z.output<typeof CreateCheckoutAddress>,
): Promise<{ address: string; network: string; reference: string }> {
  const known = reference === undefined || reference === "" ? uuid(call.random) : reference;
  const wanted = { family: network, userId: null, isForwardPayment: 1, reference: known };
  const { address } = await transaction(call.db, (tx) => openWallet(call, tx, wanted));
  return { address, network, reference: known };
}

/** interface: Crypto wallet (list item). Newest first, with `userId` and `reference`. */
export async function listWallets({ db, tenant }: Call, query: z.output<typeof WalletsQuery>) {
  const { network, status, limit, offset } = query;
  const known = WALLET_STATUSES.find((one) => one === status);
  if (status !== undefined && known === undefined) return [];
  const wallets = await db
    .select()
    .from(wallet)
    .where(
      and(
        eq(wallet.clientId, tenant.clientId),
        network && eq(wallet.family, network),
        known && eq(wallet.status, known),
      ),
    )
    .orderBy(desc(wallet.sequence))
    .limit(limit)
    .offset(offset);
  return wallets.map((one) => ({
    id: one.id,
    clientId: one.clientId,
    network: one.family,
    address: one.address,
    coin: FAMILY_COINS[one.family],
    status: one.status,
    isForwardPayment: one.isForwardPayment,
    createdAt: one.createdAt.toISOString(),
    ...(one.userId === null ? {} : { userId: one.userId }),
    ...(one.reference === null ? {} : { reference: one.reference }),
  }));
}

type Query = z.output<typeof WalletBalanceQuery> & { address: string };

/** interface: Balance entry. The native coin always; with `tokenAddress` only that token, also at zero. */
export async function getWalletBalance({ db, tenant }: Call, { address, network, tokenAddress = "" }: Query) {
  const { id, address: canonical } = await findWallet(db, { address, network }, eq(wallet.clientId, tenant.clientId));
  const token = canonicalToken(network, tokenAddress);
  if (tokenAddress !== "" && token === null) return [];
  const ofWallet = and(
    eq(ledgerAccount.assetId, ledgerAsset.id),
    eq(ledgerAccount.holder, id),
    eq(ledgerAccount.kind, "available"),
  );
  const isShown =
    token === null
      ? or(isNull(ledgerAsset.tokenAddress), sql`${ledgerAccount.entryCount} > 0`)
      : eq(ledgerAsset.tokenAddress, token);
  const rows = await db
    .select({ asset: ledgerAsset, balance: ledgerAccount.balance })
    .from(ledgerAsset)
    .leftJoin(ledgerAccount, ofWallet)
    .where(and(eq(ledgerAsset.network, network), isShown))
    .orderBy(sql`${ledgerAsset.tokenAddress} is not null`, ledgerAsset.symbol);
  return rows.map(({ asset, balance }) => ({
    address: canonical,
    asset: asset.symbol,
    decimals: asset.decimals,
    balance: fromUnits(balance ?? 0n, asset.decimals),
    ...(asset.tokenAddress === null ? { type: "native" } : { tokenAddress: asset.tokenAddress }),
  }));
}
