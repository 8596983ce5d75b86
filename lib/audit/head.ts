import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";
import { joinFields } from "./chain";

/** Where a tenant's record ended at a time, signed, as it stands in a line of its file. */
const SignedHead = z.object({
  tenant: z.string(),
  seq: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  /** SHA-256 in hex of the line before; null in the first one. */
  previous: z.string().nullable(),
  /** Which key signed: the beginning of its own hash. */
  key: z.string(),
  /** Ed25519, in base64. */
  signature: z.string(),
});
export type SignedHead = z.infer<typeof SignedHead>;

export type HeadToSign = Pick<SignedHead, "tenant" | "seq" | "hash" | "at" | "previous">;

// RFC 8410: what stands before the 32 bytes of an Ed25519 key.
const PKCS8_START = Buffer.from("302e020100300506032b657004220420", "hex");

/** The signing key of these 32 bytes. */
export function signingKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: "der", type: "pkcs8" });
}

/** The half of it that checks. */
export const publicKeyOf = (key: KeyObject): KeyObject => createPublicKey(key);

/** The public key as text that openssl and others read, and as it is read from such a text. */
export const publicKeyText = (key: KeyObject): string =>
  createPublicKey(key).export({ format: "pem", type: "spki" }).toString();
export const publicKeyFrom = (pem: string): KeyObject => createPublicKey(pem);

export function keyName(publicKey: KeyObject): string {
  const bytes = publicKey.export({ format: "der", type: "spki" });
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

const signedBytes = ({ tenant, seq, hash, at, previous }: HeadToSign) =>
  Buffer.from(joinFields(["audit-head-1", tenant, String(seq), hash, at, previous]));

export function signHead(head: HeadToSign, key: KeyObject): SignedHead {
  const signature = sign(null, signedBytes(head), key).toString("base64");
  return { ...head, key: keyName(createPublicKey(key)), signature };
}

/** Whether one of these keys signed it. */
export function isSigned(head: SignedHead, publicKeys: readonly KeyObject[]): boolean {
  const signature = Buffer.from(head.signature, "base64");
  return publicKeys.some((key) => verify(null, signedBytes(head), key, signature));
}

export const lineOf = (head: SignedHead): string => JSON.stringify(SignedHead.parse(head));

/** The head in a line; null of a line that was cut short, as the last one is after a loss of power. */
export function headIn(line: string): SignedHead | null {
  try {
    return SignedHead.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

export const digestOfLine = (line: string): string => createHash("sha256").update(line).digest("hex");
