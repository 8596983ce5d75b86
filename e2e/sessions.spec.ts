import type { BrowserContext, Page } from "@playwright/test";
import { addColleague, signIn } from "./support/colleague";
import { additionIn } from "./support/decide";
import { inventCpf } from "./support/invent";
import { untilSeen } from "./support/sight";
import {
  DEMO_PASSWORD,
  demoEmail,
  expect,
  openSession,
  type Role,
  signInByRequest,
  test as base,
} from "./support/story";
import type { Words } from "./support/words";

type Window = { window: BrowserContext; page: Page };

const test = base.extend<{ ownWindow: (role: Role) => Promise<Window> }>({
  /** A browser with its own session, so that ending it affects no other story. */
  ownWindow: async ({ browser, product: { url }, language }, use) => {
    await use(async (role) => {
      const storageState = await openSession(browser, { url, role, language });
      const window = await browser.newContext({ storageState, baseURL: url });
      return { window, page: await window.newPage() };
    });
  },
});

// Short enough for a story to see the end of both.
test.use({ ownProduct: { SERVICE_DEMO_DATA: "false", SESSION_IDLE_MINUTES: "0.5", STEP_UP_MINUTES: "0.2" } });

const cover = (page: Page, say: Words) => page.getByRole("alertdialog", { name: say("session.endedTitle") });
const warning = (page: Page, say: Words) => page.getByRole("dialog", { name: say("session.warningTitle") });

async function signInAgain(page: Page, say: Words, role: Role) {
  await cover(page, say).getByLabel(say("signIn.email")).fill(demoEmail(role));
  await cover(page, say).getByLabel(say("signIn.password")).fill(DEMO_PASSWORD);
  await cover(page, say)
    .getByRole("button", { name: say("signIn.submit"), exact: true })
    .click();
}

async function writeReason(page: Page, say: Words, kycUUID: string) {
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  const reason = additionIn(page.getByRole("dialog"), say);
  await reason.fill("Conferido com a base oficial.");
  return reason;
}

test(
  "a change after the session ends covers the tab and does not navigate away",
  { tag: "@long" },
  async ({ ownWindow, provider, say }) => {
    const { window, page } = await ownWindow("compliance");
    const seen = await ownWindow("compliance");
    const isFollowed = page.waitForResponse((response) => response.url().includes("/api/live"));
    await page.goto("/");
    await isFollowed;
    // The session ends between the tab's check and its refresh.
    const where = await page.request.get("/api/scope");
    await page.route("**/api/scope", async (route) => route.fulfill({ response: where }), { times: 1 });
    await window.clearCookies({ name: "retaguarda-session" });
    await untilSeen(seen.page, "/api/kyc?status=PENDING&sort=arrival", await provider.openCase(inventCpf().digits));
    await expect(cover(page, say)).toBeVisible();
    await expect(page).toHaveURL("/");
    await window.close();
    await seen.window.close();
  },
);

test(
  "an idle person is warned; a click keeps the session; drafts survive its end",
  { tag: "@long" },
  async ({ ownWindow, provider, say }) => {
    test.slow();
    const kycUUID = await provider.openCase(inventCpf().digits);
    const there = await ownWindow("support");
    const { window, page } = await ownWindow("compliance");
    await there.page.goto("/kyc");
    const other = await window.newPage();
    await other.goto("/onboarding");
    const reason = await writeReason(page, say, kycUUID);

    await test.step("warned, and kept", async () => {
      await expect(warning(there.page, say)).toBeVisible({ timeout: 40_000 });
      await expect(
        warning(there.page, say)
          .getByRole("button", { name: say("session.stay"), exact: true })
          .last(),
      ).toBeFocused();
      await there.page.keyboard.press("Enter");
      await expect(warning(there.page, say)).toBeHidden();
      expect((await there.page.request.get("/api/scope")).status()).toBe(200);
      await there.window.close();
    });

    await test.step("covered in each tab, and gone on with", async () => {
      for (const tab of [page, other]) {
        await expect(cover(tab, say)).toContainText(say("session.ended.idle"), { timeout: 60_000 });
      }
      expect((await page.request.get("/api/kyc")).status()).toBe(401);
      await expect(page.getByRole("table")).toHaveCount(0);
      await signInAgain(page, say, "compliance");
      await expect(cover(page, say)).toBeHidden();
      await expect(reason).toHaveValue("Conferido com a base oficial.");
      await expect(cover(other, say)).toBeHidden();
      await window.close();
    });
  },
);

