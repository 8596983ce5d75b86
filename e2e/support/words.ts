import { basename } from "node:path";
import { createTranslator } from "next-intl";
import en from "@/messages/en.json" with { type: "json" };
import ptBR from "@/messages/pt-BR.json" with { type: "json" };

export const LANGUAGES = ["pt-BR", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

const MESSAGES = { "pt-BR": ptBR, en };

/** The product's own messages, in which stories look their texts up. */
export const wordsOf = (language: Language) =>
  createTranslator({ locale: language, messages: MESSAGES[language], timeZone: "America/Sao_Paulo" });

export type Words = ReturnType<typeof wordsOf>;

const asked = LANGUAGES.find((language) => language === process.env["E2E_LANGUAGE"]);

/** The language of a file's stories: E2E_LANGUAGE, or else alternating, so that both are used. */
export const languageOf = (file: string): Language =>
  asked ?? (basename(file, ".spec.ts").length % 2 === 0 ? "en" : "pt-BR");

/** Reais as people read them in a language: `R$ 1.234,56`. */
export function reais(decimal: `${number}`, language: Language): string {
  return new Intl.NumberFormat(language, { style: "currency", currency: "BRL" }).format(decimal);
}
