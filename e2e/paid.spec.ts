import type { Page } from "@playwright/test";
import { inspect } from "./support/looks";
import type { Provider } from "./support/provider";
import { sectionOf, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const check = (page: Page, say: Words) => page.getByRole("button", { name: say("paid.submit"), exact: true });

/** A checkout address with its reference, as another system made it. */
async function named(page: Page, { provider, say, reference }: { provider: Provider; say: Words; reference: string }) {
  const { address } = await provider.createCheckout("EVM");
  await untilSeen(page, "/api/wallets?network=EVM", address);
  await page.goto("/wallets/addresses");
  await page.getByRole("button", { name: say("walletForm.import.button") }).click();
  const dialog = page.getByRole("dialog");
  const csv = Buffer.from(`${address};${reference}`);
  await dialog.locator("input[type=file]").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: csv });
  await dialog.getByRole("button", { name: say("walletForm.import.submit") }).click();
  await expect(dialog.getByRole("cell", { name: say("walletForm.import.outcomes.saved") })).toBeVisible();
  return address;
}

test.describe("in pt-BR", () => {
  test.use({ language: "pt-BR" });

  test("support answers a customer who says that an order was paid", async ({ signedInAs, provider, say }) => {
    test.slow();
    const address = await named(await signedInAs("finance"), { provider, say, reference: "pedido-31001" });
    const page = await signedInAs("support");
    await page.goto("/");
    await page.getByRole("link", { name: say("paid.title"), exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: say("paid.title") })).toBeVisible();
    const field = page.getByLabel(say("paid.label"));
    await check(page, say).click();
    await expect(page.getByText(say("paid.first"))).toBeVisible();
    await field.fill("0x12ab");
    await check(page, say).click();
    await expect(page.getByText(say("fields.not-whole"))).toBeVisible();
    await expect(field).toHaveValue("0x12ab");
    await inspect(page, "the question with its field marked");

    await field.fill("olá, paguei o pedido-31001");
    await check(page, say).click();
    const answer = sectionOf(page, "answer");
    await expect(answer.getByText(say("paid.next.not-seen"))).toBeVisible();
    await inspect(page, "nothing seen on any network");

    await provider.deposit({ network: "POLYGON", address, amount: "1.25" });
    await expect(async () => {
      await answer.getByRole("button", { name: say("paid.again") }).click();
      await expect(answer.getByRole("heading", { name: /^Sim: 1,25 .+ na rede Polygon/ })).toBeVisible();
    }).toPass({ timeout: 60_000 });
    const found = page.getByRole("table", { name: say("paid.deposits") });
    await expect(found).toContainText("pedido-31001");
    await expect(found.getByRole("link").filter({ hasText: "1,25" })).toHaveCount(0);
    await inspect(page, "a payment that arrived");
  });
});

test.describe("in en", () => {
  test.use({ language: "en" });

  test("finance asks from the search what a customer paid, and opens the deposit", async ({
    signedInAs,
    provider,
    say,
  }) => {
    test.slow();
    const page = await signedInAs("finance");
    const address = await named(page, { provider, say, reference: "pedido-31002" });
    await provider.deposit({ network: "BSC", address, amount: "2.5" });
    await page.goto("/");
    await page
      .getByRole("button", { name: say("search.button") })
      .first()
      .click();
    await page.getByRole("combobox").fill(address.toUpperCase().replace("0X", "0x"));
    await page.getByRole("option", { name: say("search.askPaid") }).click();
    await expect(page).toHaveURL(/\/paid\?asked=/);
    await check(page, say).click();
    const answer = sectionOf(page, "answer");
    await expect(answer.getByRole("heading")).toContainText("2.5");
    await expect(answer.getByRole("heading")).toContainText("BNB Chain");
    await page
      .getByRole("table", { name: say("paid.deposits") })
      .getByRole("link")
      .first()
      .click();
    await page.waitForURL(/\/deposits\/[\da-f-]{36}$/);
    await expect(page.getByRole("heading", { level: 1, name: "pedido-31002" })).toBeVisible();
  });
});
