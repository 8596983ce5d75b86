import type { BrowserContext, Page } from "@playwright/test";
import { addColleague, signIn } from "./support/colleague";
import { additionIn } from "./support/decide";
import { inventCpf } from "./support/invent";
import { untilSeen } from "./support/sight";
import { DEMO_PASSWORD, demoEmail, expect, openSession, type Role, test as base } from "./support/story";
import type { Words } from "./support/words";

type Window = { window: BrowserContext; page: Page };

const test = base.extend<{ ownWindow: (role: Role) => Promise<Window> }>({
  /** A browser of its own with a session of its own: what the stories end here is nobody else's. */
  ownWindow: async ({ browser, product: { url }, language }, use) => {
    await use(async (role) => {
      const storageState = await openSession(browser, { url, role, language });
      const window = await browser.newContext({ storageState, baseURL: url });
      return { window, page: await window.newPage() };
    });
  },
});

// Short enough that a story sees the end of both.
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

test("a change that comes once the session is gone covers the tab, and does not lead it away", async ({
  ownWindow,
  provider,
  say,
}) => {
  const { window, page } = await ownWindow("compliance");
  const seen = await ownWindow("compliance");
  const isFollowed = page.waitForResponse((response) => response.url().includes("/api/live"));
  await page.goto("/");
  await isFollowed;
  // The tab asks where it is, and its session ends before it reads the page anew.
  const where = await page.request.get("/api/scope");
  await page.route("**/api/scope", async (route) => route.fulfill({ response: where }), { times: 1 });
  await window.clearCookies({ name: "retaguarda-session" });
  await untilSeen(seen.page, "/api/kyc?status=PENDING&sort=arrival", await provider.openCase(inventCpf().digits));
  await expect(cover(page, say)).toBeVisible();
  await expect(page).toHaveURL("/");
  await window.close();
  await seen.window.close();
});

test("who leaves the desk is warned, and stays signed in by one click", async ({ ownWindow, say }) => {
  test.slow();
  const { window, page } = await ownWindow("support");
  await page.goto("/kyc");
  await expect(warning(page, say)).toBeVisible({ timeout: 40_000 });
  await expect(
    warning(page, say)
      .getByRole("button", { name: say("session.stay"), exact: true })
      .last(),
  ).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(warning(page, say)).toBeHidden();
  expect((await page.request.get("/api/scope")).status()).toBe(200);
  await window.close();
});

