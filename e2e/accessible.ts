import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export async function expectAccessible(page: Page, what: string) {
  // After a soft navigation the title follows what it is the title of.
  await expect(page).toHaveTitle(/\S/);
  // No screen has a frame: without them the rules need no second window to bring together what each frame says.
  await expect(page.locator("iframe, frame")).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode().analyze();
  const told = violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
  expect.soft(told, what).toEqual([]);
}

/** Nothing is cut off sideways: the window itself never scrolls. */
export async function expectNoSidewaysScroll(page: Page, what: string) {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(overflowPx, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
}
