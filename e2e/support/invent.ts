import { randomInt } from "node:crypto";
import { completeCnpj, completeCpf, maskDocument } from "@/lib/contract/document";
import { note } from "./canary";

const SPECIAL = /00[1-4]$/;

/** A document of nobody: as the provider takes it, as people type it and as every screen shows it. */
export type Invented = { digits: string; typed: string; masked: string };

function randomDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join("");
}

/** Nobody's, and so nobody else's: wherever it turns up later, it came from this story. */
function invented(digits: string, typed: string): Invented {
  note("document", digits, typed);
  return { digits, typed, masked: maskDocument(digits) };
}

/** `ending`: one that the simulated providers treat specially; without it, one that they do not. */
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
