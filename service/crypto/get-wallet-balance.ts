import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { z } from "zod";
import type { WalletBalanceQuery } from "@/lib/contract/crypto";
import type { Call } from "@/service/context";
import { fromUnits } from "@/service/ledger/amount";
import { ledgerAccount, ledgerAsset } from "@/service/ledger/schema";
import { wallet } from "./schema";
import { canonicalToken } from "./token";
import { findWallet } from "./wallet";

type Query = z.output<typeof WalletBalanceQuery> & { address: string };

/**
 * What a wallet has on one network (interface: Balance entry): the native coin always, a token once it has received it;
 * with `tokenAddress` that token alone, also at zero, and nothing when the network has no such token.
 */
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
