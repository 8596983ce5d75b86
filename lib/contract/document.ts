import { z } from "zod";
import { finderIn, type Place } from "./fold";

const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/** Modulo-11 check digit: a remainder under 2 gives 0. Letters count as their ASCII code less 48 (IN RFB 2.229/2024). */
function checkDigit(characters: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, index) => total + weight * (characters.charCodeAt(index) - 48), 0);
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}

/** Completes the first 9 digits of a CPF with its two check digits. */
export function completeCpf(base: string): string {
  const first = `${base}${checkDigit(base, CPF_WEIGHTS.slice(1))}`;
  return `${first}${checkDigit(first, CPF_WEIGHTS)}`;
}

/** Completes the first 12 characters of a CNPJ (digits, or letters since July 2026) with its two check digits. */
export function completeCnpj(base: string): string {
  const first = `${base}${checkDigit(base, CNPJ_WEIGHTS.slice(1))}`;
  return `${first}${checkDigit(first, CNPJ_WEIGHTS)}`;
}

export function isCpf(value: string): boolean {
  return /^\d{11}$/.test(value) && !/^(\d)\1{10}$/.test(value) && completeCpf(value.slice(0, 9)) === value;
}

export function isCnpj(value: string): boolean {
  return /^[0-9A-Z]{12}\d{2}$/.test(value) && !/^(.)\1{13}$/.test(value) && completeCnpj(value.slice(0, 12)) === value;
}

const isDocument = (value: string) => isCpf(value) || isCnpj(value);

/** With the points and the dash that people write: `529.982.247-25`, `12.ABC.345/01DE-35`. */
export function formatDocument(document: string): string {
  return document.length === 11
    ? `${document.slice(0, 3)}.${document.slice(3, 6)}.${document.slice(6, 9)}-${document.slice(9)}`
    : `${document.slice(0, 2)}.${document.slice(2, 5)}.${document.slice(5, 8)}/${document.slice(8, 12)}-${document.slice(12)}`;
}

/** The middle digits only: `***.456.789-**` for a CPF, `**.345.678/9012-**` for a CNPJ. */
export function maskDocument(document: string): string {
  return document.length === 11
    ? `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`
    : `**.${document.slice(2, 5)}.${document.slice(5, 8)}/${document.slice(8, 12)}-**`;
}

// Groups apart by any few signs that are neither letter nor digit. Looked ahead for: one may begin within another.
const APART = "[^\\p{L}\\p{N}]{0,6}";
const CPF_WITHIN = new RegExp(`(?<!\\d)(?=(\\d{3}${APART}\\d{3}${APART}\\d{3}${APART}\\d{2})(?!\\d))`, "gu");
const CNPJ_WITHIN = new RegExp(
  `(?<!\\d)(?=(\\d{2}${APART}\\d{3}${APART}\\d{3}${APART}\\d{4}${APART}\\d{2})(?!\\d))`,
  "gu",
);
const LETTERED_CNPJ_WITHIN = new RegExp(
  `(?<![\\dA-Z])(?=([\\dA-Z]{2}${APART}[\\dA-Z]{3}${APART}[\\dA-Z]{3}${APART}[\\dA-Z]{4}${APART}\\d{2})(?!\\d))`,
  "giu",
);

const UUID_WITHIN = /(?<![\da-z])([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\da-z])/gi;

/** Nothing else is written in just this way, be the check digits right or not. */
const WRITTEN_IN_FULL = /^(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i;

const bareOf = (folded: string) => folded.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase();

const WRITTEN = [
  [CNPJ_WITHIN, isCnpj],
  [LETTERED_CNPJ_WITHIN, isCnpj],
  [CPF_WITHIN, isCpf],
] as const;

function writtenIn(text: string): (Place & { document: string })[] {
  if (!/\p{Nd}/u.test(text)) return [];
  const others = text.replaceAll(UUID_WITHIN, (id) => "~".repeat(id.length));
  const find = finderIn(others);
  return WRITTEN.flatMap(([pattern, isValid]) =>
    find(pattern).flatMap(({ folded, ...place }) => {
      const document = bareOf(folded);
      return WRITTEN_IN_FULL.test(folded) || isValid(document) ? [{ ...place, document }] : [];
    }),
  );
}

/**
 * The text with every CPF and CNPJ in it masked, whichever signs it is written with: those whose check digits are right, and those
 * with all their points whether they are or not. Other numbers and UUIDs stay whole.
 */
export function maskWithin(text: string): string {
  let masked = "";
  let at = 0;
  for (const { from, to, document } of writtenIn(text).toSorted((one, other) => one.from - other.from)) {
    if (from >= at) masked += text.slice(at, from) + maskDocument(document);
    at = Math.max(at, to);
  }
  return masked + text.slice(at);
}

/** Where in the text the CPFs and CNPJs stand that `maskWithin` masks; one may be found in another. */
export const documentsWithin = (text: string): Place[] =>
  writtenIn(text).map(({ word, from, to }) => ({ word, from, to }));

export const Cpf = z
  .string()
  .refine(isCpf, { error: "must be a CPF: 11 digits with valid check digits", params: { code: "cpf" } })
  .meta({
    type: "string",
    pattern: "^\\d{11}$",
    description: "A CPF: 11 digits, the last two of them valid check digits.",
    examples: ["52998224725"],
  });
export const Cnpj = z
  .string()
  .refine(isCnpj, { error: "must be a CNPJ: 14 characters with valid check digits", params: { code: "cnpj" } })
  .meta({
    type: "string",
    pattern: "^[0-9A-Z]{12}\\d{2}$",
    description: "A CNPJ: 14 digits (letters may stand among the first twelve), the last two valid check digits.",
    examples: ["11222333000181"],
  });
export const Document = z
  .string()
  .refine(isDocument, {
    error: "must be a valid CPF or CNPJ",
    params: { code: "document" },
  })
  .meta({
    type: "string",
    pattern: "^(\\d{11}|[0-9A-Z]{12}\\d{2})$",
    description: "A CPF or a CNPJ, without punctuation.",
    examples: ["52998224725"],
  });
