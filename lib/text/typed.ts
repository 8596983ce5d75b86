import { fold } from "@/lib/contract/signs";

function grouped(signs: string, parts: readonly (readonly [length: number, before: string])[]): string {
  let shown = "";
  let rest = signs;
  for (const [length, before] of parts) {
    if (rest === "") break;
    shown += before + rest.slice(0, length);
    rest = rest.slice(length);
  }
  return shown + rest;
}

const digitsIn = (text: string) => fold(text).replaceAll(/\D/g, "");

/** `5299` becomes `529.9`. */
export const typingCpf = (text: string): string =>
  grouped(digitsIn(text), [
    [3, ""],
    [3, "."],
    [3, "."],
    [2, "-"],
  ]);

export const typingCnpj = (text: string): string =>
  grouped(
    fold(text)
      .replaceAll(/[^0-9A-Za-z]/g, "")
      .toUpperCase(),
    [
      [2, ""],
      [3, "."],
      [3, "."],
      [4, "/"],
      [2, "-"],
    ],
  );

/** `013101` becomes `01310-1`. */
export const typingPostalCode = (text: string): string =>
  grouped(digitsIn(text), [
    [5, ""],
    [3, "-"],
  ]);

/** Foreign numbers stay as they are. */
export function typingPhone(text: string): string {
  const isInternational = /^\s*\+/.test(fold(text));
  const digits = digitsIn(text);
  if (isInternational && !digits.startsWith("55")) return text;
  const national = isInternational ? digits.slice(2) : digits;
  if (national.length > 11) return text;
  const area = national.slice(0, 2);
  const number = national.slice(2);
  const first = number.length > 8 ? 5 : 4;
  const shown =
    number === ""
      ? area
      : `(${area}) ${grouped(number, [
          [first, ""],
          [4, "-"],
        ])}`;
  return isInternational ? `+55 ${shown}` : shown;
}

/** `J. Silva`, `Maria A.Souza`: a single letter before a full stop. */
export const isAbbreviated = (name: string): boolean => /(?<![\p{L}\p{M}'’])\p{L}\./u.test(name.normalize("NFC"));

/** Lower case, without accents. */
export const folded = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** One name, however it is typed: without accents, case and punctuation. */
export const nameKeyOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
