import type { Locale } from "@/lib/text/format";
import { findPages, type HelpPage, pagesIn } from "./pages";
import { isHelpName } from "./view";

export function listHelp(locale: Locale, text: string): readonly HelpPage[] {
  return text.trim() === "" ? pagesIn(locale) : findPages(locale, text);
}

export function getHelp(locale: Locale, name: string): HelpPage | null {
  if (!isHelpName(name)) return null;
  return pagesIn(locale).find((page) => page.name === name) ?? null;
}
