import { randomInt } from "node:crypto";
import { completeCnpj, completeCpf, maskDocument } from "@/lib/contract/document";
import { note } from "./canary";

const SPECIAL = /00[1-4]$/;

/** An invented document: as sent, as typed and as shown masked. */
export type Invented = { digits: string; typed: string; masked: string };

function randomDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join("");
}

/** Used by this story only, so any later appearance came from it. */
function invented(digits: string, typed: string): Invented {
  note("document", digits, typed);
  return { digits, typed, masked: maskDocument(digits) };
}

/** `ending`: one that the simulated provider treats specially; by default none. */
export function inventCpf(ending?: "001" | "002" | "003" | "004"): Invented {
  const base = `${randomDigits(6)}${ending ?? randomDigits(3)}`;
  if (ending === undefined && SPECIAL.test(base)) return inventCpf();
  const digits = completeCpf(base);
  return invented(digits, digits.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4"));
}

export function inventCnpj(): Invented {
  const root = randomDigits(8);
  if (SPECIAL.test(root)) return inventCnpj();
  const digits = completeCnpj(`${root}0001`);
  return invented(digits, digits.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5"));
}
