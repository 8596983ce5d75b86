import { z } from "zod";

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

/** Strips the punctuation people type (`123.456.789-09`) and raises letters; what is not a document stays recognisable. */
export function normaliseDocument(typed: string): string {
  return typed.replaceAll(/[\s./-]/g, "").toUpperCase();
}

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

const CPF_WITHIN = /(?<!\d)\d{3}([.\s-]?)\d{3}[.\s-]?\d{3}([-/.\s]?)\d{2}(?!\d)/g;
const CNPJ_WITHIN = /(?<!\d)\d{2}([.\s-]?)\d{3}[.\s-]?\d{3}([/\s-]?)\d{4}[-\s]?\d{2}(?!\d)/g;
const LETTERED_CNPJ_WITHIN =
  /(?<![\dA-Z])[\dA-Z]{2}([.\s-]?)[\dA-Z]{3}[.\s-]?[\dA-Z]{3}([/\s-]?)[\dA-Z]{4}[-\s]?\d{2}(?!\d)/gi;

const UUID_WITHIN = /(?<![\da-z])([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\da-z])/gi;

const isMeant = (isValid: (value: string) => boolean, [found, first = "", second = ""]: readonly string[]): boolean =>
  (first.trim() !== "" && second.trim() !== "") || isValid(normaliseDocument(found ?? ""));

const maskedIf =
  (isValid: (value: string) => boolean) =>
  (...[found, first, second]: [string, string, string]) =>
    isMeant(isValid, [found, first, second]) ? maskDocument(normaliseDocument(found)) : found;

const WRITTEN = [
  [CNPJ_WITHIN, isCnpj],
  [LETTERED_CNPJ_WITHIN, isCnpj],
  [CPF_WITHIN, isCpf],
] as const;

const maskPart = (text: string) =>
  WRITTEN.reduce((masked, [pattern, isValid]) => masked.replaceAll(pattern, maskedIf(isValid)), text);

/**
 * The text with every CPF and CNPJ in it masked: what is written with its points whether its check digits are right or not,
 * bare digits only when they are, so that other numbers stay, and UUIDs whole.
 */
export function maskWithin(text: string): string {
  const parts = text.split(UUID_WITHIN);
  return parts.map((part, index) => (index % 2 === 1 ? part : maskPart(part))).join("");
}

/** Where in the text the CPFs and CNPJs stand that `maskWithin` masks; one may be found in another. */
export function documentsWithin(text: string): { word: string; from: number; to: number }[] {
  const others = text.replaceAll(UUID_WITHIN, (id) => "~".repeat(id.length));
  return WRITTEN.flatMap(([pattern, isValid]) =>
    Array.from(others.matchAll(pattern))
      .filter((match) => isMeant(isValid, match))
      .map(({ 0: word, index }) => ({ word, from: index, to: index + word.length })),
  );
}

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
  .refine((value) => isCpf(value) || isCnpj(value), {
    error: "must be a valid CPF or CNPJ",
    params: { code: "document" },
  })
  .meta({
    type: "string",
    pattern: "^(\\d{11}|[0-9A-Z]{12}\\d{2})$",
    description: "A CPF or a CNPJ, without punctuation.",
    examples: ["52998224725"],
  });
