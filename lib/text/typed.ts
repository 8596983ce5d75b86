import type { Unknown } from "@/lib/contract/shared";
import { namingHidden } from "./safe-link";

/** For a sealed value that does not open; in every language. */
export const UNOPENED = "⊘";

export const isUnopened = (shown: string): boolean => shown === UNOPENED;

// The contract's own guard would bring zod to the browser.
export function isUnknown(value: string): value is Unknown {
  return value.startsWith("unknown:");
}

export const providerWord = (word: string): string => (isUnknown(word) ? rawWord(word) : word);

export function rawWord(value: Unknown): string {
  return value.slice("unknown:".length);
}

/** For where no element can stand; elsewhere see `ProviderText`. */
export const providerText = (word: string): string => namingHidden(providerWord(word));

/** One in ISO order stays as pasted. */
function typing(text: string, hasTime: boolean): string {
  if (/^\d{4}-/.test(text)) return text;
  const hasEnded = /\D$/.test(text);
  const parts = text.split(/\D+/).filter((part) => part !== "");
  const isOver = (index: number) => index < parts.length - 1 || hasEnded;
  const isShort = (index: number) => index !== 2 && isOver(index);
  const digits = parts.map((part, index) => (isShort(index) ? part.padStart(2, "0") : part)).join("");
  const join = (sign: string, ...ends: number[]) =>
    ends
      .slice(1)
      .map((end, index) => digits.slice(ends[index], end))
      .filter((part) => part !== "")
      .join(sign);
  const clock = hasTime ? join(":", 8, 10, 12) : "";
  const shown = [join("/", 0, 2, 4, 8), clock].filter((part) => part !== "").join(" ");
  const next = { 2: "/", 4: "/", 8: hasTime ? " " : "", 10: hasTime ? ":" : "" }[digits.length] ?? "";
  return hasEnded ? `${shown}${next}` : shown;
}

/** `0709` becomes `07/09`, and so does `7/9`. */
export const typedDate = (text: string): string => typing(text, false);

/** `070919840930` becomes `07/09/1984 09:30`. */
export const typedMinute = (text: string): string => typing(text, true);

const DATE = /^(?:(\d{4})-(\d{2})-(\d{2})|(\d{1,2})[/. -]?(\d{1,2})[/. -]?(\d{4}))$/;

/** `07/09/1984` or ISO to `yyyy-MM-dd`; null for no day. */
export function readDate(text: string): string | null {
  const [matched, y, m, d, day = d, month = m, year = y] = DATE.exec(text.trim()) ?? [];
  if (matched === undefined) return null;
  const iso = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  const instant = new Date(`${iso}T12:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso) ? iso : null;
}

const CLOCK = /^(.{1,40}?)(?:[T ]{1,3}([01]?\d|2[0-3])[:h]([0-5]\d))?$/;

/** `yyyy-MM-ddTHH:mm`; a date alone takes the other clock, if any. */
export function readMinute(text: string, otherClock?: string): string | null {
  const [, date = "", hour, minute] = CLOCK.exec(text.trim()) ?? [];
  const day = readDate(date);
  const clock = hour === undefined ? otherClock : `${hour.padStart(2, "0")}:${minute}`;
  return day === null || clock === undefined ? null : `${day}T${clock}`;
}

/** `07/09/1984 09:30`. */
export const writtenDate = (iso: string): string =>
  iso.replace(/^(\d{4})-(\d{2})-(\d{2})/, "$3/$2/$1").replace("T", " ");

export function typedDocument(text: string): string {
  const signs = text.replaceAll(/[\s./-]/g, "").toUpperCase();
  if (/^\d{11}$/.test(signs)) return signs.replace(/^(...)(...)(...)(..)$/, "$1.$2.$3-$4");
  return /^[0-9A-Z]{12}\d{2}$/.test(signs) ? signs.replace(/^(..)(...)(...)(....)(..)$/, "$1.$2.$3/$4-$5") : text;
}

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

/** `5299` becomes `529.9`. */
export const typingCpf = (text: string): string =>
  grouped(text.replaceAll(/\D/g, ""), [
    [3, ""],
    [3, "."],
    [3, "."],
    [2, "-"],
  ]);

export const typingCnpj = (text: string): string =>
  grouped(text.replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase(), [
    [2, ""],
    [3, "."],
    [3, "."],
    [4, "/"],
    [2, "-"],
  ]);

/** `013101` becomes `01310-1`. */
export const typingPostalCode = (text: string): string =>
  grouped(text.replaceAll(/\D/g, ""), [
    [5, ""],
    [3, "-"],
  ]);

/** Numbers of other countries stay as they are. */
export function typingPhone(text: string): string {
  const isInternational = /^\s*\+/.test(text);
  const digits = text.replaceAll(/\D/g, "");
  if (isInternational && !digits.startsWith("55")) return text;
  const national = isInternational ? digits.slice(2) : digits;
  if (national.length > 11) return text;
  const [area, number] = [national.slice(0, 2), national.slice(2)];
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

export const isLetteredCnpj = (text: string): boolean => {
  const signs = text.replaceAll(/[\s./-]/g, "");
  return signs.length === 14 && /[A-Za-z]/.test(signs);
};

/** A positive amount as people write it, `1.234,56` or `1234.56`, as a decimal string; null for what is none. */
export function readAmount(text: string): string | null {
  const bare = text.replaceAll(/[\sR$]/g, "");
  const plain =
    /,\d{1,2}$/.test(bare) || /^\d{1,3}(\.\d{3})+$/.test(bare) ? bare.replaceAll(".", "").replace(",", ".") : bare;
  return /^\d{1,15}(\.\d{1,2})?$/.test(plain) ? plain : null;
}
