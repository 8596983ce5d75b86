import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { hex } from "@scure/base";

/** Last 20 bytes of the Keccak-256 of the uncompressed public key: the account of Ethereum, and of TRON. */
export function keccakAccount(publicKey: Uint8Array): Uint8Array {
  return keccak_256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).subarray(-20);
}

/** EIP-55: a hexadecimal letter is a capital where the digit of the address's hash is 8 or more. */
export function checksummed(account: string): string {
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

/** The EIP-55 form of an address. One in a single case carries no checksum and passes; mixed case must match. */
export function canonicalEvm(text: string): string | null {
  const account = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (!account) return null;
  const canonical = checksummed(account);
  const isSingleCase = account === account.toLowerCase() || account === account.toUpperCase();
  return isSingleCase || canonical === text ? canonical : null;
}