test("a session that ended for want of a sign covers its tabs, and its person goes on with what they wrote", async ({
  ownWindow,
  provider,
  say,
}) => {
  test.slow();
  const kycUUID = await provider.openCase(inventCpf().digits);
  const { window, page } = await ownWindow("compliance");
  const other = await window.newPage();
  await other.goto("/onboarding");
  const reason = await writeReason(page, say, kycUUID);
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

test("somebody else who signs in on a covered tab finds nothing of whoever was there", async ({
  ownWindow,
  provider,
  say,
}) => {
  test.slow();
  const kycUUID = await provider.openCase(inventCpf().digits);
  const [here, there] = [await ownWindow("compliance"), await ownWindow("compliance")];
  await writeReason(here.page, say, kycUUID);
  await there.page.goto("/security");
  await there.page.getByRole("button", { name: say("security.endOthers") }).click();
  await expect(cover(here.page, say)).toContainText(say("session.ended.ended-by-owner"));
  await signInAgain(here.page, say, "finance");
  await expect(here.page.getByRole("button", { name: /Helena Prado/ })).toBeVisible();
  await expect(here.page).toHaveURL("/");
  await here.window.close();
  await there.window.close();
});

test("one's sessions are listed, and one that is ended elsewhere covers its screen at once", async ({
  ownWindow,
  say,
}) => {
  const [here, there] = [await ownWindow("auditor"), await ownWindow("auditor")];
  await there.page.goto("/kyc");
  await here.page.goto("/security");
  const sessions = here.page.getByRole("table", { name: say("security.sessions") });
  await expect(sessions.getByRole("row").filter({ hasText: say("security.thisDevice") })).toHaveCount(1);
  await sessions
    .getByRole("button", { name: new RegExp(`^${say("security.end")} `) })
    .first()
    .click();
  await expect(cover(there.page, say)).toContainText(say("session.ended.ended-by-owner"));
  await here.window.close();
  await there.window.close();
});

test("what is grave asks for a proof, refuses a wrong one, and goes on by itself after a right one", async ({
  ownWindow,
  say,
}) => {
  test.slow();
  const { window, page } = await ownWindow("support");
  await page.goto("/security");
  const isProven = async () => (await (await page.request.get("/api/session")).json()).isProven;
  await expect.poll(isProven, { timeout: 30_000 }).toBe(false);
  await page.getByRole("button", { name: say("factors.setUp"), exact: true }).click();
  const begin = page.getByRole("button", { name: say("factors.begin") });
  await begin.click();
  const proof = page.getByRole("dialog", { name: say("stepUp.title") });
  await proof.getByRole("button", { name: say("common.cancel") }).click();
  await expect(proof).toBeHidden();
  // As the review of a transfer has an address of its own.
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
  await window.close();
});

test("who lingers before setting a required second factor up signs in again, and gets there", async ({
  stranger: page,
  product,
  say,
}) => {
  test.slow();
  const colleague = await addColleague(product, "finance");
  await signIn(page, say, colleague);
  const begin = page.getByRole("button", { name: say("factors.begin") });
  await expect(begin).toBeVisible();
  const entrance = async () => (await page.request.get("/sign-in", { maxRedirects: 0 })).status();
  await expect.poll(entrance, { timeout: 30_000 }).toBe(200);
  await begin.click();
  await expect(page.getByRole("link", { name: say("states.signInElsewhere") })).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL("/sign-in");
  await signIn(page, say, colleague);
  await begin.click();
  await expect(page.getByRole("img", { name: say("factors.qrLabel") })).toBeVisible();
});

test("a session's id that somebody planted before sign-in opens nothing after it", async ({
  browser,
  product,
  say,
  language,
}) => {
  const window = await browser.newContext({ baseURL: product.url });
  const name = "retaguarda-session";
  await window.addCookies([
    { name, value: "planted", url: product.url },
    { name: "locale", value: language, url: product.url },
  ]);
  const page = await window.newPage();
  await page.goto("/sign-in");
  await page.getByLabel(say("signIn.email")).fill(demoEmail("support"));
  await page.getByLabel(say("signIn.password")).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  const cookies = (await window.cookies()).filter((cookie) => cookie.name === name);
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  expect(cookies[0]?.value).not.toBe("planted");
  await window.close();
});

test("a sign-out that reaches nobody says that the session is still open", async ({ ownWindow, say }) => {
  const { window, page } = await ownWindow("finance");
  await page.goto("/accounts");
  await page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await expect(page.getByRole("button", { name: say("shell.signOut") })).toBeVisible();
  await window.setOffline(true);
  await page.getByRole("button", { name: say("shell.signOut") }).click();
  await expect(page.getByRole("alert").getByText(say("shell.signOutFailed"))).toBeVisible();
  await window.setOffline(false);
  await page.getByRole("button", { name: say("shell.signOut") }).click();
  await expect(page).toHaveURL("/sign-in");
  await window.close();
});

test("after signing out nothing comes back: not in another tab, not by the back button", async ({ ownWindow, say }) => {
  const { window, page } = await ownWindow("finance");
  const other = await window.newPage();
  await other.goto("/wallets");
  await page.goto("/accounts");
  await page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await page.getByRole("button", { name: say("shell.signOut") }).click();
  await expect(page).toHaveURL("/sign-in");
  await expect(other).toHaveURL("/sign-in");
  await page.goBack();
  await expect(page).toHaveURL("/sign-in?next=%2Faccounts");
  expect(await page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
  await window.close();
});
