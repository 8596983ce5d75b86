import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { z } from "zod";
import { keyName } from "@/lib/audit/head";
import { publicKeyInFile } from "@/lib/audit/signed-file";
import { sha256 } from "@/lib/text/decode";
import { Sections } from "./contents";

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const byCodeUnits = (one: string, other: string) => Number(one > other) - Number(one < other);

function written(value: Json): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("JSON has no such number");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  const members = Object.entries(value).toSorted(([one], [other]) => byCodeUnits(one, other));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(",")}}`;
}

/** RFC 8785. Throws `RangeError` on a number that JSON does not have. */
export const canonicalJson = (value: Json): string => written(value);

const FORMAT = "retaguarda-dossier-1";

const Hex = z.string().regex(/^[0-9a-f]{64}$/);

const Seal = z.strictObject({
  /** SHA-256 of each section as canonical JSON. */
  sections: z.record(z.string(), Hex),
  /** SHA-256 of the format and the hashes of the sections as canonical JSON. */
  sha256: Hex,
  algorithm: z.literal("Ed25519"),
  publicKey: z.string(),
  /** Over the name of the format, a line feed, and `sha256`; in base64. */
  signature: z.string(),
});
export type Seal = z.infer<typeof Seal>;

export const DossierFile = z.strictObject({
  format: z.literal(FORMAT),
  contents: Sections,
  seal: Seal,
});
export type DossierFile = z.infer<typeof DossierFile>;

/** The first line keeps the signature from being valid for anything else. */
export const signedBytes = (hash: string): Buffer => Buffer.from(`${FORMAT}\n${hash}`);

export const hashOfSection = (section: Json): string => sha256(canonicalJson(section));

export const hashOfSections = (sections: Seal["sections"]): string =>
  sha256(canonicalJson({ format: FORMAT, sections }));

type SealedFile = {
  text: string;
  sha256: string;
  signedBy: string;
};

export function sealFile(contents: Sections, key: KeyObject): SealedFile {
  const sections = Object.fromEntries(
    Object.entries(contents).map(([name, section]) => [name, hashOfSection(section)]),
  );
  const hash = hashOfSections(sections);
  const publicKey = createPublicKey(key);
  const seal: Seal = {
    sections,
    sha256: hash,
    algorithm: "Ed25519",
    publicKey: publicKeyInFile(publicKey),
    signature: sign(null, signedBytes(hash), key).toString("base64"),
  };
  const text = canonicalJson({ format: FORMAT, contents, seal });
  return { text, sha256: hash, signedBy: keyName(publicKey) };
}
