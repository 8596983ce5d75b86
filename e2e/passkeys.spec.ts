import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { addColleague, enrol, goOn, signIn } from "./support/colleague";
import { expect, test } from "./support/story";

// Short enough for a story to see its end, long enough to set a passkey up.
test.use({ ownProduct: { SERVICE_DEMO_DATA: "false", STEP_UP_MINUTES: "0.3" } });

/** A virtual platform authenticator with a present, verified user. */
async function plugIn(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const isProven = async (page: Page): Promise<unknown> =>
  (await (await page.request.get("/api/session")).json()).isProven;

test(
  "a person adds a passkey, signs in, proves their identity and removes it",
  { tag: "@long" },
  async ({ browser, product, stranger: page, say, language }) => {
    test.slow();
    const clara = await addColleague(product, "finance");
    const speak = { name: "locale", value: language, url: product.url };
    const list = page.getByRole("list", { name: say("factors.passkeys") });
    await plugIn(page);
    await signIn(page, say, clara);
    await enrol(page, say);
    await goOn(page, say);
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

    await test.step("set up", async () => {
      const opened = await page.goto("/security");
      expect(opened?.headers()["permissions-policy"]).toContain("publickey-credentials-get=(self)");
      await page.getByRole("button", { name: say("factors.addPasskey") }).click();
      const adding = page.getByRole("dialog", { name: say("factors.addPasskey") });
      await adding.getByLabel(say("factors.passkeyName")).fill("Notebook de plantão");
      await adding.getByRole("button", { name: say("factors.addPasskeySubmit") }).click();
      await expect(list.getByRole("listitem")).toHaveText(
        new RegExp(`Notebook de plantão.*${say("factors.passkeyUnused")}`),
      );
      await expectAccessible(page, "the passkeys");
      await page.getByRole("button", { name: say("factors.addPasskey") }).click();
      await expectAccessible(page, "adding one");
    });

    await test.step("in place of the code", async () => {
      await page.context().clearCookies();
      await page.context().addCookies([speak]);
      await signIn(page, say, clara);
      const usePasskey = page.getByRole("button", { name: say("signIn.usePasskey") });
      await expect(usePasskey).toBeVisible();
      await expectAccessible(page, "the second step with a passkey");
      await usePasskey.click();
      await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    });

    await test.step("an unknown authenticator opens nothing, and the code is still offered", async () => {
      const other = await browser.newContext({ baseURL: product.url });
      await other.addCookies([speak]);
      const elsewhere = await other.newPage();
      await plugIn(elsewhere);
      await signIn(elsewhere, say, clara);
      await elsewhere.getByRole("button", { name: say("signIn.usePasskey") }).click();
      await expect(elsewhere.getByRole("alert").getByText(say("signIn.passkeyUnanswered"))).toBeVisible();
      await expect(elsewhere.getByLabel(say("signIn.code"))).toBeVisible();
      expect((await elsewhere.request.get("/api/scope")).status()).toBe(401);
      await other.close();
    });

    await test.step("a proof of its person, who removes it", async () => {
      await expect.poll(() => isProven(page), { timeout: 60_000 }).toBe(false);
      await page.goto("/security");
      await list
        .getByRole("button", { name: say("factors.removePasskeyNamed", { name: "Notebook de plantão" }) })
        .click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: say("factors.removePasskey"), exact: true })
        .click();
      const proving = page.getByRole("dialog", { name: say("stepUp.title") });
      const provePasskey = proving.getByRole("button", { name: say("stepUp.usePasskey") });
      await expect(provePasskey).toBeVisible();
      await expectAccessible(page, "the proof by a passkey");
      await provePasskey.click();
      await expect(page.getByText(say("factors.passkeyRemoved"))).toBeVisible();
      await expect(list).toBeHidden();
    });
  },
);
