import { and, eq, inArray, isNull, type SQL } from "drizzle-orm";
import { CHAIN_FAMILIES, type ChainFamily, type Network } from "@/lib/contract/crypto";
import { invalid, notFound } from "@/service/error";
import { findAccount, openAccounts } from "@/service/ledger/account";
import type { LedgerAccount } from "@/service/ledger/movement";
import type { Reader, Tx } from "@/service/store/db";
import { canonicalAddress, familyOf } from "./addresses/family";
import { wallet } from "./schema";

export type Wallet = typeof wallet.$inferSelect;

/** The native coin that a family's wallets go by; an EVM wallet goes by Ethereum's. */
export const FAMILY_COINS: Readonly<Record<ChainFamily, string>> = {
  EVM: "ETH",
  BTC: "BTC",
  TRON: "TRX",
  SOLANA: "SOL",
  XRPL: "XRP",
};

/**
 * The wallet behind an address as people write it, on a network that it serves. `isMine` narrows whose it may be.
 * 404 when there is none, 400 when the network is of another family.
 */
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

/** The wallet, of any tenant, that receives at an address in its canonical form; null when it is a stranger's. */
export async function walletAt(db: Reader, address: string): Promise<Wallet | null> {
  const [found] = await db.select().from(wallet).where(eq(wallet.address, address));
  return found ?? null;
}

/** A wallet's account for an asset, opened when it has none yet: a token's is opened by what first arrives. */
export async function walletAccount(tx: Tx, place: Omit<LedgerAccount, "id">): Promise<LedgerAccount> {
  const known = await findAccount(tx, place);
  if (known) return known;
  const [opened] = await openAccounts(tx, [place]);
  const account = opened ?? (await findAccount(tx, place));
  if (!account) throw new Error(`wallet ${place.holder} cannot hold ${place.assetId}`);
  return account;
}

/**
 * The tenant's master wallet of a family: its oldest ordinary one that is not isolated for a user (our assumption);
 * undefined when it has none.
 */
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
