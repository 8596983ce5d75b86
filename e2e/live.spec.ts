import type { Page } from "@playwright/test";
import { additionIn } from "./support/decide";
import { inventCpf } from "./support/invent";
import { factOf, rowWith, untilSeen } from "./support/sight";
import { expect, openSession, test } from "./support/story";

/** Every stream this window has asked for. */
function streamsOf(page: Page): string[] {
  const streams: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/live") streams.push(request.url());
  });
  return streams;
}

/** A mark that a reload would take away. */
async function mark(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => document.documentElement.setAttribute("data-mark", "here"));
  return () => expect(page.locator("html[data-mark=here]")).toHaveCount(1);
}

test("a case that begins at the provider appears on an open queue, and its end takes it away", async ({
  signedInAs,
  provider,
  say,
}) => {
  const page = await signedInAs("support");
  await page.goto("/kyc?sort=arrival");
  const isStill = await mark(page);
  const queue = page.getByRole("table", { name: say("kyc.title") });
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  await expect(rowWith(queue, [cpf.masked])).toHaveCount(1, { timeout: 20_000 });
  await provider.decideCase(kycUUID, "APPROVED");
  await expect(rowWith(queue, [cpf.masked])).toHaveCount(0, { timeout: 20_000 });
  await isStill();
});

test("a decision taken elsewhere reaches an open case without a reload", async ({ signedInAs, provider, say }) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("auditor");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  const isStill = await mark(page);
  await provider.decideCase(kycUUID, "REPROVED");
  await expect(factOf(page, say("kyc.columns.status"))).toHaveText(say("kyc.status.REPROVED"), { timeout: 20_000 });
  await isStill();
});

const CASE_PAGES = /\/kyc\/[^/]+(\?_rsc=.*)?$/;
const TERMS = "**/api/kyc/*/decision";

for (const { what, cut, mend } of [
  { what: "all is well", cut: async () => undefined, mend: async () => undefined },
  {
    what: "the page gets no answer",
    cut: (page: Page) => page.route(CASE_PAGES, (route) => route.abort()),
    mend: (page: Page) => page.unroute(CASE_PAGES),
  },
  {
    what: "the rules get no answer",
    cut: (page: Page) => page.route(TERMS, (route) => route.abort()),
    mend: (page: Page) => page.unroute(TERMS),
  },
  {
    what: "the network is gone",
    cut: (page: Page) => page.context().setOffline(true),
    mend: (page: Page) => page.context().setOffline(false),
  },
]) {
  test(`a case that changes while somebody writes leaves what is written, and shows the change after: ${what}`, async ({
    signedInAs,
    provider,
    say,
  }) => {
    const kycUUID = await provider.openCase(inventCpf().digits);
    const [page, reader] = [await signedInAs("compliance"), await signedInAs("auditor")];
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    for (const window of [page, reader]) await window.goto(`/kyc/${kycUUID}`);
    const isStill = await mark(page);
    await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
    const reason = additionIn(page.getByRole("dialog"), say);
    await reason.fill("Um motivo escrito com cuidado");
    await cut(page);
    // Who reads is shown the second change only after a rest: who writes had the time to be shown the first.
    for (const status of ["APPROVED", "REPROVED"] as const) {
      await provider.decideCase(kycUUID, status);
      const shown = say(`kyc.status.${status}`);
      await expect(factOf(reader, say("kyc.columns.status"))).toHaveText(shown, { timeout: 20_000 });
    }
    await expect(reason).toHaveValue("Um motivo escrito com cuidado");
    await expect(reason).toBeFocused();
    await mend(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: say("discard.discard"), exact: true }).click();
    await expect(factOf(page, say("kyc.columns.status"))).toHaveText(say("kyc.status.REPROVED"), { timeout: 20_000 });
    await isStill();
  });
}

test("a page that is told of a change while the server cannot be reached stays, and shows it later", async ({
  signedInAs,
  provider,
  say,
}) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("auditor");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  const stream = page.waitForResponse("**/api/live*");
  await page.goto(`/kyc/${kycUUID}`);
  await stream;
  const isStill = await mark(page);
  const probes = page.waitForRequest("**/api/scope");
  // The stream that stands goes on; nothing new gets an answer, from the question on that comes before a refresh.
  let isDown = false;
  await page.route("**/*", (route) => {
    isDown ||= new URL(route.request().url()).pathname === "/api/scope";
    return isDown ? route.abort() : route.continue();
  });
  await provider.decideCase(kycUUID, "REPROVED");
  await probes;
  await expect(factOf(page, say("kyc.columns.status"))).toHaveText(say("kyc.status.PENDING"));
  await page.unroute("**/*");
  await expect(factOf(page, say("kyc.columns.status"))).toHaveText(say("kyc.status.REPROVED"), { timeout: 20_000 });
  await isStill();
});

test("the overview shows a case that has just begun", async ({ signedInAs, provider }) => {
  const page = await signedInAs("compliance");
  await page.goto("/");
  const isStill = await mark(page);
  const cpf = inventCpf();
  await provider.openCase(cpf.digits);
  await expect(page.getByRole("main").getByText(cpf.masked)).toBeVisible({ timeout: 20_000 });
  await isStill();
});

test("an onboarding that a colleague checks ends on every screen that shows it", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf("003");
  const onBoardingId = await provider.requestAccount(cpf.digits);
  const [reader, colleague] = [await signedInAs("auditor"), await signedInAs("support")];
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
});

test("a list to which somebody comes back by the browser's way is read again", async ({
  signedInAs,
  provider,
  say,
}) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("support");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto("/kyc?sort=arrival&order=desc");
  const queue = page.getByRole("table", { name: say("kyc.title") });
  await queue.locator(`a[href*="${kycUUID}"]`).first().click();
  await expect(page).toHaveURL(new RegExp(`/kyc/${kycUUID}`));
  const read = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/api/kyc");
  await page.goBack();
  expect((await read).ok()).toBe(true);
  await expect(queue).toBeVisible();
});

test("the windows of one browser hold one stream between them", async ({ signedInAs, provider, say }) => {
  const first = await signedInAs("support");
  const second = await first.context().newPage();
  const streams = [streamsOf(first), streamsOf(second)];
  await first.goto("/kyc?sort=arrival");
  await second.goto("/kyc?sort=arrival");
  const cpf = inventCpf();
  await provider.openCase(cpf.digits);
  for (const window of [first, second]) {
    const queue = window.getByRole("table", { name: say("kyc.title") });
    await expect(rowWith(queue, [cpf.masked])).toHaveCount(1, { timeout: 20_000 });
  }
  expect(streams.flat()).toHaveLength(1);
  await first.close();
  await expect.poll(() => streams.flat().length, { timeout: 20_000 }).toBe(2);
});

test("a session that ends takes its open screens along, and their stream", async ({
  browser,
  product,
  language,
  say,
}) => {
  const context = await browser.newContext({
    storageState: await openSession(browser, { url: product.url, role: "support", language }),
  });
  const [page, other] = [await context.newPage(), await context.newPage()];
  await page.goto("/kyc");
  await other.goto("/");
  await other.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await other.getByRole("button", { name: say("shell.signOut") }).click();
  await expect(other).toHaveURL(/sign-in/);
  await expect(page).toHaveURL(/sign-in/);
  expect((await page.request.get("/api/live")).status()).toBe(401);
  await context.close();
});
