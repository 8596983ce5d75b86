import { expect, type Locator, type Page } from "@playwright/test";

/** The row of a table that holds every one of these texts. */
export function rowWith(table: Locator, texts: readonly string[]): Locator {
  return texts.reduce((rows, text) => rows.filter({ hasText: text }), table.getByRole("row"));
}

/** Expects a row of the table with all these texts. */
export async function expectRow(table: Locator, texts: readonly string[]): Promise<void> {
  await expect(rowWith(table, texts)).toHaveCount(1);
}

/** The value beside a name in a list of facts. */
export function factOf(within: Page | Locator, name: string): Locator {
  return within
    .getByRole("term")
    .getByText(name, { exact: true })
    .locator("xpath=ancestor-or-self::dt/following-sibling::dd[1]");
}

/** The id at the end of a record's URL. */
export const idIn = (address: string): string => new URL(address).pathname.split("/").at(-1) ?? "";

/** A section by its heading's id. Without scripts, streamed parts are hidden but present. */
export const sectionOf = (page: Page, id: string): Locator => page.locator(`section[aria-labelledby="${id}"]`);

/** Waits until the console's own route shows what the watch must read. */
export async function untilSeen(page: Page, address: string, text: string): Promise<void> {
  await expect
    .poll(async () => (await page.request.get(address)).text(), {
      message: `${address} holds ${text}`,
      timeout: 30_000,
    })
    .toContain(text);
}

/** Every URL that this window requests from now on. */
export function addressesOf(page: Page): string[] {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  return addresses;
}

/** The target of a link that must exist. */
export async function addressOf(link: Locator): Promise<string> {
  await expect(link).toBeVisible();
  return (await link.getAttribute("href")) ?? "";
}
