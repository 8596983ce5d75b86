import { and, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import type { WalletHistoryQuery } from "@/lib/contract/crypto";
import type { Call } from "@/service/context";
import { assetIdOf } from "@/service/ledger/account";
import { chainEntry, ledgerAsset, wallet } from "@/service/store/schema";
import { blockAt } from "./chain";
import { canonicalToken } from "./token";
import { findWallet } from "./wallet";

type Query = z.output<typeof WalletHistoryQuery> & { address: string };

/** interface: On-chain history entry. Newest first; beside the documented fields: asset, confirmations, and the fee paid. */
export async function getWalletHistory({ db, clock, tenant }: Call, query: Query) {
  const { address, network, page, pageSize, tokenAddress = "" } = query;
  const { id, address: canonical } = await findWallet(db, { address, network }, eq(wallet.clientId, tenant.clientId));
  const token = canonicalToken(network, tokenAddress);
  if (tokenAddress !== "" && token === null) return [];
  const rows = await db
    .select({ entry: chainEntry, asset: ledgerAsset })
    .from(chainEntry)
    .innerJoin(ledgerAsset, eq(ledgerAsset.id, chainEntry.assetId))
    .where(
      and(
        eq(chainEntry.walletId, id),
        eq(chainEntry.network, network),
        token === null ? undefined : eq(chainEntry.assetId, assetIdOf(network, token)),
      ),
    )
    .orderBy(desc(chainEntry.blockNumber), desc(chainEntry.sequence))
    .limit(pageSize)
    .offset(page * pageSize);
  const height = blockAt(network, clock.now());
  return rows.map(({ entry, asset }) => ({
    chain: network,
    hash: entry.hash,
    address: canonical,
    blockNumber: entry.blockNumber,
    amount: entry.amount,
    transactionSubtype: entry.subtype,
    counterAddress: entry.counterAddress,
    timestamp: entry.occurredAt.getTime(),
    asset: asset.symbol,
    ...(asset.tokenAddress === null ? {} : { tokenAddress: asset.tokenAddress }),
    ...(entry.fee === null ? {} : { fee: entry.fee }),
    confirmations: height - entry.blockNumber + 1,
  }));
}
