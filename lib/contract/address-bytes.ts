import { base58, hex } from "@scure/base";
import { canonicalAddress, decodeBase58Check, decodeSegwit, TRON_MAIN_NETWORK, XRPL_ACCOUNT_ID } from "./addresses";
import type { ChainFamily } from "./crypto";

const OP_1 = 0x51;

function bitcoinScript(text: string): Uint8Array | null {
  const segwit = decodeSegwit(text);
  if (segwit !== null) {
    const { version, program } = segwit;
    return Uint8Array.from([version === 0 ? 0 : OP_1 - 1 + version, program.length, ...program]);
  }
  if (canonicalAddress("BTC", text) === null) return null;
  const [version, ...hash] = decodeBase58Check(text, "bitcoin") ?? [];
  return Uint8Array.from(
    version === 0 ? [0x76, 0xa9, hash.length, ...hash, 0x88, 0xac] : [0xa9, hash.length, ...hash, 0x87],
  );
}

const hexAccount = (text: string, prefix: RegExp) => {
  const account = prefix.exec(text)?.[1];
  return account === undefined ? null : hex.decode(account.toLowerCase());
};

function tronAccount(text: string): Uint8Array | null {
  const payload = decodeBase58Check(text, "bitcoin");
  if (payload?.length === 21 && payload[0] === TRON_MAIN_NETWORK) return payload.slice(1);
  return hexAccount(text, /^(?:0x|41|0x41)([\da-f]{40})$/i);
}

const X_PREFIX = [0x05, 0x44] as const;
const ACCOUNT_BYTES = 20;

/** The account of an r-address or an X-address, without its tag. */
export function xrplAccount(text: string): Uint8Array | null {
  const payload = decodeBase58Check(text, "xrpl");
  if (payload?.length === 1 + ACCOUNT_BYTES && payload[0] === XRPL_ACCOUNT_ID) return payload.slice(1);
  if (payload === null || X_PREFIX.some((byte, at) => payload[at] !== byte)) return null;
  return payload.slice(X_PREFIX.length, X_PREFIX.length + ACCOUNT_BYTES);
}

const BYTES: Readonly<Record<ChainFamily, (text: string) => Uint8Array | null>> = {
  // A provider may spell its own addresses in any case, so no checksum is required.
  EVM: (text) => hexAccount(text, /^0x([\da-f]{40})$/i),
  BTC: bitcoinScript,
  TRON: tronAccount,
  SOLANA: (text) => (canonicalAddress("SOLANA", text) === null ? null : base58.decode(text)),
  XRPL: xrplAccount,
};

/** The address's bytes in hex, equal for every spelling; null for no address. */
export function addressBytes(family: ChainFamily, text: string): string | null {
  const bytes = BYTES[family](text.trim());
  return bytes === null ? null : hex.encode(bytes);
}
