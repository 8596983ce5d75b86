import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./accessible";
import { goWithin } from "./within";
import type { Language } from "./words";

export type Look = { theme: "light" | "dark"; width: number };

/** Each pair of theme and width. What a window sees, one thing after another, it sees in these by turns, each in one. */
export const LOOKS: readonly [Look, Look, Look, Look] = [
  { theme: "light", width: 1350 },
  { theme: "dark", width: 390 },
  { theme: "light", width: 390 },
  { theme: "dark", width: 1350 },
];

const turns = new WeakMap<Page, number>();

/** Without motion: a colour on its way to another one is neither. */
export async function wear(page: Page, { theme, width }: Look) {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 940 });
}

/** Puts on the look whose turn it is in this window. */
async function change(page: Page): Promise<Look> {
  const turn = turns.get(page) ?? 0;
  turns.set(page, turn + 1);
  const look = LOOKS[turn % LOOKS.length] ?? LOOKS[0];
  await wear(page, look);
  return look;
}

async function examine(page: Page, what: string, { theme, width }: Look) {
  const seen = `${what}, ${theme}, ${width} px wide`;
  await expectAccessible(page, seen);
  await expectNoSidewaysScroll(page, seen);
}

/** Examines what is in sight, in the next look. */
export async function inspect(page: Page, what: string) {
  await examine(page, what, await change(page));
}

export async function open(page: Page, address: string) {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
}

/** Loads the address in the next look and examines it. */
export async function visit(page: Page, address: string) {
  const look = await change(page);
  await open(page, address);
  await examine(page, address, look);
}

/** Goes to each of them from where the window is, as a link does, and examines it in the next look. */
export async function follow(page: Page, addresses: readonly string[]) {
  for (const address of addresses) {
    const look = await change(page);
    await goWithin(page, address);
    await examine(page, address, look);
  }
}

/** Gives the window of somebody not signed in the language. */
export async function dress(page: Page, language: Language, url: string) {
  await page.context().addCookies([{ name: "locale", value: language, url }]);
}
