import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

type Violation = { id: string; help: string; where: string[] };

const SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The rules are more than half a megabyte, so a page gets them once. */
async function violationsOn(page: Page): Promise<Violation[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
  return page.evaluate(async (tags) => {
    // Waits for transitions, whose colours are transient; endless animations are skipped.
    const ending = document
      .getAnimations()
      .filter(
        ({ effect, timeline }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
      );
    await Promise.allSettled(ending.map(({ finished }) => finished));
    if (window.axe === undefined) throw new Error("the page went away while its rules came");
    // Passing checks are not collected, which took longer than the rules themselves.
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
  // After a soft navigation the title changes last.
  await expect(page).toHaveTitle(/\S/);
  // No screen has a frame, so only this window is checked.
  await expect(page.locator("iframe, frame")).toHaveCount(0);
  expect.soft(await violationsOn(page), what).toEqual([]);
}

/** The window never scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page, what: string) {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(overflowPx, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
}
