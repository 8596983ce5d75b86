import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

type Violation = { id: string; help: string; where: string[] };

/** The rules are more than a megabyte: a page that is looked at several times gets them once. */
async function violationsOn(page: Page): Promise<Violation[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (tags) => {
    // A colour on its way to another one is neither; what turns while something is awaited never ends.
    const ending = document
      .getAnimations()
      .filter(
        ({ effect, timeline }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
      );
    await Promise.allSettled(ending.map(({ finished }) => finished));
    if (window.axe === undefined) throw new Error("the page went away while its rules came");
    // Of what is well, nothing is gathered: that took longer than the rules themselves.
    const found = await window.axe.run({
      runOnly: tags,
      rules: { "label-content-name-mismatch": { enabled: true } },
      resultTypes: ["violations"],
      selectors: false,
    });
    return found.violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
  }, RULES);
}

export async function expectAccessible(page: Page, what: string) {
  // After a soft navigation the title follows what it is the title of.
  await expect(page).toHaveTitle(/\S/);
  // No screen has a frame: the rules are asked of this window alone.
  await expect(page.locator("iframe, frame")).toHaveCount(0);
  expect.soft(await violationsOn(page), what).toEqual([]);
}

/** Nothing is cut off sideways: the window itself never scrolls. */
export async function expectNoSidewaysScroll(page: Page, what: string) {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(overflowPx, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
}
