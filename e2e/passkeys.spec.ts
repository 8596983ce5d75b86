import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { addColleague, enrol, goOn, signIn } from "./support/colleague";
import { expect, test } from "./support/story";
import { type Language, LANGUAGES, wordsOf } from "./support/words";

// Short enough that a story sees its end, long enough to set a passkey up within it.
test.use({ ownProduct: { SERVICE_DEMO_DATA: "false", STEP_UP_MINUTES: "0.5" } });

/** A platform authenticator of the browser itself: its user is there, and verified. */
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

test("a passkey is set up beside the app, opens the second step, proves its person and is removed", async ({
  product,
  stranger: page,
  say,
  language,
}) => {
  test.slow();
  const clara = await addColleague(product, "finance");
  const speak = (spoken: Language) => page.context().addCookies([{ name: "locale", value: spoken, url: product.url }]);
  await plugIn(page);
  await signIn(page, say, clara);
  await enrol(page, say);
  await goOn(page, say);
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

  const opened = await page.goto("/security");
  expect(opened?.headers()["permissions-policy"]).toContain("publickey-credentials-get=(self)");
  await page.getByRole("button", { name: say("factors.addPasskey") }).click();
  const adding = page.getByRole("dialog", { name: say("factors.addPasskey") });
  await adding.getByLabel(say("factors.passkeyName")).fill("Notebook de plantão");
  await adding.getByRole("button", { name: say("factors.addPasskeySubmit") }).click();
  const list = page.getByRole("list", { name: say("factors.passkeys") });
  await expect(list.getByRole("listitem")).toHaveText(
    new RegExp(`Notebook de plantão.*${say("factors.passkeyUnused")}`),
  );

  for (const spoken of LANGUAGES) {
    await speak(spoken);
    await page.reload();
    await expect(page.getByRole("list", { name: wordsOf(spoken)("factors.passkeys") })).toBeVisible();
    await expectAccessible(page, `the passkeys in ${spoken}`);
    await page.getByRole("button", { name: wordsOf(spoken)("factors.addPasskey") }).click();
    await expectAccessible(page, `adding one in ${spoken}`);
    await page.keyboard.press("Escape");
  }

  await page.context().clearCookies();
  await speak(language);
  await signIn(page, say, clara);
  const usePasskey = page.getByRole("button", { name: say("signIn.usePasskey") });
  await expect(usePasskey).toBeVisible();
  for (const spoken of LANGUAGES) {
    await speak(spoken);
    await page.reload();
    await expect(page.getByRole("button", { name: wordsOf(spoken)("signIn.usePasskey") })).toBeVisible();
    await expectAccessible(page, `the second step with a passkey in ${spoken}`);
  }
  await speak(language);
  await page.reload();
  await usePasskey.click();
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

  await expect.poll(() => isProven(page), { timeout: 60_000 }).toBe(false);
  await page.goto("/security");
  await list.getByRole("button", { name: say("factors.removePasskeyNamed", { name: "Notebook de plantão" }) }).click();
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

test("an authenticator that does not know the account opens nothing, and the code is still there", async ({
  product,
  stranger: page,
  say,
}) => {
  test.slow();
  const clara = await addColleague(product, "finance");
  await plugIn(page);
  await signIn(page, say, clara);
  await enrol(page, say);
  await goOn(page, say);
  await page.goto("/security");
  await page.getByRole("button", { name: say("factors.addPasskey") }).click();
  await page.getByLabel(say("factors.passkeyName")).fill("Chave perdida");
  await page.getByRole("button", { name: say("factors.addPasskeySubmit") }).click();
  await expect(page.getByRole("list", { name: say("factors.passkeys") })).toBeVisible();

  const other = await page.context().browser()?.newContext({ baseURL: product.url });
  if (other === undefined) throw new Error("the page is in a browser");
  await other.addCookies((await page.context().cookies()).filter(({ name }) => name === "locale"));
  const elsewhere = await other.newPage();
  await plugIn(elsewhere);
  await signIn(elsewhere, say, clara);
  await elsewhere.getByRole("button", { name: say("signIn.usePasskey") }).click();
  await expect(elsewhere.getByRole("alert").getByText(say("signIn.passkeyUnanswered"))).toBeVisible();
  await expect(elsewhere.getByLabel(say("signIn.code"))).toBeVisible();
  expect((await elsewhere.request.get("/api/scope")).status()).toBe(401);
});
