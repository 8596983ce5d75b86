import { expect, type Locator, type Page } from "@playwright/test";
import type { Words } from "./words";

/** Presses Ctrl K until it is heard: keys work only after hydration. */
export async function openSearch(page: Page, say: Words): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name: say("search.title") });
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  return dialog;
}
