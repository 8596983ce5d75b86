import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/settings/env";
import type { DataKey } from "@/lib/settings/keys";
import { UNOPENED } from "@/lib/text/provider-word";
import { earlierTarget, type SealedTarget } from "./sealed-columns";

/** Altered, moved, or sealed with an unknown key. */
export class UnsealError extends Error {
  override name = "UnsealError";
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

type Purpose = "seal" | "lookup" | "idempotency-key";

const derived = new WeakMap<Buffer, Map<Purpose, Buffer>>();

function subkey({ bytes }: DataKey, purpose: Purpose): Buffer {
  const known = derived.get(bytes) ?? new Map<Purpose, Buffer>();
  derived.set(bytes, known);
  const key = known.get(purpose) ?? Buffer.from(hkdfSync("sha256", bytes, "", `retaguarda ${purpose}`, 32));
  known.set(purpose, key);
  return key;
}

type Locked = { key: Buffer; bindings: readonly string[] };

const bindingOf = (bindings: readonly string[]) => Buffer.from(JSON.stringify(bindings));

/** AES-256-GCM: nonce, tag, sealed bytes. */
function encrypt(clear: Uint8Array, { key, bindings }: Locked): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(bindingOf(bindings));
  const sealed = [cipher.update(clear), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
}

function decrypt(bytes: Uint8Array, { key, bindings }: Locked): Buffer {
  const iv = bytes.subarray(0, IV_BYTES);
  // Otherwise a guessable tag of four bytes would pass.
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  decipher.setAAD(bindingOf(bindings));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

export const sealedPrefix = ({ id }: DataKey) => `v2.${id}.`;

export const hashPrefix = ({ id }: DataKey) => `${id}:`;

/** Prefixed with the key and bound to its place. */
export function seal(clear: string, { column, row }: SealedTarget): string {
  const [dataKey] = env().dataKeys;
  const key = subkey(dataKey, "seal");
  return `${sealedPrefix(dataKey)}${encrypt(Buffer.from(clear), { key, bindings: [column, ...row] }).toString("base64")}`;
}

const openIn = (bytes: Buffer, key: DataKey, { column, row }: SealedTarget): string =>
  decrypt(bytes, { key: subkey(key, "seal"), bindings: [column, ...row] }).toString("utf8");

function open(bytes: Buffer, key: DataKey, target: SealedTarget): string {
  const earlier = earlierTarget(target);
  try {
    return openIn(bytes, key, target);
  } catch (error) {
    if (earlier === null) throw error;
    return openIn(bytes, key, earlier);
  }
}

const SEALED = /^v2\.([0-9a-f]{8})\.([A-Za-z0-9+/=]*)$/;

/** Throws `UnsealError`. */
export function unseal(stored: string, target: SealedTarget): string {
  const parts = SEALED.exec(stored);
  if (parts === null) throw new UnsealError(`what stands in ${target.column} is not sealed`);
  const [, keyId, body = ""] = parts;
  const key = env().dataKeys.find(({ id }) => id === keyId);
  if (key === undefined)
    throw new UnsealError(`${target.column} was sealed with key ${keyId}, which is not known here`);
  try {
    return open(Buffer.from(body, "base64"), key, target);
  } catch (error) {
    throw new UnsealError(`${target.column} does not open: ${String(error)}`, { cause: error });
  }
}

/** Null when it does not open. */
export function unsealedOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

/** An unreadable value is marked, without failing the rest. */
export const shownSealed = (stored: string, target: SealedTarget): string =>
  unsealedOrNull(() => unseal(stored, target)) ?? UNOPENED;

const hashBy = (key: DataKey, clear: string) =>
  `${hashPrefix(key)}${createHmac("sha256", subkey(key, "lookup")).update(clear).digest("hex")}`;

export const lookupHash = (clear: string): string => hashBy(env().dataKeys[0], clear);

/** Every hash under which the text may be stored during a key change. */
export const lookupHashes = (clear: string): string[] => env().dataKeys.map((key) => hashBy(key, clear));

export const isHashOf = (hash: string, clear: string): boolean => lookupHashes(clear).includes(hash);

/** The same names give the same UUID, even after a restore, and nobody can compute it without the key. */
export function derivedUuid(...names: string[]): string {
  const hmac = createHmac("sha256", subkey(env().dataKeys[0], "idempotency-key")).update(JSON.stringify(names));
  const bytes = hmac.digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Changing the data key reseals only this key. */
export type Wrapped = { keySealed: string; bytes: Uint8Array };

const bytesOf = ({ column, row }: SealedTarget) => [column, "bytes", ...row];

/** Sealed under its own key, bound to that key's place. */
export function wrap(clear: Uint8Array, target: SealedTarget): Wrapped {
  const key = randomBytes(KEY_BYTES);
  return { keySealed: seal(key.toString("base64"), target), bytes: encrypt(clear, { key, bindings: bytesOf(target) }) };
}

export function unwrap({ keySealed, bytes }: Wrapped, target: SealedTarget): Uint8Array {
  const key = Buffer.from(unseal(keySealed, target), "base64");
  return decrypt(bytes, { key, bindings: bytesOf(target) });
}
