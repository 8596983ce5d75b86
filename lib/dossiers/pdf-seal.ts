import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { inflateSync } from "node:zlib";
import { sha256 } from "@/lib/hash";
import { publicKeyInFile } from "./file";

const FORMAT = "retaguarda-dossier-pdf-1";
/** Readers of PDF skip a comment; ours is the last line, and what it signs is every byte before it. */
const LAST_LINE = new RegExp(`\\n%${FORMAT} ([A-Za-z0-9+/=]+) ([A-Za-z0-9+/=]+)\\n$`);
const LAST_LINE_BYTES = 512;

/** What is signed of the printed pages. */
export const signedPages = (pages: Uint8Array): Buffer => Buffer.from(`${FORMAT}\n${sha256(pages)}`);

/** The PDF with the installation's signature of all that is in it: a page cannot be exchanged beside what is attached. */
export function signPages(pages: Buffer, key: KeyObject): Buffer {
  const signature = sign(null, signedPages(pages), key).toString("base64");
  return Buffer.concat([pages, Buffer.from(`\n%${FORMAT} ${publicKeyInFile(createPublicKey(key))} ${signature}\n`)]);
}

export type SignedPages = { pages: Buffer; publicKey: string; signature: string };

/** The pages and who says that they are theirs; null when the last line is not there, or not as it was written. */
export function readSignedPages(file: Buffer): SignedPages | null {
  const from = Math.max(0, file.length - LAST_LINE_BYTES);
  const found = LAST_LINE.exec(file.subarray(from).toString("latin1"));
  if (found === null) return null;
  const [line, publicKey = "", signature = ""] = found;
  return { pages: file.subarray(0, file.length - line.length), publicKey, signature };
}

export const isPdf = (file: Buffer): boolean => file.subarray(0, 5).toString("latin1") === "%PDF-";

const EMBEDDED = /\/Type \/EmbeddedFile\b[\s\S]{0,2000}?>>\nstream\n/;

/** What is attached to a PDF of ours, to the byte; null when there is nothing that can be read. */
export async function attachedTo(file: Buffer): Promise<Buffer | null> {
  const text = file.toString("latin1");
  const found = EMBEDDED.exec(text);
  if (found === null) return null;
  const [head] = found;
  const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
  const start = found.index + head.length;
  const stream = file.subarray(start, start + length);
  if (!head.includes("/FlateDecode")) return stream;
  const [inflated] = await Promise.allSettled([Promise.resolve(stream).then((bytes) => inflateSync(bytes))]);
  return inflated.status === "fulfilled" ? inflated.value : null;
}
