import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openColleagueSession } from "./support/colleague";
import { inspect } from "./support/looks";
import { askReal, listen } from "./support/other-provider";
import { STEADY } from "./support/pace";
import { startProduct } from "./support/product";
import { rowWith } from "./support/sight";
import { expect, providerOf, test } from "./support/story";

test.use({ language: "en", ownProduct: { SERVICE_DEMO_DATA: "false" } });

test("an administrator lets the provider fall silent, sees it, and ends it", async ({ signedInAs, askingAs, say }) => {
  test.slow();
  const page = await signedInAs("admin");
  await page.goto("/");
  await page
    .getByRole("navigation")
    .getByRole("link", { name: say("lab.title"), exact: true })
    .click();
  await expect(page.getByText(say("lab.nothing"))).toBeVisible();
  await inspect(page, "the lab with nothing in force");
  const name = say("lab.scenario.fall-silent.name");
  const scenario = page.getByRole("form", { name });

  await test.step("a wrong field is named, and what was typed stays", async () => {
    await scenario.getByLabel(say("lab.fields.seconds")).fill("0");
    await scenario.getByRole("button", { name }).click();
    await expect(scenario.getByLabel(say("lab.fields.seconds"))).toHaveAccessibleDescription(
      new RegExp(say("fields.lab-seconds")),
    );
    await expect(scenario.getByLabel(say("lab.fields.seconds"))).toHaveValue("0");
    await inspect(page, "a wrong field of the lab");
  });

  await test.step("it is in force until it is ended", async () => {
    await scenario.getByLabel(say("lab.fields.seconds")).fill("600");
    await scenario.getByRole("button", { name }).click();
    const end = page.getByRole("button", { name: say("lab.endNamed", { name }) });
    await expect(end).toBeVisible();
    await inspect(page, "a silent provider in the lab");
    await end.click();
    await expect(page.getByText(say("lab.nothing"))).toBeVisible();
  });

  await test.step("both are on record, and no other role finds the lab", async () => {
    await page.goto("/audit");
    const record = page.getByRole("table", { name: say("audit.title") });
    await expect(rowWith(record, [say("audit.codes.lab.play")])).toHaveCount(2);
    const support = await askingAs("support");
    expect(await (await support.get("/lab")).text()).not.toContain(say("lab.scenarios"));
  });
});

test("no lab exists at another provider, whatever is set @long", async ({ browser, product, say }) => {
  test.slow();
  const { clientId, clientSecret } = providerOf(product);
  const front = await listen(async (request) => {
    const url = new URL(request.url);
    const { text, ...real } = await askReal(product.serviceUrl, request, url, await request.text());
    return new Response(text || null, real);
  });
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-no-lab-"));
  const file = join(folder, "tenants.json");
  const tenant = { name: "Aurora", environment: "SANDBOX", baseUrl: front.origin, clientId, clientSecret };
  writeFileSync(file, JSON.stringify([tenant]), { mode: 0o600 });
  const token = { SERVICE_CONTROL_TOKEN: product.controlToken, SERVICE_DEMO_DATA: "true" };
  const own = await startProduct({ ...STEADY, ...token, TENANTS_FILE: file, SECOND_FACTOR_FOR: "critical-roles" });
  const storageState = await openColleagueSession(browser, own, "admin");
  const context = await browser.newContext({ baseURL: own.url, storageState });
  const page = await context.newPage();
  const answer = await page.goto("/lab");
  expect(answer?.status()).toBe(404);
  await page.goto("/");
  await expect(page.getByRole("navigation").getByRole("link", { name: say("lab.title"), exact: true })).toHaveCount(0);
  await context.close();
  await own.stop();
  await front.stop();
  rmSync(folder, { recursive: true });
});
