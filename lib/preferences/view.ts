import { type Locale, LOCALES } from "@/lib/text/format";

/** Whether shortcuts of one key work; they do unless the person switched them off. */
export function readShortcuts(value: string | undefined): boolean {
  return value !== "off";
}

const DEFAULT_LOCALE: Locale = "pt-BR";

/** The locale a cookie names, or the default one. */
export function readLocale(value: string | undefined): Locale {
  return LOCALES.find((locale) => locale === value) ?? DEFAULT_LOCALE;
}

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** The theme a cookie names; the system's own by default. */
export function readTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? "system";
}
