import { and, eq } from "drizzle-orm";
import { losslessNumber } from "@/lib/contract/json";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import { centsToReais, fromUnits } from "@/service/ledger/amount";
import type { Asset } from "@/service/ledger/asset";
import { ledgerAsset } from "@/service/ledger/schema";
import { otcTrade } from "./schema";

export type OtcTrade = typeof otcTrade.$inferSelect;

/** Quantity as the exact decimal string of crypto, sums as numbers of reais; our assumption, no answer is shown. */
export function describeTrade(trade: OtcTrade, asset: Asset) {
  return {
    id: trade.id,
    clientId: trade.clientId,
    side: trade.side,
    network: asset.network,
    asset: asset.symbol,
    tokenAddress: asset.tokenAddress,
    quantity: fromUnits(trade.quantity, asset.decimals),
    price: losslessNumber(centsToReais(trade.priceCents)),
    total: losslessNumber(centsToReais(trade.totalCents)),
    currency: "BRL",
    status: trade.status,
    createdAt: trade.createdAt.toISOString(),
    settledAt: trade.settledAt?.toISOString() ?? null,
  };
}

/** One trade of the tenant (interface: Other areas). 404 when it has none of that id. */
export async function getTrade({ db, tenant }: Call, id: string) {
  const [found] = await db
    .select({ trade: otcTrade, asset: ledgerAsset })
    .from(otcTrade)
    .innerJoin(ledgerAsset, eq(ledgerAsset.id, otcTrade.assetId))
    .where(and(eq(otcTrade.id, id), eq(otcTrade.clientId, tenant.clientId)));
  if (!found) throw notFound("The OTC trade was not found");
  return describeTrade(found.trade, found.asset);
}
