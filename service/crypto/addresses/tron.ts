import { decodeBase58Check, encodeBase58Check } from "./base58";
import { keccakAccount } from "./evm";

const MAIN_NETWORK = 0x41;

export function tronAddress(publicKey: Uint8Array): string {
  return encodeBase58Check(Uint8Array.from([MAIN_NETWORK, ...keccakAccount(publicKey)]), "bitcoin");
}

export function canonicalTron(text: string): string | null {
  const payload = decodeBase58Check(text, "bitcoin");
  return payload?.length === 21 && payload[0] === MAIN_NETWORK ? text : null;
}
