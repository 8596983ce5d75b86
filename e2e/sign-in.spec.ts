import type { Page } from "@playwright/test";
import { DEMO_PASSWORD, demoEmail, expect, openSession, type Role, ROLES, test } from "./support/story";
import type { Words } from "./support/words";

const SCREENS = ["/", "/kyc", "/kyc/some-case", "/onboarding", "/accounts", "/wallets", "/webhooks", "/security"];

async function signInWith(page: Page, say: Words, role: Role): Promise<void> {
  await page.getByLabel(say("signIn.email")).fill(demoEmail(role));
  await page.getByLabel(say("signIn.password")).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
}

for (const role of ROLES) {
  test(`${role} signs in with the demo account`, async ({ stranger, say }) => {
    await stranger.goto("/sign-in");
    await signInWith(stranger, say, role);
    await expect(stranger.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    const account = stranger.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) });
    await expect(account).toHaveAccessibleName(new RegExp(`${say(`roles.${role}`)}$`));
  });
}

test("the sign-in screen says that this is a demo and fills the form in for one of its people", async ({
  stranger,
  say,
}) => {
  await stranger.goto("/sign-in");
  const demo = stranger.getByRole("region", { name: say("signIn.demoTitle") });
  // One of each role, and a second administrator.
  await expect(demo.getByRole("button")).toHaveCount(ROLES.length + 1);
  await demo.getByRole("button", { name: say("signIn.fill", { role: say("roles.finance") }) }).click();
  await expect(stranger.getByLabel(say("signIn.email"))).toHaveValue(demoEmail("finance"));
  await stranger.keyboard.press("Enter");
  await expect(stranger.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
});

test("a wrong password is told in one sentence and the e-mail stays", async ({ stranger, say }) => {
  await stranger.goto("/sign-in");
  await expect(stranger.getByLabel(say("signIn.email"))).toBeFocused();
  await stranger.keyboard.type(demoEmail("support"));
  await stranger.getByLabel(say("signIn.password")).fill("not the password");
  await stranger.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
  await expect(stranger.getByRole("alert").getByText(say("signIn.wrong"))).toBeVisible();
  await expect(stranger.getByLabel(say("signIn.email"))).toHaveValue(demoEmail("support"));
  expect(new URL(stranger.url()).pathname).toBe("/sign-in");
});

test("an unknown e-mail is told no more than a wrong password", async ({ stranger, say }) => {
  await stranger.goto("/sign-in");
  await stranger.getByLabel(say("signIn.email")).fill("nobody@example.com");
  await stranger.getByLabel(say("signIn.password")).fill(DEMO_PASSWORD);
  await stranger.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
  await expect(stranger.getByRole("alert").getByText(say("signIn.wrong"))).toBeVisible();
});

test("signing out ends the session: its cookie opens nothing any more", async ({ browser, product, language, say }) => {
  const session = await openSession(browser, { url: product.url, role: "auditor", language });
  const window = await browser.newContext({ storageState: session });
  const page = await window.newPage();
  await page.goto("/");
  await page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await page.getByRole("button", { name: say("shell.signOut") }).click();
  await expect(page.getByRole("heading", { name: say("signIn.title") })).toBeVisible();
  await window.close();

  const stolen = await browser.newContext({ storageState: session });
  const thief = await stolen.newPage();
  await thief.goto("/kyc");
  await expect(thief).toHaveURL("/sign-in?next=%2Fkyc");
  expect((await thief.request.get("/api/kyc")).status()).toBe(401);
  await stolen.close();
});

for (const screen of SCREENS) {
  test(`nobody signed in is led from ${screen} to the sign-in screen`, async ({ stranger }) => {
    await stranger.goto(screen);
    await expect(stranger).toHaveURL(screen === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(screen)}`);
  });
}

test("who opens an address before signing in comes to it afterwards, filters included", async ({ stranger, say }) => {
  await stranger.goto("/audit?outcome=REFUSED");
  await signInWith(stranger, say, "auditor");
  await expect(stranger.getByRole("heading", { level: 1, name: say("audit.title") })).toBeVisible();
  await expect(stranger).toHaveURL("/audit?outcome=REFUSED");
});

test("an address that leads elsewhere is not followed", async ({ stranger, say }) => {
  await stranger.goto("/sign-in?next=%2F%2Fevil.example%2Fkyc");
  await signInWith(stranger, say, "auditor");
  await expect(stranger.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  await expect(stranger).toHaveURL("/");
});

test("who is signed in already does not see the sign-in screen", async ({ signedInAs, say }) => {
  const page = await signedInAs("support");
  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
});
