import type { Page } from "@playwright/test";
import { additionIn } from "./support/decide";
import { inventCpf } from "./support/invent";
import { factOf, rowWith, untilSeen } from "./support/sight";
import { expect, openSession, test } from "./support/story";

/** Every stream that this window has requested. */
function streamsOf(page: Page): string[] {
  const streams: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/live") streams.push(request.url());
  });
  return streams;
}

/** A mark that a reload would remove. */
async function mark(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => document.documentElement.setAttribute("data-mark", "here"));
  return () => expect(page.locator("html[data-mark=here]")).toHaveCount(1);
}

test("the open queue and overview show a new case over one shared stream", async ({
  browser,
  product: { url },
  provider,
  language,
  say,
}) => {
  const storageState = await openSession(browser, { url, role: "compliance", language });
  const context = await browser.newContext({ storageState, baseURL: url });
  const list = await context.newPage();
  const overview = await context.newPage();
  const streams = [streamsOf(list), streamsOf(overview)];
  await list.goto("/kyc?sort=arrival");
  // The first window to ask holds the stream.
  await expect.poll(() => streams.flat()).toHaveLength(1);
  await overview.goto("/");
  const areStill = [await mark(list), await mark(overview)];
  const queue = list.getByRole("table", { name: say("kyc.title") });
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  await expect(rowWith(queue, [cpf.masked])).toHaveCount(1, { timeout: 20_000 });
  await expect(overview.getByRole("main").getByText(cpf.masked)).toBeVisible({ timeout: 20_000 });
  expect(streams.flat()).toHaveLength(1);
  await provider.decideCase(kycUUID, "APPROVED");
  await expect(rowWith(queue, [cpf.masked])).toHaveCount(0, { timeout: 20_000 });
  for (const isStill of areStill) await isStill();

  await test.step("the stream goes on in another window when its own is closed", async () => {
    await list.close();
    await expect.poll(() => streams.flat().length, { timeout: 20_000 }).toBe(2);
  });

  await test.step("signing out closes what is open elsewhere", async () => {
    const other = await context.newPage();
    await other.goto("/kyc");
    await overview.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
    await overview.getByRole("button", { name: say("shell.signOut") }).click();
    for (const window of [overview, other]) await expect(window).toHaveURL(/sign-in/);
    expect((await other.request.get("/api/live")).status()).toBe(401);
  });
  await context.close();
});

test(
  "a case changed elsewhere updates on screen, even after an outage",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const kycUUID = await provider.openCase(inventCpf().digits);
    const page = await signedInAs("auditor");
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await page.goto("/kyc?sort=arrival&order=desc");
    const queue = page.getByRole("table", { name: say("kyc.title") });
    const link = queue.locator(`a[href*="${kycUUID}"]`).first();
    await link.click();
    await expect(page).toHaveURL(new RegExp(`/kyc/${kycUUID}`));
    await test.step("the list to which somebody comes back by the browser's way is read again", async () => {
      const read = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/api/kyc");
      await page.goBack();
      expect((await read).ok()).toBe(true);
      await link.click();
    });
    const isStill = await mark(page);
    const status = factOf(page, say("kyc.columns.status"));
    await expect(status).toHaveText(say("kyc.status.PENDING"));
    await provider.steerCase(kycUUID, "PROCESSING");
    await expect(status).toHaveText(say("kyc.status.PROCESSING"), { timeout: 20_000 });

    await test.step("told of a change while the server cannot be reached, the page stays", async () => {
      const probes = page.waitForRequest("**/api/scope");
      // The open stream continues, but nothing new gets an answer from the check before a refresh on.
      let isDown = false;
      await page.route("**/*", (route) => {
        isDown ||= new URL(route.request().url()).pathname === "/api/scope";
        return isDown ? route.abort() : route.continue();
      });
      await provider.decideCase(kycUUID, "REPROVED");
      await probes;
      await expect(status).toHaveText(say("kyc.status.PROCESSING"));
      await page.unroute("**/*");
      await expect(status).toHaveText(say("kyc.status.REPROVED"), { timeout: 20_000 });
      await isStill();
    });
  },
);

const CASE_PAGES = /\/kyc\/[^/]+(\?_rsc=.*)?$/;
const TERMS = /\/api\/kyc\/[^/]+\/decision$/;

test(
  "a case that changes while an analyst writes keeps the text and updates after",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const kycUUID = await provider.openCase(inventCpf().digits);
    const page = await signedInAs("compliance");
    const reader = await signedInAs("auditor");
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    for (const window of [page, reader]) await window.goto(`/kyc/${kycUUID}`);
    const isStill = await mark(page);
    await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
    const reason = additionIn(page.getByRole("dialog"), say);
    await reason.fill("Um motivo escrito com cuidado");
    const statusOf = (window: Page) => factOf(window, say("kyc.columns.status"));

    // The reader gets the next change only after a pause; the writer had time to see the one before.
    const changeTo = async (status: "PROCESSING" | "PENDING" | "REPROVED") => {
      await provider.steerCase(kycUUID, status);
      await expect(statusOf(reader)).toHaveText(say(`kyc.status.${status}`), { timeout: 20_000 });
      await expect(reason).toHaveValue("Um motivo escrito com cuidado");
      await expect(reason).toBeFocused();
    };
    await test.step("all is well", () => changeTo("PROCESSING"));
    await test.step("the rules get no answer", async () => {
      await page.route(TERMS, (route) => route.abort());
      const asked = page.waitForEvent("requestfailed", (request) => TERMS.test(request.url()));
      await changeTo("PENDING");
      await asked;
      await page.unroute(TERMS);
    });
    await test.step("the page gets no answer", async () => {
      await page.route(CASE_PAGES, (route) => route.abort());
      await changeTo("PROCESSING");
    });
    await test.step("the network is gone", async () => {
      await page.context().setOffline(true);
      for (const status of ["PENDING", "REPROVED"] as const) await changeTo(status);
    });
    await page.context().setOffline(false);
    await page.unroute(CASE_PAGES);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: say("discard.discard"), exact: true }).click();
    await expect(statusOf(page)).toHaveText(say("kyc.status.REPROVED"), { timeout: 20_000 });
    await isStill();
  },
);

test(
  "an onboarding checked by a colleague ends on every open screen",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const cpf = inventCpf("003");
    const onBoardingId = await provider.requestAccount(cpf.digits);
    const reader = await signedInAs("auditor");
    const colleague = await signedInAs("support");
    await untilSeen(reader, "/api/onboarding", cpf.masked);
    await reader.goto("/onboarding");
    const queue = reader.getByRole("table", { name: say("onboarding.title") });
    await rowWith(queue, [cpf.masked]).getByRole("link").first().click();
    await expect(factOf(reader, say("onboarding.columns.status"))).toHaveText(say("onboarding.status.PROCESSING"));
    await provider.steerOnboarding(onBoardingId, { status: "CONFIRMED" });
    await colleague.goto(reader.url());
    await colleague.getByRole("button", { name: say("onboarding.check") }).click();
    for (const window of [colleague, reader]) {
      const status = factOf(window, say("onboarding.columns.status"));
      await expect(status).toHaveText(say("onboarding.status.CONFIRMED"), { timeout: 20_000 });
    }
  },
);
