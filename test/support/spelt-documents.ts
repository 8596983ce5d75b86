import * as fc from "fast-check";
import { completeCnpj, completeCpf, isDocument } from "@/lib/contract/document";

const SIGNS = " .-/_,;:|#\\=~()[]'\"\t\n\u00a0\u2003\u3000\u00b7\u2014\u2026\u200b\u00ad\u2060*!?^&%".split("");
const Sign = fc.constantFrom(...SIGNS);
const Run = fc.array(Sign, { minLength: 1, maxLength: 5 }).map((signs) => signs.join(""));

export const Digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const Document = fc
  .oneof(
    Digits(9).map(completeCpf),
    Digits(8).map((base) => completeCpf(`0${base}`)),
    Digits(12).map(completeCnpj),
  )
  .filter(isDocument);

const partsOf = (document: string) =>
  document.length === 11
    ? [document.slice(0, 3), document.slice(3, 6), document.slice(6, 9), document.slice(9)]
    : [document.slice(0, 2), document.slice(2, 5), document.slice(5, 8), document.slice(8, 12), document.slice(12)];

type Joining = (parts: readonly string[]) => string;

/** One separator between all groups, or another between each two. */
const Joined: fc.Arbitrary<Joining> = fc.oneof(
  Run.map(
    (run): Joining =>
      (parts) =>
        parts.join(run),
  ),
  fc.array(Run, { minLength: 14, maxLength: 14 }).map(
    (runs): Joining =>
      (parts) =>
        parts.map((part, at) => `${part}${at === parts.length - 1 ? "" : runs[at]}`).join(""),
  ),
);

const percent = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const decimal = (text: string) => Array.from(text, (sign) => `&#${sign.codePointAt(0)};`).join("");
const hexadecimal = (text: string) => Array.from(text, (sign) => `&#x${sign.codePointAt(0)?.toString(16)};`).join("");

const Encoding = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  percent,
  (text) => percent(percent(text)),
  decimal,
  hexadecimal,
  (text) => decimal(text).replaceAll("&", "&amp;"),
  (text) => text.replaceAll(".", "&period;").replaceAll("\u00a0", "&nbsp;"),
);

const Zeros = fc.stringMatching(/^0{0,8}$/);

/** A CPF or CNPJ in one of the spellings of people and programs. */
export const SpeltDocument = fc
  .tuple(Document, Joined, Encoding, Zeros, fc.boolean())
  .map(([document, join, encode, zeros, isApart]) => {
    const written = join(isApart ? Array.from(document) : partsOf(document));
    return { document, written: isApart ? written : `${zeros}${written}`, encode };
  })
  // Separators that happen to form an escape, such as `&#9;`, would be ambiguous.
  .filter(({ written }) => !/&#\d|%[\da-f]{2}/i.test(written))
  .map(({ document, written, encode }) => ({ document, spelling: encode(written) }));

/** The digits of a text once every escape in it is decoded. */
export function decoded(text: string): string {
  let read = text;
  for (let times = 0; times < 4; times += 1) {
    read = read
      .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString())
      .replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll("&amp;", "&");
  }
  return read.replaceAll(/\D/g, "");
}
