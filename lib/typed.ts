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

/** Whether it looks like a CNPJ of the newer kind, which may carry letters. */
export const isLetteredCnpj = (text: string): boolean => {
  const signs = text.replaceAll(/[\s./-]/g, "");
  return signs.length === 14 && /[A-Za-z]/.test(signs);
};
