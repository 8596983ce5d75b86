import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hmac } from "@noble/hashes/hmac.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58, base58xrp, bech32, bech32m, hex } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { CHAIN_FAMILIES, type ChainFamily, FAMILY_NETWORKS, type Network } from "@/lib/contract/crypto";

const CODERS = { bitcoin: base58, xrpl: base58xrp } as const;
type Base58Alphabet = keyof typeof CODERS;

/** Both alphabets order the same 58 characters differently. */
const CHARACTERS = /^[1-9A-HJ-NP-Za-km-z]+$/;
const CHECKSUM_BYTES = 4;
const LENGTH_MAX = 128;

function checksum(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}

function decodeBase58(text: string, alphabet: Base58Alphabet): Uint8Array | null {
  return text.length <= LENGTH_MAX && CHARACTERS.test(text) ? CODERS[alphabet].decode(text) : null;
}

/** The payload and the first four bytes of its double SHA-256. */
function encodeBase58Check(payload: Uint8Array, alphabet: Base58Alphabet): string {
  return CODERS[alphabet].encode(Uint8Array.from([...payload, ...checksum(payload)]));
}

/** Null when it does not decode or its checksum is wrong. */
function decodeBase58Check(text: string, alphabet: Base58Alphabet): Uint8Array | null {
  const bytes = decodeBase58(text, alphabet);
  if (!bytes || bytes.length <= CHECKSUM_BYTES) return null;
  const payload = bytes.slice(0, -CHECKSUM_BYTES);
  const expected = checksum(payload);
  return bytes.slice(-CHECKSUM_BYTES).every((byte, index) => byte === expected[index]) ? payload : null;
}

const P2PKH = 0x00;
const P2SH = 0x05;

/** RIPEMD-160 of the SHA-256. */
function hash160(publicKey: Uint8Array): Uint8Array {
  return ripemd160(sha256(publicKey));
}

/** Native SegWit (P2WPKH): `bc1q…`. */
function bitcoinAddress(publicKey: Uint8Array): string {
  return bech32.encode("bc", [0, ...bech32.toWords(hash160(publicKey))]);
}

/** BIP-350: version 0 is bech32 with 20 or 32 bytes, later versions are bech32m with 2 to 40. */
function isSegwit(text: string): boolean {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return false;
  const isCurrent = (coder: typeof bech32, fits: (version: number, sizeBytes: number) => boolean) => {
    const decoded = coder.decodeUnsafe(text.toLowerCase(), 90);
    const program = decoded && coder.fromWordsUnsafe(decoded.words.slice(1));
    return decoded?.prefix === "bc" && !!program && fits(decoded.words[0] ?? -1, program.length);
  };
  return (
    isCurrent(bech32, (version, sizeBytes) => version === 0 && (sizeBytes === 20 || sizeBytes === 32)) ||
    isCurrent(bech32m, (version, sizeBytes) => version >= 1 && version <= 16 && sizeBytes >= 2 && sizeBytes <= 40)
  );
}

function isLegacy(text: string): boolean {
  const payload = decodeBase58Check(text, "bitcoin");
  return payload?.length === 21 && (payload[0] === P2PKH || payload[0] === P2SH);
}

/** SegWit, Taproot, P2SH or P2PKH of the main network, or null. */
function canonicalBitcoin(text: string): string | null {
  if (isSegwit(text)) return text.toLowerCase();
  return isLegacy(text) ? text : null;
}

/** Last 20 bytes of the Keccak-256 of the uncompressed public key. */
function keccakAccount(publicKey: Uint8Array): Uint8Array {
  return keccak_256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).subarray(-20);
}

/** EIP-55: a letter is upper case where the hash's digit is 8 or more. */
function checksummed(account: string): string {
  const lower = account.toLowerCase();
  const digest = hex.encode(keccak_256(new TextEncoder().encode(lower)));
  const letters = Array.from(lower, (letter, index) =>
    Number.parseInt(digest.charAt(index), 16) >= 8 ? letter.toUpperCase() : letter,
  );
  return `0x${letters.join("")}`;
}

export function evmAddress(publicKey: Uint8Array): string {
  return checksummed(hex.encode(keccakAccount(publicKey)));
}

/** EIP-55. A single case carries no checksum and passes; mixed case must match. */
export function canonicalEvm(text: string): string | null {
  const account = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (!account) return null;
  const canonical = checksummed(account);
  const isSingleCase = account === account.toLowerCase() || account === account.toUpperCase();
  return isSingleCase || canonical === text ? canonical : null;
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

/** Any 32 bytes pass: program-derived addresses lie off the curve on purpose. */
function canonicalSolana(text: string): string | null {
  return decodeBase58(text, "bitcoin")?.length === 32 ? text : null;
}

const MAIN_NETWORK = 0x41;

function tronAddress(publicKey: Uint8Array): string {
  return encodeBase58Check(Uint8Array.from([MAIN_NETWORK, ...keccakAccount(publicKey)]), "bitcoin");
}

function canonicalTron(text: string): string | null {
  const payload = decodeBase58Check(text, "bitcoin");
  return payload?.length === 21 && payload[0] === MAIN_NETWORK ? text : null;
}

const ACCOUNT_ID = 0x00;

export function xrplAddress(publicKey: Uint8Array): string {
  return encodeBase58Check(Uint8Array.from([ACCOUNT_ID, ...hash160(publicKey)]), "xrpl");
}

/** `r…` or null; X-addresses are not taken. */
function canonicalXrpl(text: string): string | null {
  const payload = decodeBase58Check(text, "xrpl");
  return payload?.length === 21 && payload[0] === ACCOUNT_ID ? text : null;
}

type Addressing = { derive: (seed: Uint8Array, index: number) => string; canonical: (text: string) => string | null };

/** SLIP-0044 coin types under BIP-44, BIP-84 for Bitcoin: common wallets derive the same addresses. */
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

export function deriveAddress(seed: Uint8Array, family: ChainFamily, index: number): string {
  return ADDRESSING[family].derive(seed, index);
}

export function familyOf(network: Network): ChainFamily {
  const family = CHAIN_FAMILIES.find((candidate) => FAMILY_NETWORKS[candidate].includes(network));
  if (!family) throw new Error(`no family has the network ${network}`);
  return family;
}

/** The stored form, or null when form or checksum is wrong. */
export function canonicalAddress(family: ChainFamily, text: string): string | null {
  return ADDRESSING[family].canonical(text);
}

export function isAddress(network: Network, text: string): boolean {
  return canonicalAddress(familyOf(network), text) !== null;
}
