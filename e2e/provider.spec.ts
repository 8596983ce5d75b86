import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { z } from "zod";
import { openColleagueSession } from "./support/colleague";
import { inventCpf } from "./support/invent";
import { inspect } from "./support/looks";
import { askReal, listen } from "./support/other-provider";
import { STEADY } from "./support/pace";
import { startProduct } from "./support/product";
import { factOf, rowWith } from "./support/sight";
import { expect, providerOf, test } from "./support/story";
import type { Words } from "./support/words";

const Wallets = z.looseObject({ data: z.array(z.looseObject({ coin: z.unknown(), id: z.string() })) });

/** Renames a field of a wallet, retypes another one and adds a third. */
function changed(text: string): string {
  const { data, ...rest } = Wallets.parse(JSON.parse(text));
  return JSON.stringify({ ...rest, data: data.map(({ coin, ...one }) => ({ ...one, moeda: coin, createdAt: 7 })) });
}

type Changed = { url: string; session: Awaited<ReturnType<typeof openColleagueSession>> };

/** A console whose provider has changed the list of wallets. */
const changedTest = test.extend<object, { changedProvider: Changed }>({
  changedProvider: [
    async ({ product, browser }, use) => {
      await providerOf(product).createWallet("EVM");
      const front = await listen(async (request) => {
        const url = new URL(request.url);
        const { text, ...real } = await askReal(product.serviceUrl, request, url, await request.text());
        const isList = url.pathname === "/v1/crypto/wallets" && request.method === "GET" && real.status === 200;
        return new Response((isList ? changed(text) : text) || null, real);
      });
      const folder = mkdtempSync(join(tmpdir(), "retaguarda-changed-"));
      const file = join(folder, "tenants.json");
      const { clientId, clientSecret } = providerOf(product);
      const tenant = { name: "Aurora", environment: "SANDBOX", baseUrl: front.origin, clientId, clientSecret };
      writeFileSync(file, JSON.stringify([tenant]), { mode: 0o600 });
      const own = await startProduct({ ...STEADY, TENANTS_FILE: file, SECOND_FACTOR_FOR: "critical-roles" });
      const session = await openColleagueSession(browser, own, "support", "auditor");
      await use({ url: own.url, session });
      await own.stop();
      await front.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: "worker", timeout: 240_000 },
  ],
});

const OPERATION = "GET /v1/crypto/wallets";

changedTest(
  "an auditor sees which fields the provider changed, and in how many answers",
  { tag: "@long" },
  async ({ browser, changedProvider, language, say }) => {
    test.slow();
    const context = await browser.newContext({ baseURL: changedProvider.url, storageState: changedProvider.session });
    await context.addCookies([{ name: "locale", value: language, url: changedProvider.url }]);
    const page = await context.newPage();
    const table = page.getByRole("table", { name: say("conformance.table") });
    await expect(async () => {
      await page.goto("/provider");
      await expect(rowWith(table, ["data[].coin", OPERATION])).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(rowWith(table, ["data[].coin"])).toContainText(say("conformance.kinds.MISSING"));
    await expect(rowWith(table, ["data[].moeda"])).toContainText(say("conformance.kinds.UNKNOWN"));
    await expect(rowWith(table, ["data[].createdAt"])).toContainText(say("conformance.kinds.RETYPED"));
    await inspect(page, "what the provider changed");
    await rowWith(table, ["data[].coin"]).getByRole("button").click();
    await expect(page.getByRole("region", { name: say("conformance.byDay") })).toBeVisible();
    await inspect(page, "the days of a change");

    await expect(page.getByRole("link", { name: say("explorer.title") })).toHaveCount(0);
    await page.goto("/provider/explorer");
    await expect(page.getByText(say("absent.forbiddenTitle"))).toBeVisible();
    await context.close();
  },
);

/** Fills in the explorer's form and asks. */
async function ask(page: Page, say: Words, operation: string, values: Record<string, string>) {
  await page.getByLabel(say("explorer.operation"), { exact: true }).selectOption(operation);
  for (const [name, value] of Object.entries(values)) await page.getByLabel(name, { exact: true }).fill(value);
  await page.getByRole("button", { name: say("explorer.send"), exact: true }).click();
}

test("an administrator asks in the explorer, and sees how the answer compares", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const cpf = inventCpf();
  const { accountId } = await provider.openAccount(cpf.digits);
  const page = await signedInAs("admin");
  const balance = "GET /v1/bank-accounts/balance";

  await test.step("nothing asked, and what is missing stands at its field", async () => {
    await page.goto("/provider");
    await page.getByRole("link", { name: say("conformance.tabs.explorer") }).click();
    await page.waitForURL("/provider/explorer");
    await expect(page.getByText(say("explorer.nothing"))).toBeVisible();
    await inspect(page, "the explorer before a question");
    await ask(page, say, balance, { documentNumber: "111" });
    await expect(page.getByLabel("accountId", { exact: true })).toHaveAccessibleDescription(say("fields.required"));
    await expect(page.getByLabel("documentNumber", { exact: true })).toHaveValue("111");
    await inspect(page, "wrong fields of the explorer");
  });

  await test.step("the answer is masked, timed, compared and repeatable without secrets", async () => {
    await ask(page, say, balance, { accountId, documentNumber: cpf.typed });
    await expect(page.getByText(say("explorer.sound"))).toBeVisible();
    await expect(page.getByText(cpf.digits)).toHaveCount(0);
    const curl = page.locator("pre");
    await expect(curl).toContainText("documentNumber=$DOCUMENT");
    await expect(curl).toContainText("$ACCESS_TOKEN");
    expect(page.url()).not.toContain(accountId);
    await inspect(page, "an explored answer");
  });

  await test.step("a refusal says what the provider said, and is in the log of calls", async () => {
    await ask(page, say, "GET /v1/bank-accounts/checkOnboarding", { onBoardingId: "nobody-7" });
    await expect(page.getByText(say("explorer.refused"))).toBeVisible();
    await inspect(page, "an explored refusal");
    await page.getByRole("link", { name: say("explorer.seeCall") }).click();
    await page.waitForURL(/\/calls\?search=/);
    const row = rowWith(page.getByRole("table", { name: say("calls.title") }), ["checkOnboarding", "404"]).first();
    await row.getByRole("button").click();
    await expect(factOf(page, say("calls.laneName"))).toHaveText(say("calls.lanes.people"));
  });

  await test.step("the provider's optional parts are told with when they were last told", async () => {
    await page.goto("/provider/capabilities");
    const table = page.getByRole("table", { name: say("conformance.capabilities.table") });
    await expect(rowWith(table, [say("conformance.capabilities.parts.fee")])).toBeVisible();
    await inspect(page, "what the provider tells");
    await page.goto("/provider");
    await expect(page.getByText(say("conformance.soundTitle"))).toBeVisible();
    await inspect(page, "a provider without differences");
  });
});
