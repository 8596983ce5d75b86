import type { KeyObject } from "node:crypto";
import { inflateSync } from "node:zlib";
import { z } from "zod";
import { keyName } from "@/lib/audit/head";
import {
  isKnownKey,
  readSignatureLine,
  SIGNATURE_LINE_MOST_BYTES,
  signatureLine,
  signedHash,
  signerOf,
} from "@/lib/audit/signed-file";
import { jsonOrUndefined, sha256 } from "@/lib/text/decode";
import { utf8OrNull } from "@/lib/text/text-file";
import { DossierFile, hashOfSection, hashOfSections, signedBytes, canonicalJson } from "./file";

const FORMAT = "retaguarda-dossier-pdf-1";

const signedPages = (pages: Uint8Array): Buffer => signedHash(FORMAT, sha256(pages));

/** Signs the pages, so that none can be exchanged beside the attachment. PDF readers skip the line as a comment. */
export const signPages = (pages: Buffer, key: KeyObject): Buffer =>
  Buffer.concat([pages, Buffer.from(signatureLine(FORMAT, sha256(pages), key))]);

type SignedPages = { pages: Buffer; publicKey: string; signature: string };

export function readSignedPages(file: Buffer): SignedPages | null {
  const found = readSignatureLine(FORMAT, file.subarray(Math.max(0, file.length - SIGNATURE_LINE_MOST_BYTES)));
  if (found === null) return null;
  const { lengthBytes, publicKey, signature } = found;
  return { pages: file.subarray(0, file.length - lengthBytes), publicKey, signature };
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
  if (!isKnownKey(signer, known)) return { kind: "unknown-key", signedBy };
  return { kind: "valid", sha256: seal.sha256, signedBy, contents };
}

function verifyPdf(file: Buffer, known: readonly KeyObject[]): Verification {
  const signed = readSignedPages(file);
  const json = attachedTo(file);
  const attached = json === null ? altered("file") : verifyJson(json, known);
  if (attached.kind === "altered") return attached;
  const signer = signed === null ? null : signerOf({ ...signed, bytes: signedPages(signed.pages) });
  if (signer === null) return altered("pages");
  return isKnownKey(signer, known) ? attached : { kind: "unknown-key", signedBy: keyName(signer) };
}

/** Needs only the bytes of the JSON or PDF; for a PDF, both pages and attachment. */
export const verifyDossier = (file: Buffer, known: readonly KeyObject[]): Verification =>
  isPdf(file) ? verifyPdf(file, known) : verifyJson(file, known);
