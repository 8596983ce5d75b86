import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { addressBytes } from "@/lib/contract/address-bytes";
import { familyOf } from "@/lib/contract/addresses";
import { type ChainFamily, FAMILY_NETWORKS } from "@/lib/contract/crypto";
import { lossAt } from "@/lib/contract/lost-addresses";
import type { Db, Tx } from "@/lib/db/connection";
import { walletBalance } from "@/lib/db/tables/wallets";
import { type CryptoOrder, LOSS_CODES } from "./inputs";

const Named = z.object({ tokenAddress: z.string() });

/** On the XRP Ledger a token's name contains its issuer. */
const partsOf = (family: ChainFamily, token: string) => (family === "XRPL" ? token.split(/[^\da-z]/i) : [token]);

async function tokenBytes(store: Db | Tx, tenant: string, family: ChainFamily): Promise<(string | null)[]> {
  const entry = sql<unknown>`jsonb_array_elements(${walletBalance.entries}) - 'balance' - 'address'`;
  const rows = await store
    .selectDistinct({ entry })
    .from(walletBalance)
    .where(and(eq(walletBalance.tenant, tenant), inArray(walletBalance.network, [...FAMILY_NETWORKS[family]])));
  return rows
    .flatMap((row) => Named.safeParse(row.entry).data ?? [])
    .flatMap(({ tokenAddress }) => partsOf(family, tokenAddress))
    .map((part) => addressBytes(family, part));
}

/** The code for why coins sent there are lost; null when they are not known to be. */
export async function whyLost(
  store: Db | Tx,
  tenant: string,
  { network, fromAddress, to }: Pick<CryptoOrder, "network" | "fromAddress" | "to">,
): Promise<string | null> {
  const family = familyOf(network);
  const bytes = addressBytes(family, to);
  if (bytes === null) return "chain-address";
  if (bytes === addressBytes(family, fromAddress)) return "own-address";
  const loss = lossAt(family, to);
  if (loss !== null) return LOSS_CODES[loss];
  return (await tokenBytes(store, tenant, family)).includes(bytes) ? "token-address" : null;
}