test(
  "a person ends their sessions; the next to sign in on that tab sees no trace",
  { tag: "@long" },
  async ({ ownWindow, provider, say }) => {
    test.slow();
    const kycUUID = await provider.openCase(inventCpf().digits);
    const here = await ownWindow("compliance");
    const third = await ownWindow("compliance");
    const there = await ownWindow("compliance");
    const reason = await writeReason(here.page, say, kycUUID);
    await there.page.goto("/security");
    const sessions = there.page.getByRole("table", { name: say("security.sessions") });
    await expect(sessions.getByRole("row").filter({ hasText: say("security.thisDevice") })).toHaveCount(1);
    const one = sessions.getByRole("button", { name: new RegExp(`^${say("security.end")} `) });
    const others = await one.count();
    await reason.press("End");
    await one.first().click();
    await expect(one).toHaveCount(others - 1);
    await there.page.getByRole("button", { name: say("security.endOthers") }).click();
    await expect(cover(here.page, say)).toContainText(say("session.ended.ended-by-owner"));
    await expect(cover(here.page, say).getByLabel(say("signIn.password"))).toBeVisible();
    await expect(cover(here.page, say).getByRole("heading", { name: say("session.endedTitle") })).toBeFocused();
    await signInAgain(here.page, say, "finance");
    await expect(here.page.getByRole("button", { name: /Helena Prado/ })).toBeVisible();
    await expect(here.page).toHaveURL("/");
    for (const { window } of [here, there, third]) await window.close();
  },
);

test(
  "a sensitive act asks for a proof; a late factor setup asks for a new sign-in",
  { tag: "@long" },
  async ({ ownWindow, stranger, product, say }) => {
    test.slow();
    const colleague = await addColleague(product, "finance");
    await signIn(stranger, say, colleague);
    const required = stranger.getByRole("button", { name: say("factors.begin") });
    await expect(required).toBeVisible();
    const { page } = await ownWindow("support");
    const isFollowed = page.waitForResponse((response) => response.url().includes("/api/live"));
    await page.goto("/security");
    await isFollowed;
    // During a renewal, earlier requests still use the old cookie.
    const unauthenticated = { error: { kind: "unauthenticated", reason: null } };
    await page.route("**/api/scope", (route) => route.fulfill({ status: 401, json: unauthenticated }));
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(cover(page, say)).toBeVisible();
    await page.unroute("**/api/scope");
    await expect(cover(page, say)).toBeHidden();
    const isProven = async () => (await (await page.request.get("/api/session")).json()).isProven;
    const entrance = async () => (await stranger.request.get("/sign-in", { maxRedirects: 0 })).status();
    await expect.poll(isProven, { timeout: 30_000 }).toBe(false);

    await test.step("a proof", async () => {
      await page.getByRole("button", { name: say("factors.setUp"), exact: true }).click();
      const begin = page.getByRole("button", { name: say("factors.begin") });
      await begin.click();
      const proof = page.getByRole("dialog", { name: say("stepUp.title") });
      await expect(proof).toBeVisible();
      await expect(page.locator("button[aria-busy=true]")).toHaveCount(0);
      await expect(page.getByText(say("common.inProgress"))).toHaveCount(0);
      await proof.getByRole("button", { name: say("common.cancel") }).click();
      await expect(proof).toBeHidden();
      // The review of a transfer has its own URL in the same way.
      await page.evaluate(() => history.pushState(null, "", "?step=review"));
      await begin.click();
      await expect(proof).toBeVisible();
      await page.goBack();
      await expect(proof).toBeHidden();
      await begin.click();
      const password = proof.getByLabel(say("stepUp.password"));
      await password.fill("not the password");
      await page.keyboard.press("Enter");
      await expect(password).toHaveAccessibleDescription(say("stepUp.wrongPassword"));
      await password.fill(DEMO_PASSWORD);
      await page.keyboard.press("Enter");
      await expect(proof).toBeHidden();
      await expect(page.getByRole("img", { name: say("factors.qrLabel") })).toBeVisible();
    });

    await test.step("a required second factor, before which somebody lingers", async () => {
      await expect.poll(entrance, { timeout: 30_000 }).toBe(200);
      await required.click();
      await expect(stranger.getByRole("link", { name: say("states.signInElsewhere") })).toBeVisible();
      await stranger.reload();
      await expect(stranger).toHaveURL("/sign-in");
      await signIn(stranger, say, colleague);
      await required.click();
      await expect(stranger.getByRole("img", { name: say("factors.qrLabel") })).toBeVisible();
    });
  },
);

test(
  "a session id planted before sign-in opens nothing afterwards",
  { tag: "@long" },
  async ({ browser, product: { url } }) => {
    const name = "retaguarda-session";
    const window = await browser.newContext();
    await window.addCookies([{ name, value: "planted", url }]);
    await signInByRequest(window, { url, email: demoEmail("support"), password: DEMO_PASSWORD });
    expect((await window.request.get(`${url}/api/scope`)).status()).toBe(200);
    const cookies = (await window.cookies()).filter((cookie) => cookie.name === name);
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(cookies[0]?.value).not.toBe("planted");
    await window.close();
  },
);
