import { basename } from "node:path";
import { createTranslator } from "next-intl";
import en from "@/messages/en.json" with { type: "json" };
import ptBR from "@/messages/pt-BR.json" with { type: "json" };

export const LANGUAGES = ["pt-BR", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

const MESSAGES = { "pt-BR": ptBR, en };

/** What the screens say in a language: stories look their texts up where the product does. */
export const wordsOf = (language: Language) =>
  createTranslator({ locale: language, messages: MESSAGES[language], timeZone: "America/Sao_Paulo" });

export type Words = ReturnType<typeof wordsOf>;

const asked = LANGUAGES.find((language) => language === process.env["E2E_LANGUAGE"]);

/** What a file's stories are told in: as E2E_LANGUAGE says, or else by turns, so that neither language is seldom read. */
export const languageOf = (file: string): Language =>
  asked ?? (basename(file, ".spec.ts").length % 2 === 0 ? "en" : "pt-BR");

/** Reais as people read them in a language: `R$ 1.234,56`. */
export function reais(decimal: `${number}`, language: Language): string {
  return new Intl.NumberFormat(language, { style: "currency", currency: "BRL" }).format(decimal);
}
