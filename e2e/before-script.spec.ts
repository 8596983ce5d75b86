import { EventEmitter, once } from "node:events";
import type { Browser, Page } from "@playwright/test";
import { addColleague, enrol, goOn, signIn } from "./support/colleague";
import { inventCpf } from "./support/invent";
import { addressesOf, untilSeen } from "./support/sight";
import { field } from "./support/start-form";
import { DEMO_PASSWORD, demoEmail, expect, test } from "./support/story";
import type { Words } from "./support/words";

/** Opens a page whose scripts wait until the returned function is called. */
async function openBare(page: Page, address: string): Promise<() => void> {
  const scripts = new EventEmitter();
  const released = once(scripts, "released");
  await page.route("**/_next/static/**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "commit" });
  return () => void scripts.emit("released");
}

async function typeSignIn(page: Page, say: Words, password: string): Promise<void> {
  await page.getByLabel(say("signIn.email")).fill(demoEmail("support"));
  await page.getByLabel(say("signIn.password")).fill(password);
  await page.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
}

const withoutScript = async (browser: Browser, baseURL: string) =>
  (await browser.newContext({ javaScriptEnabled: false, baseURL })).newPage();

test("a form sent before its script keeps its text and leaks none into the address", async ({
  product,
  stranger: page,
  say,
}) => {
  await signIn(page, say, await addColleague(product, "compliance"));
  await enrol(page, say);
  await goOn(page, say);
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  const addresses = addressesOf(page);
  const release = await openBare(page, "/kyc/new");
  const complete = page.getByRole("radio", { name: say("kycStart.models.COMPLETE.name") });
  await complete.check();
  await field(page, "vatNumber").fill("52998224724");
  const sent = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.getByRole("button", { name: say("kycStart.toReview") }).click();
  expect((await sent).status()).toBe(204);
  await expect(field(page, "vatNumber")).toHaveValue("52998224724");
  release();
  await expect(async () => {
    await page.getByRole("button", { name: say("kycStart.toReview") }).click();
    await expect(field(page, "vatNumber")).toHaveAccessibleDescription(say("fields.cpf"), { timeout: 1_000 });
  }).toPass();
  await expect(field(page, "vatNumber")).toHaveValue(/529\.?982\.?247-?24/);
  await expect(complete).toBeChecked();
  expect(addresses.filter((address) => /529\D?982/.test(decodeURIComponent(address)))).toEqual([]);
});

test("sign-in works without a script and leads to the requested screen", async ({ browser, product, say }) => {
  const page = await withoutScript(browser, product.url);
  const addresses = addressesOf(page);
  await page.goto("/audit");
  await typeSignIn(page, say, "not the password");
  await expect(page.getByRole("alert")).toHaveText(say("signIn.wrong"));
  await typeSignIn(page, say, DEMO_PASSWORD);
  await expect(page).toHaveURL("/audit");
  await expect(page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) })).toBeVisible();
  await page.goto("/transfers");
  await page.getByRole("combobox", { name: say("common.period.label") }).selectOption("yesterday");
  await page.getByRole("button", { name: say("transfers.apply"), exact: true }).click();
  await expect(page).toHaveURL(/period=yesterday/);
  await expect(page.getByRole("combobox", { name: say("common.period.label") })).toHaveValue("yesterday");
  expect(addresses.filter((address) => address.includes(encodeURIComponent(DEMO_PASSWORD)))).toEqual([]);
  await page.context().close();
});

test("a sign-in typed before its script loads is sent by the script", async ({ stranger: page, say }) => {
  const release = await openBare(page, "/sign-in");
  const email = page.getByLabel(say("signIn.email"));
  const password = page.getByLabel(say("signIn.password"));
  await email.fill(demoEmail("support"));
  await password.fill(DEMO_PASSWORD);
  await password.blur();
  release();
  // The script focuses the field when it starts.
  await expect(email).toBeFocused();
  const asked = page.waitForRequest("**/api/auth/csrf");
  await page.keyboard.press("Enter");
  await asked;
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
});

test("a click before the script comes takes effect once it is there", async ({ signedInAs, say }) => {
  const page = await signedInAs("support");
  const release = await openBare(page, "/accounts");
  await page.getByRole("button", { name: say("search.title"), exact: true }).click();
  release();
  await expect(page.getByRole("dialog", { name: say("search.title") })).toBeVisible();
});

test("a form filled in before the script comes keeps every text and choice", async ({ signedInAs, say }) => {
  const page = await signedInAs("admin");
  const release = await openBare(page, "/settings/kyc");
  const words = page.getByRole("textbox", { name: say("caseRules.words") });
  const reasons = [1, 2].map((n) => page.getByRole("textbox", { name: say("caseRules.reason", { n }) }).first());
  const clock = page.getByRole("combobox", { name: say("caseRules.slaClock") });
  const person = page
    .getByRole("combobox")
    .filter({ hasText: say("caseRules.scopes.PJ") })
    .first();
  await expect(words).not.toHaveValue("");
  await words.fill("bloqueado\nsigiloso");
  for (const [n, reason] of reasons.entries()) await reason.fill(`Outro motivo ${n}`);
  await clock.selectOption("business");
  await person.selectOption("PJ");
  release();
  await expect(page.getByText(say("settings.changed"))).toBeVisible();
  await expect(words).toHaveValue("bloqueado\nsigiloso");
  for (const [n, reason] of reasons.entries()) await expect(reason).toHaveValue(`Outro motivo ${n}`);
  await expect(clock).toHaveValue("business");
  await expect(person).toHaveValue("PJ");
});

test("a text left in a list's search before the script comes is sought", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  const release = await openBare(page, "/kyc");
  const search = page.getByRole("searchbox", { name: say("kycQueue.search") });
  await search.fill(cpf.typed);
  await search.blur();
  release();
  await expect(page.getByText(say("kycQueue.sameDocument", { document: cpf.masked }))).toBeVisible();
});

test("a page scrolled before the script comes stays where it is", async ({ signedInAs, provider, say }) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.setViewportSize({ width: 1280, height: 500 });
  const release = await openBare(page, `/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("suspicions.raise.button") }).scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(0);
  release();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(place);
});
