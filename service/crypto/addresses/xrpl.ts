import { decodeBase58Check, encodeBase58Check } from "./base58";
import { hash160 } from "./bitcoin";

const ACCOUNT_ID = 0x00;

export function xrplAddress(publicKey: Uint8Array): string {
  return encodeBase58Check(Uint8Array.from([ACCOUNT_ID, ...hash160(publicKey)]), "xrpl");
}

/** A classic address (`r…`) or null; X-addresses are not taken. */
export function canonicalXrpl(text: string): string | null {
  const payload = decodeBase58Check(text, "xrpl");
  return payload?.length === 21 && payload[0] === ACCOUNT_ID ? text : null;
}
