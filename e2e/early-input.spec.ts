import { EventEmitter, once } from "node:events";
import type { Page } from "@playwright/test";
import { addColleague, signIn } from "./support/colleague";
import { lookUp } from "./support/look-up";
import { field } from "./support/start-form";
import { DEMO_PASSWORD, demoEmail, expect, test } from "./support/story";

/** Opens a page whose scripts stay away until the returned function is called. */
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

test("who signs in before the page's script has come is in once it has", async ({ stranger: page, say }) => {
  const release = await openBare(page, "/sign-in");
  await page.getByLabel(say("signIn.email")).fill(demoEmail("support"));
  await page.getByLabel(say("signIn.password")).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
  await expect(page.getByLabel(say("signIn.password"))).toHaveValue(DEMO_PASSWORD);
  await expect(page).toHaveURL("/sign-in");
  release();
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
});

test("a form that is sent before its script has come keeps what was typed and chosen, none of it in the address", async ({
  product,
  stranger: page,
  say,
}) => {
  await signIn(page, say, await addColleague(product, "compliance"));
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  const release = await openBare(page, "/kyc/new");
  await page.getByRole("radio", { name: say("kycStart.models.COMPLETE.name") }).check();
  await field(page, "vatNumber").fill("52998224724");
  await page.getByRole("button", { name: say("kycStart.toReview") }).click();
  release();
  await expect(field(page, "vatNumber")).toBeFocused();
  await expect(field(page, "vatNumber")).toHaveAccessibleDescription(say("fields.cpf"));
  await expect(field(page, "vatNumber")).toHaveValue(/529\.?982\.?247-?24/);
  await expect(page.getByRole("radio", { name: say("kycStart.models.COMPLETE.name") })).toBeChecked();
  expect(addresses.filter((address) => address.includes("52998224724"))).toEqual([]);
});

test("a button pressed before its script has come acts once, and a box ticked then stays ticked", async ({
  signedInAs,
  say,
}) => {
  const admin = await signedInAs("admin");
  const releaseStaff = await openBare(admin, "/staff");
  await admin.getByRole("button", { name: say("staff.invite") }).click();
  releaseStaff();
  await expect(admin.getByRole("dialog", { name: say("staff.inviteTitle") })).toBeVisible();

  const page = await signedInAs("compliance");
  const release = await openBare(page, "/kyc");
  const box = page.getByRole("checkbox", { name: say("kycQueue.selectPage") });
  await box.check();
  release();
  await expect(page.getByRole("button", { name: say("kycQueue.assign") })).toBeVisible();
  await expect(box).toBeChecked();
});

test("a form sent the moment its script takes hold of it carries what was typed before", async ({
  stranger: page,
  say,
}) => {
  const release = await openBare(page, "/sign-in");
  const email = page.getByLabel(say("signIn.email"));
  await email.fill(demoEmail("support"));
  await page.getByLabel(say("signIn.password")).fill(DEMO_PASSWORD);
  const tries: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") tries.push(new URL(request.url()).pathname);
  });
  await email.evaluate((input: HTMLInputElement) => {
    const { form } = input;
    const look = () => {
      if (form === null) return;
      const isAwake = Object.keys(form).some((key) => key.startsWith("__reactProps$"));
      if (isAwake) form.requestSubmit();
      else setTimeout(look);
    };
    look();
  });
  release();
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  expect(tries.filter((path) => path === "/api/auth/callback/credentials")).toHaveLength(1);
});

test("before its script has come, a button pressed again is pressed once, and a menu that the browser opens by itself stays open", async ({
  signedInAs,
  say,
}) => {
  const page = await signedInAs("auditor");
  const release = await openBare(page, "/audit");
  const row = page.getByRole("row").nth(1).getByRole("button").first();
  await expect(row).toHaveAttribute("aria-expanded", "false");
  await row.click();
  await row.click();
  await page.getByRole("button", { name: new RegExp(`^${say("provider.title")}`) }).click();
  const panel = page.locator("#provider-meter");
  await expect(panel).toBeVisible();
  release();
  await expect(row).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("heading", { level: 1, name: say("audit.title") })).toBeVisible();
  await expect(panel.getByText(say("provider.heading"))).toBeVisible();
});

test("a form that is sent where no script ever comes carries nothing typed in an address, and its screen answers", async ({
  browser,
  sessions,
  product,
  say,
  language,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    baseURL: product.url,
    storageState: await sessions("compliance"),
  });
  await context.addCookies([{ name: "locale", value: language, url: product.url }]);
  const page = await context.newPage();
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await lookUp(page, say, "529.982.247-25");
  await expect(page.getByRole("heading", { level: 1, name: say("accounts.title") })).toBeVisible();
  await page.goto("/kyc/new");
  await field(page, "vatNumber").fill("52998224725");
  await page.getByRole("button", { name: say("kycStart.toReview") }).click();
  await expect(page.getByRole("heading", { level: 1, name: say("kycStart.title") })).toBeVisible();
  expect(addresses.filter((address) => /529\D?982/.test(decodeURIComponent(address)))).toEqual([]);
  await context.close();
});
