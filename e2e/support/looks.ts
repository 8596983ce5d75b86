import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./accessible";
import type { Language } from "./words";

type Look = { theme: "light" | "dark"; width: number };

/** Each pair of theme and width. A window goes through them in turn, one for each thing it shows. */
export const LOOKS: readonly [Look, Look, Look, Look] = [
  { theme: "light", width: 1350 },
  { theme: "dark", width: 390 },
  { theme: "light", width: 390 },
  { theme: "dark", width: 1350 },
];

/** Follows a link within the page, without a reload, and waits for the screen. */
async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    // A list with only new filters keeps its title.
    if (new URL(to, location.href).pathname !== location.pathname)
      document.querySelector("main h1")?.setAttribute("data-left", "");
    const router: unknown = Reflect.get(Object(Reflect.get(window, "next")), "router");
    const push: unknown = Reflect.get(Object(router), "push");
    if (typeof push !== "function") throw new Error("the page has no router");
    Reflect.apply(push, undefined, [to]);
  }, path);
  const { pathname, search } = new URL(path, page.url());
  const there = decodeURIComponent(pathname);
  await page.waitForURL((at) => decodeURIComponent(at.pathname) === there && at.search === search, { timeout: 60_000 });
  await expect(page.locator("main h1:not([data-left])").first()).toBeAttached({ timeout: 60_000 });
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0, { timeout: 60_000 });
}

const turns = new WeakMap<Page, number>();

/** Without motion, as colours in transition are transient. */
export async function wear(page: Page, { theme, width }: Look) {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 940 });
}

/** Switches the window to its next look. */
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

/** Examines what is visible, in the next look. */
export async function inspect(page: Page, what: string) {
  await examine(page, what, await change(page));
}

export async function open(page: Page, address: string) {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
}

/** Loads the URL in the next look and examines it. */
export async function visit(page: Page, address: string) {
  const look = await change(page);
  await open(page, address);
  await examine(page, address, look);
}

/** Follows links to each of them and examines each in the next look. */
export async function follow(page: Page, addresses: readonly string[]) {
  for (const address of addresses) {
    const look = await change(page);
    await goWithin(page, address);
    await examine(page, address, look);
  }
}

/** Sets the language for a window without a session. */
export async function dress(page: Page, language: Language, url: string) {
  await page.context().addCookies([{ name: "locale", value: language, url }]);
}
