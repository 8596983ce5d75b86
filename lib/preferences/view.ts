import { type Locale, LOCALES } from "@/lib/text/format";

export function readShortcuts(value: string | undefined): boolean {
  return value !== "off";
}

const DEFAULT_LOCALE: Locale = "pt-BR";

export function readLocale(value: string | undefined): Locale {
  return LOCALES.find((locale) => locale === value) ?? DEFAULT_LOCALE;
}

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** The theme a cookie names; the system's own by default. */
export function readTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? "system";
}

export type Words = { [name: string]: Words | string };

// A sentence with holes is a list once it is compiled.
export const isMany = (words: Words | string | undefined): words is Words =>
  typeof words === "object" && !Array.isArray(words);

export function joined(above: Words, own: Words): Words {
  const all = { ...above };
  for (const [name, words] of Object.entries(own)) {
    const known = above[name];
    all[name] = isMany(known) && isMany(words) ? joined(known, words) : words;
  }
  return all;
}
