import { base58 } from "@scure/base";
import { decodeBase58 } from "./base58";

/** A Solana address is the ed25519 public key itself; it carries no checksum. */
export function solanaAddress(publicKey: Uint8Array): string {
  return base58.encode(publicKey);
}

/** Any 32 bytes pass: program-derived addresses lie off the curve on purpose. */
export function canonicalSolana(text: string): string | null {
  return decodeBase58(text, "bitcoin")?.length === 32 ? text : null;
}
