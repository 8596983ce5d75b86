import type { Page } from "@playwright/test";
import { all, readPage, textOf } from "./support/markup";
import { DEMO_PASSWORD, demoEmail, expect, openSession, type Role, ROLES, test } from "./support/story";
import type { Words } from "./support/words";

const SCREENS = ["/", "/kyc", "/kyc/some-case", "/onboarding", "/accounts", "/wallets", "/webhooks", "/security"];

async function signInWith(page: Page, say: Words, role: Role): Promise<void> {
  await page.getByLabel(say("signIn.email")).fill(demoEmail(role));
  await page.getByLabel(say("signIn.password")).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
}

test("the sign-in screen offers the demo's people, and each signs in with their role", async ({
  stranger,
  askingAs,
  say,
}) => {
  await stranger.goto("/sign-in");
  const account = stranger.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) });
  const demo = stranger.getByRole("region", { name: say("signIn.demoTitle") });
  // One of each role, and a second administrator.
  await expect(demo.getByRole("button")).toHaveCount(ROLES.length + 1);
  await demo.getByRole("button", { name: say("signIn.fill", { role: say("roles.finance") }) }).click();
  await expect(stranger.getByLabel(say("signIn.email"))).toHaveValue(demoEmail("finance"));
  await stranger.keyboard.press("Enter");
  await expect(stranger.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  await expect(account).toHaveAccessibleName(new RegExp(`${say("roles.finance")}$`));

  for (const role of ROLES) {
    const home = await readPage(await askingAs(role), "/");
    expect(all(home, "h1").map(textOf)).toEqual([say("home.title")]);
    const named = all(home, "button").map(textOf);
    expect(named.filter((text) => text.includes(`${say("shell.account")}: `))).toEqual([
      expect.stringMatching(new RegExp(`${say(`roles.${role}`)}$`)),
    ]);
  }
});

test("a wrong password and an unknown e-mail get the same message; the e-mail stays", async ({ stranger, say }) => {
  await stranger.goto("/sign-in");
  const email = stranger.getByLabel(say("signIn.email"));
  const password = stranger.getByLabel(say("signIn.password"));
  const wrong = stranger.getByRole("alert").getByText(say("signIn.wrong"));
  await expect(email).toBeFocused();
  await stranger.keyboard.type(demoEmail("support"));
  await password.fill("not the password");
  await stranger.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
  await expect(wrong).toBeVisible();
  await expect(email).toHaveValue(demoEmail("support"));
  expect(new URL(stranger.url()).pathname).toBe("/sign-in");

  await stranger.reload();
  await expect(wrong).toHaveCount(0);
  await email.fill("nobody@example.com");
  await password.fill(DEMO_PASSWORD);
  await stranger.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
  await expect(wrong).toBeVisible();
});

test(
  "signing out ends the session: its cookie opens nothing any more",
  { tag: "@long" },
  async ({ browser, product, language, say }) => {
    const session = await openSession(browser, { url: product.url, role: "auditor", language });
    const window = await browser.newContext({ storageState: session });
    const page = await window.newPage();
    await page.goto("/");
    await page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
    await page.getByRole("button", { name: say("shell.signOut") }).click();
    await expect(page.getByRole("heading", { name: say("signIn.title") })).toBeVisible();
    await window.close();

    const stolen = await browser.newContext({ storageState: session });
    const led = await stolen.request.get(`${product.url}/kyc`, { maxRedirects: 0 });
    expect([led.status(), led.headers()["location"]]).toEqual([307, "/sign-in?next=%2Fkyc"]);
    expect((await stolen.request.get(`${product.url}/api/kyc`)).status()).toBe(401);
    await stolen.close();
  },
);

test("a signed-out person signs in and reaches their screen, filters included", async ({ stranger, say }) => {
  for (const screen of SCREENS) {
    const led = await stranger.request.get(screen, { maxRedirects: 0 });
    const next = screen === "/" ? "" : `?next=${encodeURIComponent(screen)}`;
    expect([led.status(), led.headers()["location"]], screen).toEqual([307, `/sign-in${next}`]);
  }
  await stranger.goto("/audit?outcome=REFUSED");
  await signInWith(stranger, say, "auditor");
  await expect(stranger.getByRole("heading", { level: 1, name: say("audit.title") })).toBeVisible();
  await expect(stranger).toHaveURL("/audit?outcome=REFUSED");
});

test(
  "sign-in follows no outside address, and a signed-in person skips the screen",
  { tag: "@long" },
  async ({ stranger, say }) => {
    await stranger.goto("/sign-in?next=%2F%2Fevil.example%2Fkyc");
    await signInWith(stranger, say, "auditor");
    await expect(stranger.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    await expect(stranger).toHaveURL("/");
    const led = await stranger.request.get("/sign-in", { maxRedirects: 0 });
    expect([led.status(), led.headers()["location"]]).toEqual([307, "/"]);
  },
);
