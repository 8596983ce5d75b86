import type { Network } from "@/lib/contract/crypto";
import { toUnits } from "@/service/ledger/amount";
import { type Asset, assetIdOf, KNOWN_ASSETS } from "@/service/ledger/asset";

/** What sending anything costs, in whole native coins: about what a plain transfer does, and always the same. */
const FEES: Readonly<Record<Network, string>> = {
  ETHEREUM: "0.00042",
  POLYGON: "0.00063",
  BSC: "0.000021",
  BITCOIN: "0.0000141",
  TRON: "0.268",
  SOLANA: "0.000005",
  XRPL: "0.00001",
};

/** The coin in which a network takes its fees. */
export function nativeAsset(network: Network): Asset {
  const id = assetIdOf(network, null);
  const native = KNOWN_ASSETS.find((asset) => asset.id === id);
  if (!native) throw new Error(`${network} has no native coin`);
  return native;
}

/** What a wallet pays for sending on a network, in base units of its native coin (our assumption: small and constant). */
export function networkFee(network: Network): bigint {
  const fee = toUnits(FEES[network], nativeAsset(network).decimals);
  if (fee === null) throw new Error(`the fee of ${network} is finer than its coin`);
  return fee;
}
