const SEPARATORS = /[\s./-]/g;
const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

/**
 * What was typed into the search, as it may stand in an address: a whole document, right or mistyped, becomes its mask, as
 * the provider's list shows it. An id, a tag and the digits that a mask shows stay.
 */
export function addressable(typed: string): string {
  const text = typed.trim().replaceAll(/\s+/g, " ");
  const signs = text.replaceAll(SEPARATORS, "").toUpperCase();
  if (CPF.test(signs)) return `***.${signs.slice(3, 6)}.${signs.slice(6, 9)}-**`;
  if (CNPJ.test(signs)) return `**.${signs.slice(2, 5)}.${signs.slice(5, 8)}/${signs.slice(8, 12)}-**`;
  return text;
}

export type Sought =
  /** All of what a mask shows. */
  | { kind: "mask"; shown: string }
  /** The beginning of an id or of what a mask shows, or a tag. */
  | { kind: "word"; text: string; shown: string | null };

const SHOWN = /^[0-9A-Z]{2,10}$/;

/** What an addressable text looks for. */
export function readSought(text: string): Sought {
  const shown = text.replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase();
  if (text.includes("*")) return { kind: "mask", shown };
  return { kind: "word", text, shown: SHOWN.test(shown) && /\d/.test(shown) ? shown : null };
}
