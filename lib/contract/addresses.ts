import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58, base58xrp, bech32, bech32m, hex } from "@scure/base";
import { CHAIN_FAMILIES, type ChainFamily, FAMILY_NETWORKS, type Network } from "./crypto";

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
export function encodeBase58Check(payload: Uint8Array, alphabet: Base58Alphabet): string {
  return CODERS[alphabet].encode(Uint8Array.from([...payload, ...checksum(payload)]));
}

/** Null when it does not decode or its checksum is wrong. */
export function decodeBase58Check(text: string, alphabet: Base58Alphabet): Uint8Array | null {
  const bytes = decodeBase58(text, alphabet);
  if (!bytes || bytes.length <= CHECKSUM_BYTES) return null;
  const payload = bytes.slice(0, -CHECKSUM_BYTES);
  const expected = checksum(payload);
  return bytes.slice(-CHECKSUM_BYTES).every((byte, index) => byte === expected[index]) ? payload : null;
}

const P2PKH = 0x00;
const P2SH = 0x05;

type WitnessProgram = { version: number; program: Uint8Array };

/** BIP-350: version 0 is bech32 with 20 or 32 bytes, later versions are bech32m with 2 to 40. */
export function decodeSegwit(text: string): WitnessProgram | null {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
  const current = (coder: typeof bech32, fits: (version: number, sizeBytes: number) => boolean) => {
    const decoded = coder.decodeUnsafe(text.toLowerCase(), 90);
    const program = decoded && coder.fromWordsUnsafe(decoded.words.slice(1));
    const version = decoded?.words[0] ?? -1;
    return decoded?.prefix === "bc" && program && fits(version, program.length) ? { version, program } : null;
  };
  return (
    current(bech32, (version, sizeBytes) => version === 0 && (sizeBytes === 20 || sizeBytes === 32)) ??
    current(bech32m, (version, sizeBytes) => version >= 1 && version <= 16 && sizeBytes >= 2 && sizeBytes <= 40)
  );
}

function isLegacy(text: string): boolean {
  const payload = decodeBase58Check(text, "bitcoin");
  return payload?.length === 21 && (payload[0] === P2PKH || payload[0] === P2SH);
}

/** SegWit, Taproot, P2SH or P2PKH of the main network, or null. */
function canonicalBitcoin(text: string): string | null {
  if (decodeSegwit(text) !== null) return text.toLowerCase();
  return isLegacy(text) ? text : null;
}

/** EIP-55: a letter is upper case where the hash's digit is 8 or more. */
export function checksummed(account: string): string {
  const lower = account.toLowerCase();
  const digest = hex.encode(keccak_256(new TextEncoder().encode(lower)));
  const letters = Array.from(lower, (letter, index) =>
    Number.parseInt(digest.charAt(index), 16) >= 8 ? letter.toUpperCase() : letter,
  );
  return `0x${letters.join("")}`;
}

/** EIP-55. A single case carries no checksum and passes; mixed case must match. */
function canonicalEvm(text: string): string | null {
  const account = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (!account) return null;
  const canonical = checksummed(account);
  const isSingleCase = account === account.toLowerCase() || account === account.toUpperCase();
  return isSingleCase || canonical === text ? canonical : null;
}

/** Any 32 bytes pass: program-derived addresses lie off the curve on purpose. */
function canonicalSolana(text: string): string | null {
  return decodeBase58(text, "bitcoin")?.length === 32 ? text : null;
}

export const TRON_MAIN_NETWORK = 0x41;

function canonicalTron(text: string): string | null {
  const payload = decodeBase58Check(text, "bitcoin");
  return payload?.length === 21 && payload[0] === TRON_MAIN_NETWORK ? text : null;
}

export const XRPL_ACCOUNT_ID = 0x00;

/** `r…` or null; X-addresses are refused. */
function canonicalXrpl(text: string): string | null {
  const payload = decodeBase58Check(text, "xrpl");
  return payload?.length === 21 && payload[0] === XRPL_ACCOUNT_ID ? text : null;
}

const CANONICAL: Readonly<Record<ChainFamily, (text: string) => string | null>> = {
  EVM: canonicalEvm,
  BTC: canonicalBitcoin,
  TRON: canonicalTron,
  SOLANA: canonicalSolana,
  XRPL: canonicalXrpl,
};

export function familyOf(network: Network): ChainFamily {
  const family = CHAIN_FAMILIES.find((candidate) => FAMILY_NETWORKS[candidate].includes(network));
  if (!family) throw new Error(`no family has the network ${network}`);
  return family;
}

/** The stored form, or null when form or checksum is wrong. */
export function canonicalAddress(family: ChainFamily, text: string): string | null {
  return CANONICAL[family](text);
}

export function isChainAddress(network: Network, text: string): boolean {
  return canonicalAddress(familyOf(network), text) !== null;
}
