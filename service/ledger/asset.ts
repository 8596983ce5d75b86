import { eq } from "drizzle-orm";
import type { Network } from "@/lib/contract/crypto";
import type { Reader } from "@/service/store/db";
import { ledgerAsset } from "./schema";

export type Asset = typeof ledgerAsset.$inferSelect;

/** Brazilian reais, in cents. */
export const BRL = "BRL";

/** The holder of every `outside` account: the rest of the world. */
export const WORLD = "world";

/** A network's native coin goes by the network's name, a token by its contract too. */
export function assetIdOf(network: Network, tokenAddress: string | null): string {
  return tokenAddress === null ? network : `${network}:${tokenAddress}`;
}

const native = (network: Network, symbol: string, decimals: number): Asset => ({
  id: assetIdOf(network, null),
  network,
  symbol,
  decimals,
  tokenAddress: null,
});

const token = (network: Network, tokenAddress: string, [symbol, decimals]: [string, number]): Asset => ({
  id: assetIdOf(network, tokenAddress),
  network,
  symbol,
  decimals,
  tokenAddress,
});

/** What an installation knows from its start. A token of the XRP Ledger is its currency code and its issuer. */
export const KNOWN_ASSETS: readonly Asset[] = [
  { id: BRL, network: null, symbol: "BRL", decimals: 2, tokenAddress: null },
  native("ETHEREUM", "ETH", 18),
  token("ETHEREUM", "0xdAC17F958D2ee523a2206206994597C13D831ec7", ["USDT", 6]),
  token("ETHEREUM", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", ["USDC", 6]),
  native("POLYGON", "POL", 18),
  token("POLYGON", "0xc2132D05D31c914a87C6611C10748AEb04B58e8F", ["USDT", 6]),
  token("POLYGON", "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", ["USDC", 6]),
  native("BSC", "BNB", 18),
  token("BSC", "0x55d398326f99059fF775485246999027B3197955", ["USDT", 18]),
  token("BSC", "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", ["USDC", 18]),
  native("BITCOIN", "BTC", 8),
  native("TRON", "TRX", 6),
  token("TRON", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", ["USDT", 6]),
  native("SOLANA", "SOL", 9),
  token("SOLANA", "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", ["USDT", 6]),
  token("SOLANA", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v", ["USDC", 6]),
  native("XRPL", "XRP", 6),
  token("XRPL", "USD.rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B", ["USD", 15]),
];

/** A network's native coin (`tokenAddress` null) or one of its tokens; null when the service does not know it. */
export async function findAsset(db: Reader, network: Network, tokenAddress: string | null): Promise<Asset | null> {
  const [asset] = await db
    .select()
    .from(ledgerAsset)
    .where(eq(ledgerAsset.id, assetIdOf(network, tokenAddress)));
  return asset ?? null;
}
