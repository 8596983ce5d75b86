import { z } from "zod";
import { NETWORKS } from "@/lib/contract/crypto";
import { BrlAmount, CryptoAmount, Required } from "@/lib/contract/shared";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { canonicalToken } from "@/service/crypto/token";
import { invalid, notFound } from "@/service/error";
import { reaisToCents, toUnits } from "@/service/ledger/amount";
import { findAsset } from "@/service/ledger/asset";
import { uuid } from "@/service/random";
import { describeTrade, type OtcTrade } from "./get-trade";
import { OTC_SIDES, OTC_STATUSES, otcTrade } from "./schema";

/** Body of the control route; `price` is of one whole unit of the asset. */
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

/** What so many base units cost, rounded half up to the cent. */
export function totalOf(units: bigint, priceCents: bigint, decimals: number): bigint {
  const scale = 10n ** BigInt(decimals);
  return (2n * units * priceCents + scale) / (2n * scale);
}

/** A new trade of a tenant and its asset. 400 for an unknown asset or more decimals than it has. */
export async function newTrade(service: Service, { network, tokenAddress, quantity, ...order }: Trade) {
  const token = tokenAddress === undefined ? null : canonicalToken(network, tokenAddress);
  const isNone = tokenAddress !== undefined && token === null;
  const asset = isNone ? null : await findAsset(service.db, network, token);
  if (!asset) throw invalid("tokenAddress", "is not a known token of the network");
  const units = toUnits(quantity, asset.decimals);
  if (units === null) throw invalid("quantity", `must have at most ${asset.decimals} decimals`);
  const priceCents = reaisToCents(order.price);
  const createdAt = instant(service.clock);
  const trade: OtcTrade = {
    id: uuid(service.random),
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
  return { trade, asset };
}

/**
 * The desk has traded: a record, for the interface names only its look-up and no way that moves the money (our assumption:
 * control routes). 404 for an unknown tenant.
 */
export async function recordTrade(service: Service, order: Trade) {
  if (!service.tenants.find(order.clientId)) throw notFound("The client was not found");
  const { trade, asset } = await newTrade(service, order);
  await service.db.insert(otcTrade).values(trade);
  return describeTrade(trade, asset);
}
