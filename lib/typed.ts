/** A date as it is being typed, with its slashes: `0709` becomes `07/09`, and so does `7/9`. */
export function typedDate(text: string): string {
  const hasEnded = /\D$/.test(text);
  const parts = text.split(/\D+/).filter((part) => part !== "");
  const isOver = (place: number) => place < parts.length - 1 || hasEnded;
  const digits = parts.map((part, place) => (place < 2 && isOver(place) ? part.padStart(2, "0") : part)).join("");
  const shown = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 8)].filter((part) => part !== "").join("/");
  return hasEnded && (digits.length === 2 || digits.length === 4) ? `${shown}/` : shown;
}

/** A CPF or CNPJ with its points, once all of it was typed. */
export function typedDocument(text: string): string {
  const signs = text.replaceAll(/[\s./-]/g, "").toUpperCase();
  if (/^\d{11}$/.test(signs)) return signs.replace(/^(...)(...)(...)(..)$/, "$1.$2.$3-$4");
  return /^[0-9A-Z]{12}\d{2}$/.test(signs) ? signs.replace(/^(..)(...)(...)(....)(..)$/, "$1.$2.$3/$4-$5") : text;
}

/** So many signs of each part, what stands before it, as long as there are any. */
function grouped(signs: string, parts: readonly (readonly [length: number, before: string])[]): string {
  let shown = "";
  let rest = signs;
  for (const [length, before] of parts) {
    if (rest === "") break;
    shown += before + rest.slice(0, length);
    rest = rest.slice(length);
  }
  // What is too much stays in sight: it is for who typed it to see.
  return shown + rest;
}

/** A CPF as it is being typed: `5299` becomes `529.9`. */
export const typingCpf = (text: string): string =>
  grouped(text.replaceAll(/\D/g, ""), [
    [3, ""],
    [3, "."],
    [3, "."],
    [2, "-"],
  ]);

/** A CNPJ as it is being typed; it may carry letters. */
export const typingCnpj = (text: string): string =>
  grouped(text.replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase(), [
    [2, ""],
    [3, "."],
    [3, "."],
    [4, "/"],
    [2, "-"],
  ]);

/** A postal code as it is being typed: `013101` becomes `01310-1`. */
export const typingPostalCode = (text: string): string =>
  grouped(text.replaceAll(/\D/g, ""), [
    [5, ""],
    [3, "-"],
  ]);

/** A phone number as it is being typed; with the code of another country it stays as it is. */
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

/** Whether it looks like a CNPJ of the newer kind, which may carry letters. */
export const isLetteredCnpj = (text: string): boolean => {
  const signs = text.replaceAll(/[\s./-]/g, "");
  return signs.length === 14 && /[A-Za-z]/.test(signs);
};
