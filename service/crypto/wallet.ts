import { and, eq, inArray, type SQL } from "drizzle-orm";
import { CHAIN_FAMILIES, type ChainFamily, type Network } from "@/lib/contract/crypto";
import { invalid, notFound } from "@/service/error";
import type { Reader } from "@/service/store/db";
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

/** The tenant's master wallet of a family: its oldest ordinary one (our assumption); undefined when it has none. */
export async function masterWallet(
  db: Reader,
  { clientId, family }: Pick<Wallet, "clientId" | "family">,
): Promise<Wallet | undefined> {
  const [master] = await db
    .select()
    .from(wallet)
    .where(and(eq(wallet.clientId, clientId), eq(wallet.family, family), eq(wallet.isForwardPayment, 0)))
    .orderBy(wallet.sequence)
    .limit(1);
  return master;
}
