import { expect, type Locator, type Page } from "@playwright/test";

/** The row of a table that holds every one of these texts. */
export function rowWith(table: Locator, texts: readonly string[]): Locator {
  return texts.reduce((rows, text) => rows.filter({ hasText: text }), table.getByRole("row"));
}

/** Sees that one row of the table holds all these texts. */
export async function expectRow(table: Locator, texts: readonly string[]): Promise<void> {
  await expect(rowWith(table, texts)).toHaveCount(1);
}

/** The value beside a name in a list of facts. */
export function factOf(within: Page | Locator, name: string): Locator {
  return within.getByRole("term").getByText(name, { exact: true }).locator("..").getByRole("definition");
}

/** The id at the end of a record's address. */
export const idIn = (address: string): string => new URL(address).pathname.split("/").at(-1) ?? "";

/** A section by its heading's id. In a window without scripts what the server sent late stays out of sight, but is there. */
export const sectionOf = (page: Page, id: string): Locator => page.locator(`section[aria-labelledby="${id}"]`);

/** Waits until the watch has brought what the console's own route must hold. */
export async function untilSeen(page: Page, address: string, text: string): Promise<void> {
  await expect
    .poll(async () => (await page.request.get(address)).text(), {
      message: `${address} holds ${text}`,
      timeout: 30_000,
    })
    .toContain(text);
}

/** Every address this window asks for from now on. */
export function addressesOf(page: Page): string[] {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  return addresses;
}

/** Where a link leads that must be there. */
export async function addressOf(link: Locator): Promise<string> {
  await expect(link).toBeVisible();
  return (await link.getAttribute("href")) ?? "";
}
