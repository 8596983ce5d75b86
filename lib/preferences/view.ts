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
