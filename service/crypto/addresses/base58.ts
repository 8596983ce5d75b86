import { sha256 } from "@noble/hashes/sha2.js";
import { base58, base58xrp } from "@scure/base";

const CODERS = { bitcoin: base58, xrpl: base58xrp } as const;
export type Base58Alphabet = keyof typeof CODERS;

/** Both alphabets order the same 58 characters differently. */
const CHARACTERS = /^[1-9A-HJ-NP-Za-km-z]+$/;
const CHECKSUM_BYTES = 4;
const LENGTH_MAX = 128;

function checksum(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}

/** The bytes of a base58 text, or null when it is none. */
export function decodeBase58(text: string, alphabet: Base58Alphabet): Uint8Array | null {
  return text.length <= LENGTH_MAX && CHARACTERS.test(text) ? CODERS[alphabet].decode(text) : null;
}

/** Base58 of the payload followed by the first four bytes of its double SHA-256. */
export function encodeBase58Check(payload: Uint8Array, alphabet: Base58Alphabet): string {
  return CODERS[alphabet].encode(Uint8Array.from([...payload, ...checksum(payload)]));
}

/** The payload of a checksummed base58 text, or null when it does not decode or its checksum is wrong. */
export function decodeBase58Check(text: string, alphabet: Base58Alphabet): Uint8Array | null {
  const bytes = decodeBase58(text, alphabet);
  if (!bytes || bytes.length <= CHECKSUM_BYTES) return null;
  const payload = bytes.slice(0, -CHECKSUM_BYTES);
  const expected = checksum(payload);
  return bytes.slice(-CHECKSUM_BYTES).every((byte, index) => byte === expected[index]) ? payload : null;
}
