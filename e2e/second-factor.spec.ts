import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { addColleague, codeOf, enrol, goOn, signIn } from "./support/colleague";
import { callAction, nextAction } from "./support/server-action";
import { expect, test } from "./support/story";
import { wordsOf } from "./support/words";

/** The addresses of the app that a file under `app` makes; ids that stand in them are made up. */
function addressesOf(file: "route.ts" | "page.tsx"): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(file))
    .map(
      (path) =>
        `/${join(path, "..")}`.replaceAll(/\/\([a-z]+\)|\/\.$/g, "").replaceAll(/\[[^\]]+\]/g, "unknown") || "/",
    );
}

/** Open to everybody, or to who is on the way in. */
const PUBLIC = new Set([
  "/.well-known/security.txt",
  "/api/auth/unknown",
  "/api/health",
  "/api/health/live",
  "/api/health/ready",
  "/api/csp-reports",
  "/enrol",
  "/sign-in",
  "/invite",
  "/password",
]);

/** In both themes, wide and narrow. */
async function expectGoodLooks(page: Page, what: string): Promise<void> {
  const wide = page.viewportSize() ?? { width: 1350, height: 940 };
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(colorScheme === "dark" ? { width: 390, height: 844 } : wide);
    await expectAccessible(page, `${what}, ${colorScheme}`);
    await expectNoSidewaysScroll(page, what);
  }
}

test("whose role moves money gets nowhere with the password alone, and in once the app is set up", async ({
  product,
  stranger: page,
  say,
}) => {
  test.slow();
  const clara = await addColleague(product, "finance", "approver", "admin");
  await signIn(page, say, clara);
  await expect(page.getByRole("heading", { level: 1, name: say("factors.title") })).toBeVisible();
  await expect(page).toHaveURL("/enrol");
  await expectGoodLooks(page, "the enrolment");

  const screens = addressesOf("page.tsx").filter((address) => !PUBLIC.has(address));
  const routes = addressesOf("route.ts").filter((address) => !PUBLIC.has(address));
  expect(screens.length + routes.length).toBeGreaterThan(20);
  for (const address of screens) {
    const answer = await page.request.get(address, { maxRedirects: 0 });
    const isLedAway = answer.status() === 307 || (await answer.text()).includes("/sign-in");
    expect(isLedAway, `${address} leads away`).toBe(true);
  }
  for (const address of routes) {
    for (const method of ["GET", "POST"]) {
      const answer = await page.request.fetch(address, { method, headers: { origin: product.url } });
      expect([401, 403, 405], `${method} ${address}: ${answer.status()}`).toContain(answer.status());
    }
  }
  console.log(`reached with the password alone: 0 of ${screens.length} screens, 0 of ${2 * routes.length} routes`);

  const { codes } = await enrol(page, say);
  await expectGoodLooks(page, "the recovery codes");
  await expect(page.getByRole("button", { name: say("factors.goOn") })).toHaveAttribute("aria-disabled", "true");
  expect(new Set(codes).size).toBe(10);
  await goOn(page, say);
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
});

