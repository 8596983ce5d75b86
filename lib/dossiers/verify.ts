import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { inflateSync } from "node:zlib";
import { z } from "zod";
import { keyName } from "@/lib/audit/head";
import { jsonOrUndefined, sha256, utf8OrNull } from "@/lib/text/decode";
import { DossierFile, hashOfSection, hashOfSections, publicKeyInFile, signedBytes, canonicalJson } from "./file";

const FORMAT = "retaguarda-dossier-pdf-1";
/** PDF readers skip a comment; ours is the last line and signs every byte before it. */
const LAST_LINE = new RegExp(`\\n%${FORMAT} ([A-Za-z0-9+/=]+) ([A-Za-z0-9+/=]+)\\n$`);
const LAST_LINE_BYTES = 512;

const signedPages = (pages: Uint8Array): Buffer => Buffer.from(`${FORMAT}\n${sha256(pages)}`);

/** Signs the pages too: none can be exchanged beside what is attached. */
export function signPages(pages: Buffer, key: KeyObject): Buffer {
  const signature = sign(null, signedPages(pages), key).toString("base64");
  return Buffer.concat([pages, Buffer.from(`\n%${FORMAT} ${publicKeyInFile(createPublicKey(key))} ${signature}\n`)]);
}

type SignedPages = { pages: Buffer; publicKey: string; signature: string };

export function readSignedPages(file: Buffer): SignedPages | null {
  const from = Math.max(0, file.length - LAST_LINE_BYTES);
  const found = LAST_LINE.exec(file.subarray(from).toString("latin1"));
  if (found === null) return null;
  const [line, publicKey = "", signature = ""] = found;
  return { pages: file.subarray(0, file.length - line.length), publicKey, signature };
}

const isPdf = (file: Buffer): boolean => file.subarray(0, 5).toString("latin1") === "%PDF-";

const EMBEDDED = /\/Type \/EmbeddedFile\b[\s\S]{0,2000}?>>\nstream\n/;

export function attachedTo(file: Buffer): Buffer | null {
  const text = file.toString("latin1");
  const found = EMBEDDED.exec(text);
  if (found === null) return null;
  const [head] = found;
  const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
  const start = found.index + head.length;
  const stream = file.subarray(start, start + length);
  if (!head.includes("/FlateDecode")) return stream;
  try {
    return inflateSync(stream);
  } catch {
    return null;
  }
}

export type Altered = {
  /** `layout`: same contents, written differently. `file`: cut short, or none of ours. */
  what: "sections" | "seal" | "layout" | "pages" | "file";
  sections: readonly string[];
};

export type Verification =
  | { kind: "valid"; sha256: string; signedBy: string; contents: Readonly<Record<string, unknown>> }
  | ({ kind: "altered" } & Altered)
  | { kind: "unknown-key"; signedBy: string };

const altered = (what: Altered["what"], sections: readonly string[] = []): Verification => ({
  kind: "altered",
  what,
  sections,
});

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
function signerOf({ publicKey, signature, bytes }: Claim): KeyObject | null {
  if (!isBase64(publicKey) || !isBase64(signature)) return null;
  const key = publicKeyIn(publicKey);
  if (key === null || publicKeyInFile(key) !== publicKey) return null;
  return verify(null, bytes, key, Buffer.from(signature, "base64")) ? key : null;
}

const isKnown = (key: KeyObject, known: readonly KeyObject[]) => known.some((one) => one.equals(key));

function changedSections({ contents, seal }: DossierFile): string[] {
  const names = new Set([...Object.keys(contents), ...Object.keys(seal.sections)]);
  return [...names].filter((name) => {
    const section = contents[name];
    return section === undefined || hashOfSection(section) !== seal.sections[name];
  });
}

function verifyJson(bytes: Uint8Array, known: readonly KeyObject[]): Verification {
  const text = utf8OrNull(bytes);
  const json = z.json().safeParse(text === null ? undefined : jsonOrUndefined(text, JSON.parse)).data;
  const file = DossierFile.safeParse(json).data;
  if (text === null || json === undefined || file === undefined) return altered("file");
  const { contents, seal } = file;
  const sections = changedSections(file);
  if (sections.length > 0) return altered("sections", sections);
  if (hashOfSections(seal.sections) !== seal.sha256) return altered("seal");
  const signer = signerOf({ ...seal, bytes: signedBytes(seal.sha256) });
  if (signer === null) return altered("seal");
  if (canonicalJson(json) !== text) return altered("layout");
  const signedBy = keyName(signer);
  if (!isKnown(signer, known)) return { kind: "unknown-key", signedBy };
  return { kind: "valid", sha256: seal.sha256, signedBy, contents };
}

function verifyPdf(file: Buffer, known: readonly KeyObject[]): Verification {
  const signed = readSignedPages(file);
  const json = attachedTo(file);
  const attached = json === null ? altered("file") : verifyJson(json, known);
  if (attached.kind === "altered") return attached;
  const signer = signed === null ? null : signerOf({ ...signed, bytes: signedPages(signed.pages) });
  if (signer === null) return altered("pages");
  return isKnown(signer, known) ? attached : { kind: "unknown-key", signedBy: keyName(signer) };
}

/** Needs only the bytes of the JSON or PDF; of a PDF, both pages and attachment. */
export const verifyDossier = (file: Buffer, known: readonly KeyObject[]): Verification =>
  isPdf(file) ? verifyPdf(file, known) : verifyJson(file, known);
