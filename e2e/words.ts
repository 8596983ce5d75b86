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

/** Reais as people read them in a language: `R$ 1.234,56`. */
export function reais(decimal: `${number}`, language: Language): string {
  return new Intl.NumberFormat(language, { style: "currency", currency: "BRL" }).format(decimal);
}