test("signing in asks for the app's code before there is a session, and takes it once", async ({
  product,
  browser,
  stranger: page,
  say,
  language,
}) => {
  test.slow();
  const clara = await addColleague(product, "finance");
  await signIn(page, say, clara);
  const { secret, first, codes } = await enrol(page, say);
  await goOn(page, say);
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

  const other = await browser.newContext({ baseURL: product.url });
  await other.addCookies([{ name: "locale", value: language, url: product.url }]);
  const second = await other.newPage();
  await signIn(second, say, clara);
  const field = second.getByLabel(say("signIn.code"));
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("autocomplete", "one-time-code");
  const names = (await other.cookies()).map(({ name }) => name);
  expect(names).toContain("retaguarda-sign-in");
  expect(names).not.toContain("retaguarda-session");
  await expectGoodLooks(second, "the second step");

  // The enrolment used this very code up.
  await field.fill(first);
  await second.keyboard.press("Enter");
  await expect(second.getByRole("alert").getByText(say("signIn.wrongCode"))).toBeVisible();
  await second.reload();
  const next = codeOf(secret, 1);
  await second.getByLabel(say("signIn.code")).fill(`${next.slice(0, 3)} ${next.slice(3)}`);
  await second.keyboard.press("Enter");
  await expect(second.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

  const third = await (await browser.newContext({ baseURL: product.url })).newPage();
  await third.context().addCookies([{ name: "locale", value: language, url: product.url }]);
  await signIn(third, say, clara);
  await third.getByRole("button", { name: say("signIn.useRecovery") }).click();
  await third.getByLabel(say("signIn.recoveryCode")).fill((codes[0] ?? "").toUpperCase());
  await third.keyboard.press("Enter");
  await expect(third.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  await third.context().close();
  await other.close();

  const printed = readFileSync(product.log, "utf8");
  for (const stored of [secret, clara.password, clara.email, ...codes]) expect(printed).not.toContain(stored);
});

test("whose role asks for no app sets one up and drops it again as they like, from a page of ours alone", async ({
  product,
  stranger: page,
  say,
}) => {
  test.slow();
  const clara = await addColleague(product, "support");
  await signIn(page, say, clara);
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  await page.goto("/security");
  await page.getByRole("button", { name: say("factors.setUp") }).click();
  const started = nextAction(page);
  await enrol(page, say);
  await goOn(page, say);
  await expect(page.getByText(say("factors.codesLeft", { count: 10 }))).toBeVisible();
  // The same from a page of another site does nothing.
  expect((await callAction(page, await started, "https://evil.example")).status()).toBeGreaterThanOrEqual(400);

  await page.getByRole("button", { name: say("factors.disable") }).click();
  const dialog = page.getByRole("dialog", { name: say("factors.disableTitle") });
  await dialog.getByRole("button", { name: say("factors.disable") }).click();
  await expect(page.getByRole("button", { name: say("factors.setUp") })).toBeVisible();
  await expectGoodLooks(page, "one's security");
});

test("a changed password opens the desk and ends other sessions; the old one opens nothing", async ({
  product,
  browser,
  stranger: page,
  say,
}) => {
  test.slow();
  const clara = await addColleague(product, "support");
  await signIn(page, say, clara);
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  const elsewhere = await (await browser.newContext({ baseURL: product.url })).newPage();
  await elsewhere.context().addCookies([{ name: "locale", value: "pt-BR", url: product.url }]);
  await signIn(elsewhere, wordsOf("pt-BR"), clara);
  await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText(wordsOf("pt-BR")("home.title"));

  await page.goto("/security");
  await page.getByRole("button", { name: say("factors.changePassword") }).click();
  const dialog = page.getByRole("dialog", { name: say("factors.changePassword") });
  const change = async (current: string, next: string) => {
    await dialog.getByLabel(say("factors.current")).fill(current);
    await dialog.getByLabel(say("factors.next")).fill(next);
    await dialog.getByRole("button", { name: say("factors.changePassword") }).click();
  };
  await change(clara.password, "Password1234!");
  await expect(dialog.getByText(say("factors.password-common"))).toBeVisible();
  await change("not the password", "outra frase só minha");
  await expect(dialog.getByText(say("factors.wrong"))).toBeVisible();
  await expectAccessible(page, "the refused change");
  await change(clara.password, "outra frase só minha");
  await expect(page.getByText(say("factors.changed"))).toBeVisible();
  expect((await elsewhere.request.get("/api/scope")).status()).toBe(401);
  expect((await page.request.get("/api/scope")).status()).toBe(200);
  await elsewhere.context().close();

  await page.context().clearCookies({ name: "retaguarda-session" });
  await signIn(page, say, clara);
  await expect(page.getByRole("alert").getByText(say("signIn.wrong"))).toBeVisible();
  await signIn(page, say, { ...clara, password: "outra frase só minha" });
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
});
