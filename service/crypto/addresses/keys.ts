import { ed25519 } from "@noble/curves/ed25519.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { HDKey } from "@scure/bip32";

const HARDENED = 0x8000_0000;

/** Compressed secp256k1 public key (33 bytes) at a BIP-32 path such as `m/44'/60'/0'/0/0`. */
export function secp256k1PublicKey(seed: Uint8Array, path: string): Uint8Array {
  const { publicKey } = HDKey.fromMasterSeed(seed).derive(path);
  if (!publicKey) throw new Error(`no key at ${path}`);
  return publicKey;
}

function splitKey(digest: Uint8Array): { key: Uint8Array; chainCode: Uint8Array } {
  return { key: digest.slice(0, 32), chainCode: digest.slice(32) };
}

/** Ed25519 private key (32 bytes) by SLIP-0010; on this curve every step of the path is hardened. */
export function ed25519PrivateKey(seed: Uint8Array, path: readonly number[]): Uint8Array {
  const master = splitKey(hmac(sha512, new TextEncoder().encode("ed25519 seed"), seed));
  return path.reduce((parent, index) => {
    const data = new Uint8Array(37);
    data.set(parent.key, 1);
    new DataView(data.buffer).setUint32(33, HARDENED + index);
    return splitKey(hmac(sha512, parent.chainCode, data));
  }, master).key;
}

/** Ed25519 public key (32 bytes) at a SLIP-0010 path. */
export function ed25519PublicKey(seed: Uint8Array, path: readonly number[]): Uint8Array {
  return ed25519.getPublicKey(ed25519PrivateKey(seed, path));
}
