import { base58, hex } from "@scure/base";
import type { Network } from "@/lib/contract/crypto";
import type { Random } from "@/service/random";

const REFERENCE_MS = Date.parse("2026-01-01T00:00:00Z");

/** Where each simulated chain stood at the reference moment, and how long its blocks take. */
const CHAINS: Readonly<Record<Network, { height: number; blockMs: number }>> = {
  ETHEREUM: { height: 24_136_000, blockMs: 12_000 },
  POLYGON: { height: 81_000_000, blockMs: 2_100 },
  BSC: { height: 73_900_000, blockMs: 750 },
  BITCOIN: { height: 930_300, blockMs: 600_000 },
  TRON: { height: 78_800_000, blockMs: 3_000 },
  SOLANA: { height: 390_500_000, blockMs: 400 },
  XRPL: { height: 101_200_000, blockMs: 4_000 },
};

/** The number of the block that a moment falls into. */
export function blockAt(network: Network, atMs: number): number {
  const { height, blockMs } = CHAINS[network];
  return height + Math.floor((atMs - REFERENCE_MS) / blockMs);
}

/** A transaction hash in the form of its network: Solana's is a signature, the XRP Ledger writes capitals. */
export function transactionHash(network: Network, random: Random): string {
  switch (network) {
    case "ETHEREUM":
    case "POLYGON":
    case "BSC":
      return `0x${hex.encode(random(32))}`;
    case "SOLANA":
      return base58.encode(random(64));
    case "XRPL":
      return hex.encode(random(32)).toUpperCase();
    case "BITCOIN":
    case "TRON":
      return hex.encode(random(32));
  }
}
