import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";

export const publicKeyInFile = (publicKey: KeyObject): string =>
  publicKey.export({ format: "der", type: "spki" }).toString("base64");

const isBase64 = (text: string) => Buffer.from(text, "base64").toString("base64") === text;

function publicKeyIn(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    return null;
  }
}

type Claim = { publicKey: string; signature: string; bytes: Buffer };

/** Null unless it is the key that the claim names. */
export function signerOf({ publicKey, signature, bytes }: Claim): KeyObject | null {
  if (!isBase64(publicKey) || !isBase64(signature)) return null;
  const key = publicKeyIn(publicKey);
  if (key === null || publicKeyInFile(key) !== publicKey) return null;
  return verify(null, bytes, key, Buffer.from(signature, "base64")) ? key : null;
}

export const isKnownKey = (key: KeyObject, known: readonly KeyObject[]) => known.some((one) => one.equals(key));

/** The format keeps the signature from being valid for anything else. */
export const signedHash = (format: string, hash: string): Buffer => Buffer.from(`${format}\n${hash}`);

/** Ends a file whose readers skip it, and signs every byte before it; `hash`: their SHA-256 in hex. */
export function signatureLine(format: string, hash: string, key: KeyObject): string {
  const signature = sign(null, signedHash(format, hash), key).toString("base64");
  return `\n%${format} ${publicKeyInFile(createPublicKey(key))} ${signature}\n`;
}

type SignatureLine = { lengthBytes: number; publicKey: string; signature: string };

/** `tail`: the file's last `SIGNATURE_LINE_MOST_BYTES` bytes, or the whole of a shorter file. */
export function readSignatureLine(format: string, tail: Buffer): SignatureLine | null {
  const text = tail.toString("latin1");
  const start = `\n%${format} `;
  const at = text.lastIndexOf(start);
  if (at < 0 || !text.endsWith("\n")) return null;
  const [publicKey = "", signature = "", ...others] = text.slice(at + start.length, -1).split(" ");
  return others.length > 0 ? null : { lengthBytes: text.length - at, publicKey, signature };
}

export const SIGNATURE_LINE_MOST_BYTES = 512;
