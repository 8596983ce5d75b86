import { LOCALES, type Locale } from "@/lib/text/format";

const DEFAULT_LOCALE: Locale = "pt-BR";

/** The locale a cookie names, or the default one. */
export function readLocale(value: string | undefined): Locale {
  return LOCALES.find((locale) => locale === value) ?? DEFAULT_LOCALE;
}
