import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { NETWORKS } from "@/lib/contract/crypto";
import { losslessNumber } from "@/lib/contract/json";
import { BrlAmount, CryptoAmount, Required } from "@/lib/contract/shared";
import { instant } from "@/service/clock";
import type { Call, Service } from "@/service/context";
import { canonicalToken } from "@/service/crypto/token";
import { invalid, notFound } from "@/service/error";
import { type Asset, centsToReais, findAsset, fromUnits, reaisToCents, toUnits } from "@/service/ledger/account";
import { OTC_SIDES, OTC_STATUSES, ledgerAsset, otcTrade } from "@/service/store/schema";
import { uuid } from "@/service/random";

type OtcTrade = typeof otcTrade.$inferSelect;

/** Our assumption: the interface shows no answer. */
function describeTrade(trade: OtcTrade, asset: Asset) {
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

/** interface: Other areas. 404. */
export async function getTrade({ db, tenant }: Call, id: string) {
  const [found] = await db
    .select({ trade: otcTrade, asset: ledgerAsset })
    .from(otcTrade)
    .innerJoin(ledgerAsset, eq(ledgerAsset.id, otcTrade.assetId))
    .where(and(eq(otcTrade.id, id), eq(otcTrade.clientId, tenant.clientId)));
  if (!found) throw notFound("The OTC trade was not found");
  return describeTrade(found.trade, found.asset);
}

/** `price` is for one whole unit of the asset. */
export const Trade = z.looseObject({
  clientId: Required,
  side: z.enum(OTC_SIDES),
  network: z.enum(NETWORKS),
  tokenAddress: Required.optional(),
  quantity: CryptoAmount,
  price: BrlAmount,
  status: z.enum(OTC_STATUSES).default("SETTLED"),
});
type Trade = z.output<typeof Trade>;

/** Rounded half up to the cent. */
export function totalOf(units: bigint, priceCents: bigint, decimals: number): bigint {
  const scale = 10n ** BigInt(decimals);
  return (2n * units * priceCents + scale) / (2n * scale);
}

/** 400 for more decimals than the asset has. */
export function newTrade({ clock, random }: Service, asset: Asset, order: Trade): OtcTrade {
  const units = toUnits(order.quantity, asset.decimals);
  if (units === null) throw invalid("quantity", `must have at most ${asset.decimals} decimals`);
  const priceCents = reaisToCents(order.price);
  const createdAt = instant(clock);
  return {
    id: uuid(random),
    clientId: order.clientId,
    side: order.side,
    assetId: asset.id,
    quantity: units,
    priceCents,
    totalCents: totalOf(units, priceCents, asset.decimals),
    status: order.status,
    createdAt,
    settledAt: order.status === "SETTLED" ? createdAt : null,
  };
}

async function assetOf({ db }: Service, { network, tokenAddress }: Trade): Promise<Asset> {
  const token = tokenAddress === undefined ? null : canonicalToken(network, tokenAddress);
  const isNone = tokenAddress !== undefined && token === null;
  const asset = isNone ? null : await findAsset(db, network, token);
  if (!asset) throw invalid("tokenAddress", "is not a known token of the network");
  return asset;
}

/** Our assumption: control routes; a record alone moves no money. 400 for an unknown token, 404 for an unknown tenant. */
export async function recordTrade(service: Service, order: Trade) {
  if (!service.tenants.find(order.clientId)) throw notFound("The client was not found");
  const asset = await assetOf(service, order);
  const trade = newTrade(service, asset, order);
  await service.db.insert(otcTrade).values(trade);
  return describeTrade(trade, asset);
}
