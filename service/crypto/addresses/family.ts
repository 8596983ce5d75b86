import { CHAIN_FAMILIES, type ChainFamily, FAMILY_NETWORKS, type Network } from "@/lib/contract/crypto";
import { bitcoinAddress, canonicalBitcoin } from "./bitcoin";
import { canonicalEvm, evmAddress } from "./evm";
import { ed25519PublicKey, secp256k1PublicKey } from "./keys";
import { canonicalSolana, solanaAddress } from "./solana";
import { canonicalTron, tronAddress } from "./tron";
import { canonicalXrpl, xrplAddress } from "./xrpl";

type Addressing = { derive: (seed: Uint8Array, index: number) => string; canonical: (text: string) => string | null };

/** Coin types of SLIP-0044 under BIP-44, and BIP-84 for Bitcoin, so that common wallets derive the same addresses. */
const ADDRESSING: Readonly<Record<ChainFamily, Addressing>> = {
  EVM: {
    derive: (seed, index) => evmAddress(secp256k1PublicKey(seed, `m/44'/60'/0'/0/${index}`)),
    canonical: canonicalEvm,
  },
  BTC: {
    derive: (seed, index) => bitcoinAddress(secp256k1PublicKey(seed, `m/84'/0'/0'/0/${index}`)),
    canonical: canonicalBitcoin,
  },
  TRON: {
    derive: (seed, index) => tronAddress(secp256k1PublicKey(seed, `m/44'/195'/0'/0/${index}`)),
    canonical: canonicalTron,
  },
  SOLANA: {
    derive: (seed, index) => solanaAddress(ed25519PublicKey(seed, [44, 501, index, 0])),
    canonical: canonicalSolana,
  },
  XRPL: {
    derive: (seed, index) => xrplAddress(secp256k1PublicKey(seed, `m/44'/144'/0'/0/${index}`)),
    canonical: canonicalXrpl,
  },
};

/** The address number `index` of a chain family under the installation's seed. */
export function deriveAddress(seed: Uint8Array, family: ChainFamily, index: number): string {
  return ADDRESSING[family].derive(seed, index);
}

/** The chain family that a specific network belongs to. */
export function familyOf(network: Network): ChainFamily {
  const family = CHAIN_FAMILIES.find((candidate) => FAMILY_NETWORKS[candidate].includes(network));
  if (!family) throw new Error(`no family has the network ${network}`);
  return family;
}

/** The one form in which a family's address is stored, or null when its form or checksum is wrong. */
export function canonicalAddress(family: ChainFamily, text: string): string | null {
  return ADDRESSING[family].canonical(text);
}

/** Whether an on-chain destination can receive on a network: form and checksum, where the network has one. */
export function isAddress(network: Network, text: string): boolean {
  return canonicalAddress(familyOf(network), text) !== null;
}
