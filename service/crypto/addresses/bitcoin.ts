import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m } from "@scure/base";
import { decodeBase58Check } from "./base58";

const P2PKH = 0x00;
const P2SH = 0x05;

/** RIPEMD-160 of the SHA-256: how Bitcoin and the XRP Ledger shorten a public key. */
export function hash160(publicKey: Uint8Array): Uint8Array {
  return ripemd160(sha256(publicKey));
}

/** Native SegWit (P2WPKH) of the main network: `bc1q…`. */
export function bitcoinAddress(publicKey: Uint8Array): string {
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

/** The usual form of a main-network address (SegWit, Taproot, P2SH or P2PKH), or null. */
export function canonicalBitcoin(text: string): string | null {
  if (isSegwit(text)) return text.toLowerCase();
  return isLegacy(text) ? text : null;
}
