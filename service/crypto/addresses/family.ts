import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hmac } from "@noble/hashes/hmac.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58, bech32, hex } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { checksummed, encodeBase58Check, TRON_MAIN_NETWORK, XRPL_ACCOUNT_ID } from "@/lib/contract/addresses";
import type { ChainFamily } from "@/lib/contract/crypto";

/** RIPEMD-160 of the SHA-256. */
function hash160(publicKey: Uint8Array): Uint8Array {
  return ripemd160(sha256(publicKey));
}

/** Native SegWit (P2WPKH): `bc1q…`. */
function bitcoinAddress(publicKey: Uint8Array): string {
  return bech32.encode("bc", [0, ...bech32.toWords(hash160(publicKey))]);
}

/** Last 20 bytes of the Keccak-256 of the uncompressed public key. */
function keccakAccount(publicKey: Uint8Array): Uint8Array {
  return keccak_256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).subarray(-20);
}

export function evmAddress(publicKey: Uint8Array): string {
  return checksummed(hex.encode(keccakAccount(publicKey)));
}

const HARDENED = 0x8000_0000;

/** Compressed (33 bytes), at a BIP-32 path such as `m/44'/60'/0'/0/0`. */
function secp256k1PublicKey(seed: Uint8Array, path: string): Uint8Array {
  const { publicKey } = HDKey.fromMasterSeed(seed).derive(path);
  if (!publicKey) throw new Error(`no key at ${path}`);
  return publicKey;
}

function splitKey(digest: Uint8Array): { key: Uint8Array; chainCode: Uint8Array } {
  return { key: digest.slice(0, 32), chainCode: digest.slice(32) };
}

/** 32 bytes by SLIP-0010; on this curve every step of the path is hardened. */
export function ed25519PrivateKey(seed: Uint8Array, path: readonly number[]): Uint8Array {
  const master = splitKey(hmac(sha512, new TextEncoder().encode("ed25519 seed"), seed));
  return path.reduce((parent, index) => {
    const data = new Uint8Array(37);
    data.set(parent.key, 1);
    new DataView(data.buffer).setUint32(33, HARDENED + index);
    return splitKey(hmac(sha512, parent.chainCode, data));
  }, master).key;
}

export function ed25519PublicKey(seed: Uint8Array, path: readonly number[]): Uint8Array {
  return ed25519.getPublicKey(ed25519PrivateKey(seed, path));
}

/** The ed25519 public key itself, without a checksum. */
function solanaAddress(publicKey: Uint8Array): string {
  return base58.encode(publicKey);
}

function tronAddress(publicKey: Uint8Array): string {
  return encodeBase58Check(Uint8Array.from([TRON_MAIN_NETWORK, ...keccakAccount(publicKey)]), "bitcoin");
}

export function xrplAddress(publicKey: Uint8Array): string {
  return encodeBase58Check(Uint8Array.from([XRPL_ACCOUNT_ID, ...hash160(publicKey)]), "xrpl");
}

/** SLIP-0044 coin types under BIP-44, BIP-84 for Bitcoin: common wallets derive the same addresses. */
const DERIVATIONS: Readonly<Record<ChainFamily, (seed: Uint8Array, index: number) => string>> = {
  EVM: (seed, index) => evmAddress(secp256k1PublicKey(seed, `m/44'/60'/0'/0/${index}`)),
  BTC: (seed, index) => bitcoinAddress(secp256k1PublicKey(seed, `m/84'/0'/0'/0/${index}`)),
  TRON: (seed, index) => tronAddress(secp256k1PublicKey(seed, `m/44'/195'/0'/0/${index}`)),
  SOLANA: (seed, index) => solanaAddress(ed25519PublicKey(seed, [44, 501, index, 0])),
  XRPL: (seed, index) => xrplAddress(secp256k1PublicKey(seed, `m/44'/144'/0'/0/${index}`)),
};

export function deriveAddress(seed: Uint8Array, family: ChainFamily, index: number): string {
  return DERIVATIONS[family](seed, index);
}
