import type { Page } from "@playwright/test";
import { startTemporaryOidc } from "@/test/support/temporary-oidc.mjs";
import { freePort } from "@/test/support/temporary-product.mjs";
import { expectAccessible } from "./support/accessible";
import { enrol, goOn } from "./support/colleague";
import { expect, test } from "./support/story";

const port = await freePort();
const oidcPort = await freePort();
const company = (email: string, ...roles: string[]) => ({ email, email_verified: true, name: "Clara Nunes", roles });
const accounts = {
  clara: { claims: company("clara@aurora.example", "desk"), amr: ["pwd", "mfa"] },
  heloisa: { claims: company("heloisa@aurora.example", "money"), amr: ["pwd", "mfa"] },
  ivo: { claims: company("ivo@aurora.example", "money") },
  rui: { claims: company("rui@aurora.example", "another-team") },
};

test.use({
  ownProduct: {
    PORT: String(port),
    SERVICE_DEMO_DATA: "false",
    OIDC_ISSUER: `http://127.0.0.1:${oidcPort}`,
    OIDC_CLIENT_ID: "retaguarda",
    OIDC_CLIENT_SECRET: "a secret between the two",
    OIDC_ROLE_MAP: JSON.stringify({ desk: "compliance", money: "finance" }),
  },
});

let provider: Awaited<ReturnType<typeof startTemporaryOidc>>;
test.beforeAll(async () => {
  const redirectUri = `http://localhost:${port}/api/auth/callback/sso`;
  provider = await startTemporaryOidc({ accounts, redirectUri, port: oidcPort });
});
test.afterAll(() => provider.stop());

/** Follows the sign-in from our button to the company's pages and back. */
async function signInAtCompany(page: Page, button: string, account: keyof typeof accounts): Promise<void> {
  if (!page.url().includes("/sign-in?next=")) await page.goto("/sign-in");
  await page.getByRole("button", { name: button }).click();
  await page.getByLabel("Account").fill(account);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
}

test(
  "single sign-on opens the requested screen with the groups' role",
  { tag: "@long" },
  async ({ stranger: page, say }) => {
    await page.goto("/kyc?status=PENDING");
    await expectAccessible(page, "the sign-in with single sign-on");
    await signInAtCompany(page, say("signIn.singleSignOn"), "clara");
    await expect(page.getByRole("heading", { level: 1, name: say("kyc.title") })).toBeVisible();
    await expect(page).toHaveURL("/kyc?status=PENDING");
    await expect(
      page.getByRole("button", { name: new RegExp(`Clara Nunes ${say("roles.compliance")}`) }),
    ).toBeVisible();
    await page.goto("/security");
    await expect(page.getByText(say("factors.passwordNone"))).toBeVisible();
  },
);

test(
  "the company's second factor counts, and a person without a role is refused",
  { tag: "@long" },
  async ({ product, stranger: page, say, language }) => {
    const forget = async () => {
      await page.context().clearCookies();
      await page.context().addCookies([{ name: "locale", value: language, url: product.url }]);
    };
    await signInAtCompany(page, say("signIn.singleSignOn"), "heloisa");
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

    await forget();
    await signInAtCompany(page, say("signIn.singleSignOn"), "rui");
    await expect(page.getByText(say("signIn.sso-unmapped"))).toBeVisible();
    expect((await page.request.get("/api/scope")).status()).toBe(401);
    await expectAccessible(page, "the refusal");

    await forget();
    await signInAtCompany(page, say("signIn.singleSignOn"), "ivo");
    await expect(page.getByRole("heading", { level: 1, name: say("factors.title") })).toBeVisible();
    await enrol(page, say);
    await goOn(page, say);
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  },
);

test(
  "a refusal at the provider or a wrong state or nonce opens nothing",
  { tag: "@long" },
  async ({ product, stranger: page, say, language }) => {
    const forge = async (name: "state" | "nonce") => {
      await page.context().clearCookies();
      await page.context().addCookies([{ name: "locale", value: language, url: product.url }]);
      await page.route(
        (url) => url.pathname === "/auth",
        (route) => {
          const url = new URL(route.request().url());
          url.searchParams.set(name, "x".repeat(43));
          return route.fulfill({ status: 302, headers: { location: url.href } });
        },
        { times: 1 },
      );
      await signInAtCompany(page, say("signIn.singleSignOn"), "clara");
      await expect(page.getByText(say("signIn.sso-failed"))).toBeVisible();
      expect((await page.request.get("/api/scope")).status()).toBe(401);
    };
    await forge("state");
    await forge("nonce");

    await page.context().clearCookies();
    await page.context().addCookies([{ name: "locale", value: language, url: product.url }]);
    await page.goto("/sign-in");
    await page.getByRole("button", { name: say("signIn.singleSignOn") }).click();
    await page.getByLabel("Account").fill("clara");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Refuse" }).click();
    await expect(page.getByText(say("signIn.sso-failed"))).toBeVisible();
    await expect(page.getByLabel(say("signIn.password"))).toBeVisible();
  },
);

test(
  "a covered tab resumes after sign-in elsewhere and keeps the text",
  { tag: "@long" },
  async ({ browser, product, stranger: page, say, language }) => {
    test.slow();
    await signInAtCompany(page, say("signIn.singleSignOn"), "clara");
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    await page.goto("/accounts");
    const field = page.getByLabel(say("accounts.lookUpLabel"));
    await field.fill("not sent yet");

    const elsewhere = await browser.newContext({ baseURL: product.url });
    await elsewhere.addCookies([{ name: "locale", value: language, url: product.url }]);
    const there = await elsewhere.newPage();
    await signInAtCompany(there, say("signIn.singleSignOn"), "clara");
    await expect(there.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    await there.goto("/security");
    await there.getByRole("button", { name: say("security.endOthers") }).click();
    await elsewhere.close();

    const cover = page.getByRole("alertdialog", { name: say("session.endedTitle") });
    await expect(cover).toBeVisible();
    const opened = page.context().waitForEvent("page");
    await cover.getByRole("button", { name: say("signIn.singleSignOn") }).click();
    // The company's session is still open.
    const way = await opened;
    await expect(way).toHaveURL("/accounts");
    await expect(way.getByRole("heading", { level: 1, name: say("accounts.title") })).toBeVisible();
    await expect(cover).toBeHidden();
    await expect(field).toHaveValue("not sent yet");
  },
);
