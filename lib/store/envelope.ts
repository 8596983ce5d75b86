import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { seal, unseal } from "./seal";
import type { SealedPlace } from "./sealed-columns";

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Exchanging the data key reseals the key alone. */
export type Wrapped = { keySealed: string; bytes: Uint8Array };

const bindingOf = ({ column, row }: SealedPlace) => Buffer.from(JSON.stringify([column, "bytes", ...row]));

/** AES-256-GCM, bound to the key's place. */
export function wrap(clear: Uint8Array, place: SealedPlace): Wrapped {
  const [key, iv] = [randomBytes(KEY_BYTES), randomBytes(IV_BYTES)];
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(bindingOf(place));
  const sealed = [cipher.update(clear), cipher.final()];
  return { keySealed: seal(key.toString("base64"), place), bytes: Buffer.concat([iv, cipher.getAuthTag(), ...sealed]) };
}

export function unwrap({ keySealed, bytes }: Wrapped, place: SealedPlace): Uint8Array {
  const key = Buffer.from(unseal(keySealed, place), "base64");
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  decipher.setAAD(bindingOf(place));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
