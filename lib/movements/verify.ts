import { createHash, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { keyName } from "@/lib/audit/head";
import {
  isKnownKey,
  readSignatureLine,
  SIGNATURE_LINE_MOST_BYTES,
  signedHash,
  signerOf,
} from "@/lib/audit/signed-file";
import { FILE_FORMATS } from "./format";

export type Verification =
  | { kind: "valid"; sha256: string; signedBy: string }
  | { kind: "altered" }
  | { kind: "unknown-key"; signedBy: string };

async function tailOf(path: string): Promise<{ tail: Buffer; sizeBytes: number }> {
  const file = await open(path);
  try {
    const { size: sizeBytes } = await file.stat();
    const tail = Buffer.alloc(Math.min(sizeBytes, SIGNATURE_LINE_MOST_BYTES));
    await file.read(tail, 0, tail.length, sizeBytes - tail.length);
    return { tail, sizeBytes };
  } finally {
    await file.close();
  }
}

/** Reads the file once, of any length; offline. */
export async function verifyMovementFile(path: string, known: readonly KeyObject[]): Promise<Verification> {
  const { tail, sizeBytes } = await tailOf(path);
  const [found] = FILE_FORMATS.flatMap((format) => {
    const line = readSignatureLine(format, tail);
    return line === null ? [] : [{ format, ...line }];
  });
  if (found === undefined || found.lengthBytes >= sizeBytes) return { kind: "altered" };
  const { format, lengthBytes, publicKey, signature } = found;
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { end: sizeBytes - lengthBytes - 1 })) hash.update(piece);
  const bytes = signedHash(format, hash.copy().digest("hex"));
  const signer = signerOf({ publicKey, signature, bytes });
  if (signer === null) return { kind: "altered" };
  const signedBy = keyName(signer);
  if (!isKnownKey(signer, known)) return { kind: "unknown-key", signedBy };
  hash.update(tail.subarray(tail.length - lengthBytes));
  return { kind: "valid", sha256: hash.digest("hex"), signedBy };
}
