import type { Page } from "@playwright/test";
import type { Words } from "./words";

/** Looks a customer up on the accounts screen as a person does. */
export async function lookUp(page: Page, say: Words, query: string): Promise<void> {
  await page.goto("/accounts");
  await page.getByLabel(say("accounts.lookUpLabel")).fill(query);
  await page.getByRole("button", { name: say("accounts.lookUp") }).click();
}
