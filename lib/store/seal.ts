import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/env";

const VERSION = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

type Purpose = "seal" | "lookup";

let derived: { from: Buffer; keys: Map<Purpose, Buffer> } | undefined;

function subkey(purpose: Purpose): Buffer {
  const from = env().dataKey;
  if (derived?.from !== from) derived = { from, keys: new Map() };
  const known = derived.keys.get(purpose);
  if (known !== undefined) return known;
  const key = Buffer.from(hkdfSync("sha256", from, "", `retaguarda ${purpose}`, 32));
  derived.keys.set(purpose, key);
  return key;
}

/** Encrypts personal data for the store (AES-256-GCM); the version in front allows keys to rotate. */
export function seal(clear: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", subkey("seal"), iv);
  const sealed = Buffer.concat([cipher.update(clear, "utf8"), cipher.final()]);
  return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64")}`;
}

/** Decrypts what `seal` made; throws when it was altered, sealed with another key or by a version not known here. */
export function unseal(stored: string): string {
  if (!stored.startsWith(`${VERSION}.`)) throw new Error(`sealed data is not of version ${VERSION}`);
  const bytes = Buffer.from(stored.slice(VERSION.length + 1), "base64");
  const iv = bytes.subarray(0, IV_BYTES);
  // Without the length a tag cut to four bytes would do, and four bytes can be guessed.
  const decipher = createDecipheriv("aes-256-gcm", subkey("seal"), iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
}

/** The keyed hash by which sealed data is found again. */
export function lookupHash(clear: string): string {
  return createHmac("sha256", subkey("lookup")).update(clear).digest("hex");
}
