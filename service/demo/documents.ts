import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { magicOutcome } from "@/service/magic-document";
import type { Dice } from "./dice";

const digits = (dice: Dice, length: number) => Array.from({ length }, () => dice.int(0, 9)).join("");

/** Invented documents with valid check digits, none given twice and none that the simulated providers treat specially. */
export type Documents = {
  cpf: () => string;
  /** With letters in the root when asked, as companies get them since July 2026. */
  cnpj: (withLetters?: boolean) => string;
  /** Ends as the simulated providers' magic documents do: `001` to `004`. */
  magicCpf: (ending: string) => string;
};

const LETTERS = "BDFHKLMNPRTVXZ".split("");

const isPlain = (document: string) => magicOutcome(document) === "approve";

export function inventDocuments(dice: Dice, taken: readonly string[] = []): Documents {
  const given = new Set(taken);
  const fresh = (make: () => string, isFit: (document: string) => boolean): string => {
    for (let attempt = 0; attempt < 1_000; attempt += 1) {
      const document = make();
      if (given.has(document) || !isFit(document)) continue;
      given.add(document);
      return document;
    }
    throw new Error("no more documents to invent");
  };
  const root = (withLetters: boolean) =>
    withLetters
      ? `${digits(dice, 2)}${dice.pick(LETTERS)}${digits(dice, 1)}${dice.pick(LETTERS)}${dice.pick(LETTERS)}${digits(dice, 2)}`
      : digits(dice, 8);
  return {
    cpf: () => fresh(() => completeCpf(digits(dice, 9)), isPlain),
    cnpj: (withLetters = false) => fresh(() => completeCnpj(`${root(withLetters)}0001`), isPlain),
    magicCpf: (ending) =>
      fresh(
        () => completeCpf(`${digits(dice, 6)}${ending}`),
        () => true,
      ),
  };
}
