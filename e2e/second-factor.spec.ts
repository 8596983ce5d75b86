import { readFileSync } from "node:fs";
import { expectAccessible } from "./support/accessible";
import { addColleague, codeOf, enrol, goOn, signIn } from "./support/colleague";
import { callAction, nextAction } from "./support/server-action";
import { expect, signInByRequest, test } from "./support/story";

test("a role that moves money needs the app's code, which is taken once", async ({
  product,
  browser,
  stranger: page,
  say,
  language,
}) => {
  test.slow();
  const clara = await addColleague(product, "finance", "approver", "admin");
  await signIn(page, say, clara);
  await expect(page.getByRole("heading", { level: 1, name: say("factors.title") })).toBeVisible();
  await expect(page).toHaveURL("/enrol");

  // access.spec.ts asks for every page and handler with such a session.
  const led = await page.request.get("/transfers/new", { maxRedirects: 0 });
  expect([led.status(), led.headers()["location"]]).toEqual([307, "/sign-in?next=%2Ftransfers%2Fnew"]);
  expect((await page.request.get("/api/wallets")).status()).toBe(401);

  const { secret, first, codes } = await enrol(page, say);
  await expect(page.getByRole("button", { name: say("factors.goOn") })).toHaveAttribute("aria-disabled", "true");
  expect(new Set(codes).size).toBe(10);
  await goOn(page, say);
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

  await test.step("the next sign-in asks for a code before there is a session", async () => {
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

    // The enrolment has used this code.
    await field.fill(first);
    await second.keyboard.press("Enter");
    await expect(second.getByRole("alert").getByText(say("signIn.wrongCode"))).toBeVisible();
    await second.reload();
    const next = codeOf(secret, 1);
    await second.getByLabel(say("signIn.code")).fill(`${next.slice(0, 3)} ${next.slice(3)}`);
    await second.keyboard.press("Enter");
    await expect(second.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

    await other.clearCookies({ name: "retaguarda-session" });
    await signIn(second, say, clara);
    await second.getByRole("button", { name: say("signIn.useRecovery") }).click();
    await second.getByLabel(say("signIn.recoveryCode")).fill((codes[0] ?? "").toUpperCase());
    await second.keyboard.press("Enter");
    await expect(second.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    await other.close();

    const printed = readFileSync(product.log, "utf8");
    for (const stored of [secret, clara.password, clara.email, ...codes]) expect(printed).not.toContain(stored);
  });
});

test(
  "a person adds and removes an authenticator app, and only from our own page",
  { tag: "@long" },
  async ({ product, browser, stranger: page, say }) => {
    test.slow();
    const clara = await addColleague(product, "auditor");
    await signIn(page, say, clara);
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    await page.goto("/security");
    await page.getByRole("button", { name: say("factors.setUp") }).click();
    const started = nextAction(page);
    await enrol(page, say);
    await goOn(page, say);
    await expect(page.getByText(say("factors.codesLeft", { count: 10 }))).toBeVisible();
    // The same request from another site's page does nothing.
    expect((await callAction(page, await started, "https://evil.example")).status()).toBeGreaterThanOrEqual(400);

    await page.getByRole("button", { name: say("factors.disable") }).click();
    await page
      .getByRole("dialog", { name: say("factors.disableTitle") })
      .getByRole("button", { name: say("factors.disable") })
      .click();
    await expect(page.getByRole("button", { name: say("factors.setUp") })).toBeVisible();

    await test.step("a changed password ends other sessions, and the old password opens nothing", async () => {
      const elsewhere = await browser.newContext({ baseURL: product.url });
      await signInByRequest(elsewhere, { ...clara, url: product.url });
      expect((await elsewhere.request.get("/api/scope")).status()).toBe(200);

      await page.getByRole("button", { name: say("factors.changePassword") }).click();
      const dialog = page.getByRole("dialog", { name: say("factors.changePassword") });
      const change = async (current: string, next: string) => {
        await dialog.getByLabel(say("factors.current")).fill(current);
        await dialog.getByLabel(say("factors.next")).fill(next);
        await dialog.getByRole("button", { name: say("factors.changePassword") }).click();
      };
      await dialog.getByRole("button", { name: say("factors.changePassword") }).click();
      await expect(dialog.getByText(say("fields.required"))).toHaveCount(2);
      await change(clara.password, "Password1234!");
      await expect(dialog.getByText(say("factors.password-common"))).toBeVisible();
      await change("not the password", "outra frase só minha");
      await expect(dialog.getByText(say("factors.wrong"))).toBeVisible();
      await expectAccessible(page, "the refused change");
      await change(clara.password, "outra frase só minha");
      await expect(page.getByText(say("factors.changed"))).toBeVisible();
      expect((await elsewhere.request.get("/api/scope")).status()).toBe(401);
      expect((await page.request.get("/api/scope")).status()).toBe(200);
      await elsewhere.close();

      await page.context().clearCookies({ name: "retaguarda-session" });
      await signIn(page, say, clara);
      await expect(page.getByRole("alert").getByText(say("signIn.wrong"))).toBeVisible();
      await signIn(page, say, { ...clara, password: "outra frase só minha" });
      await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    });
  },
);
