import type { Network } from "./crypto";

/** Each network's own coin. */
export const COINS: Readonly<Record<Network, string>> = {
  ETHEREUM: "ETH",
  POLYGON: "POL",
  BSC: "BNB",
  BITCOIN: "BTC",
  TRON: "TRX",
  SOLANA: "SOL",
  XRPL: "XRP",
};

/** In coins, valid for years: nobody can hold more than exists. */
const MOST: Readonly<Record<Network, bigint>> = {
  ETHEREUM: 130_000_000n,
  POLYGON: 12_000_000_000n,
  BSC: 200_000_000n,
  BITCOIN: 21_000_000n,
  TRON: 110_000_000_000n,
  SOLANA: 800_000_000n,
  XRPL: 100_000_000_000n,
};

type HeldEntry = { asset: string; tokenAddress?: string | null | undefined };

/** What a network's own coin is called, in small letters: in capitals, signs of other alphabets would be among them. */
export const coinNames = (network: Network): string[] => [
  COINS[network].toLowerCase(),
  ...(network === "POLYGON" ? ["matic"] : []),
];

/** The entry of the network's coin: another name without a contract may be a token. */
export const isCoin = (network: Network, { asset, tokenAddress }: HeldEntry): boolean =>
  coinNames(network).includes(asset.trim().toLowerCase()) && (tokenAddress ?? "").trim() === "";

/** Compares a decimal in coins with the supply; false when it is no decimal. */
export function isAboveSupply(network: Network, decimal: string): boolean {
  const [matched, whole = "0", fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (matched === undefined) return false;
  const over = BigInt(whole) - MOST[network];
  return over > 0n || (over === 0n && /[1-9]/.test(fraction));
}
