import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./accessible";
import type { Language } from "./words";

export type Look = { theme: "light" | "dark"; width: number };

/**
 * Each pair of language, theme and width once. What a language's stories do they do in the first of its looks; each screen and
 * dialog is then seen in the other one, too.
 */
export const LOOKS: Readonly<Record<Language, readonly [Look, Look]>> = {
  "pt-BR": [
    { theme: "light", width: 1350 },
    { theme: "dark", width: 390 },
  ],
  en: [
    { theme: "light", width: 390 },
    { theme: "dark", width: 1350 },
  ],
};

/** Without motion: a colour on its way to another one is neither. */
export async function wear(page: Page, { theme, width }: Look) {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 940 });
}

/** Examines what is in sight in both looks of the language, and leaves it in the first. */
export async function inspect(page: Page, language: Language, what: string) {
  for (const look of LOOKS[language].toReversed()) {
    await wear(page, look);
    const seen = `${what}, ${look.theme}, ${look.width} px wide`;
    await expectAccessible(page, seen);
    await expectNoSidewaysScroll(page, seen);
  }
}

export async function open(page: Page, address: string) {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
}

export async function visit(page: Page, language: Language, address: string) {
  await open(page, address);
  await inspect(page, language, address);
}

/** Gives the window of somebody not signed in the language and the first of its looks. */
export async function dress(page: Page, language: Language, url: string) {
  await page.context().addCookies([{ name: "locale", value: language, url }]);
  await wear(page, LOOKS[language][0]);
}
