import type { BrowserContext, Page } from "@playwright/test";
import { z } from "zod";
import { inventCpf } from "./invent";
import { PAYLOADS } from "./payload-list";
import { type Marks, TEXTS } from "./payload-marks";
import type { Tabs } from "./payload-tabs";
import type { Provider } from "./provider";
import { expect } from "./story";
import type { Words } from "./words";

const isOnwards = (link: string, from: string, by: string) =>
  link.split("?")[0] === from.split("?")[0] && new URLSearchParams(link.split("?")[1]).has(by);

/** Links to records of a list, apart from the forms and figures beside them. */
const recordsOf = (links: readonly string[], list: string) =>
  links.filter((link) => new RegExp(`^/${list}/[^/?]+(\\?|$)`).test(link) && !/\/(new|figures)(\?|$)/.test(link));

/** Opens every row of the page's lists, and waits until all that is read of them stands there. */
async function openRows(page: Page, body: string): Promise<void> {
  const openers = page.locator("main button.row-link");
  const rows = openers.and(page.locator("[aria-expanded='false']"));
  // Before its script has come, a page opens nothing.
  await expect(async () => {
    await rows.evaluateAll((buttons) => buttons.forEach((button) => button instanceof HTMLElement && button.click()));
    await expect(rows).toHaveCount(0, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  // The code of what opens may come after the row that opened.
  await expect(page.locator("main tr[id] > td:not(:empty)")).toHaveCount(await openers.count());
  const bodies = page.getByRole("region", { name: body, exact: true });
  await expect(bodies.locator("dl")).toHaveCount(await bodies.count());
}

/** Asks for what there is not, until the provider has said so in every way. */
async function askInVain(page: Page, say: Words, look: () => Promise<unknown>): Promise<void> {
  await page.goto("/accounts");
  const field = page.getByLabel(say("accounts.lookUpLabel"));
  const refusal = page.getByText(/q\d+z\d+q/).first();
  let before = "";
  // Another may be told the same meanwhile, where nobody looks.
  for (let turn = 0; turn < 2 * TEXTS; turn += 1) {
    await field.fill(`nenhuma-abertura-${turn}`);
    await field.press("Enter");
    await expect(async () => {
      expect(await refusal.textContent({ timeout: 1_000 })).not.toBe(before);
    }).toPass({ timeout: 60_000 });
    before = (await refusal.textContent()) ?? "";
    await look();
  }
}

/** Whose a PIX key is, until the provider has told it in every way. */
async function lookUpKeys(page: Page, { tabs, say, accountId }: Reading): Promise<void> {
  await page.goto("/transfers");
  await page.getByRole("button", { name: say("pixKey.button") }).click();
  await page.getByRole("radio", { name: say("privacy.reasons.verification") }).check();
  await page.getByLabel(say("privacy.note")).fill("Conferência antes de pagar");
  await page.getByLabel(say("pixKey.key"), { exact: true }).fill(accountId);
  for (let turn = 0; turn < TEXTS; turn += 1) {
    await page.getByRole("button", { name: say("pixKey.submit") }).click();
    const again = page.getByRole("button", { name: say("pixKey.again") });
    await expect(again).toBeVisible();
    await tabs.look(page);
    await again.click();
  }
}

/** An onboarding that led to an account, with all that the provider says of one. */
export async function openCustomer(provider: Provider) {
  const document = inventCpf().digits;
  const onBoardingId = await provider.requestAccount(document);
  await provider.steerOnboarding(onBoardingId, { status: "CONFIRMED" });
  const { accountId } = (await provider.checkOnboarding(onBoardingId)).body.account;
  const account = { onBoardingId, accountId: accountId ?? "", document };
  await provider.credit(account, { amount: "10.00", description: "Boleto" });
  return account;
}

const TOTALS = { "/api/wallets": 2 * TEXTS, "/api/onboarding?status=all": PAYLOADS.length + 3 * TEXTS };

/** Waits until the watches have brought as many records as the tampered lists hold, beside those that were ordered. */
export async function untilStored(context: BrowserContext): Promise<void> {
  const total = async (address: string) =>
    z.object({ total: z.number() }).parse(await (await context.request.get(address)).json()).total;
  for (const [address, least] of Object.entries(TOTALS)) {
    const stored = expect.poll(() => total(address), { message: address, timeout: 60_000 });
    await stored.toBeGreaterThanOrEqual(least);
  }
}

const Rows = z.object({ rows: z.array(z.object({ id: z.string(), status: z.string() })), totalPages: z.number() });

/** The pages of the records of which more can be asked, and of those that were ordered. */
async function recordPages(context: BrowserContext, list: "onboarding" | "wallets") {
  const [first, ordered]: [string[], string[]] = [[], []];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const answer = await context.request.get(`/api/${list}?status=all&page=${page}`);
    const { rows, totalPages } = Rows.parse(await answer.json());
    last = totalPages;
    for (const { id, status } of rows) {
      const address = `/${list}/${encodeURIComponent(id)}`;
      if (list === "wallets" ? !id.includes("~2") : status === "PROCESSING") first.push(address);
      else if (list === "onboarding" && !status.includes("~2")) ordered.push(address);
    }
  }
  return { first, ordered };
}

type Reading = { context: BrowserContext; tabs: Tabs; marks: Marks; say: Words; accountId: string };

const ACCOUNT_ID = "/v1/bank-accounts/checkOnboarding.data.body.account.accountId";
/** One of so many records is opened: of those with a link there is one a payload, and far fewer say all else. The others are gone to from there. */
const OPENED_OF = 5;

async function visitOpened(page: Page, path: string, { tabs, say }: Reading): Promise<string[]> {
  const links = await tabs.visit(page, path);
  await openRows(page, say("received.body"));
  await tabs.look(page);
  return links;
}

const visitPlain = (page: Page, path: string, { tabs }: Reading) => tabs.visit(page, path);

/** A list to its end, page by page, with its rows opened where they open. */
async function visitList(page: Page, { first, by }: { first: string; by: string }, reading: Reading) {
  const [held, seen] = [new Set<string>(), new Set<string>()];
  for (let path: string | undefined = first; path !== undefined;) {
    seen.add(path);
    const links: string[] = await (by === "before" ? visitOpened : visitPlain)(page, path, reading);
    for (const link of links) held.add(link);
    // Of the pages before and behind this one, the one behind it.
    path = links.findLast((link) => isOnwards(link, first, by) && !seen.has(link));
  }
  return [...held];
}

/** Of the cases those that were ordered, as opposed to listed. */
const isOrdered = (address: string) => /caso-p[fj]/.test(address);

const isOpened = (_: string, place: number) => place % OPENED_OF === 0;

/** Accounts, until every payload of what only their screens show was read. */
async function visitAccounts(paths: readonly string[], { tabs, marks }: Reading): Promise<void> {
  const isUnread = () => marks.told().some(({ field, unread }) => field === ACCOUNT_ID && unread.length > 0);
  for (let from = 0; from < paths.length && isUnread(); from += tabs.pages.length) {
    await tabs.visitAll(paths.slice(from, from + tabs.pages.length));
  }
}

/** Each entry of an account's statement, with all that the provider says of it. */
async function walkEntries(page: Page, path: string, { tabs, say }: Reading): Promise<void> {
  await tabs.visit(page, path);
  await page
    .getByRole("table", { name: say("accounts.statement") })
    .getByRole("button")
    .first()
    .click();
  const panel = page.getByRole("dialog", { name: say("statement.entry") });
  const older = panel.getByRole("button", { name: say("statement.olderEntry") });
  for (let isLast = false; !isLast;) {
    await expect(panel.getByRole("region", { name: say("statement.told") })).toBeVisible();
    await tabs.look(page);
    isLast = (await older.getAttribute("aria-disabled")) === "true";
    if (!isLast) await older.click();
  }
}

/** Every screen, with as many records of each kind as it takes for every payload. */
export async function readEverything(reading: Reading): Promise<void> {
  const { context, tabs, say } = reading;
  const [one, two, three, four] = tabs.pages;
  // Some of what nobody is shown is said once an answer.
  const askOften = async () => {
    for (let asked = 0; asked < TEXTS; asked += 1) await context.request.get("/webhooks");
  };
  const [cases] = await Promise.all([
    visitList(one, { first: "/kyc?status=all", by: "after" }, reading),
    visitList(two, { first: "/onboarding?status=all", by: "page" }, reading),
    visitList(three, { first: "/webhooks", by: "before" }, reading),
    visitList(four, { first: "/wallets", by: "page" }, reading),
    askOften(),
  ]);
  const [onboardings, wallets] = [await recordPages(context, "onboarding"), await recordPages(context, "wallets")];
  const kyc = recordsOf(cases, "kyc");
  const ordered = [...kyc.filter(isOrdered), ...onboardings.ordered];
  const listed = [...kyc.filter((address) => !isOrdered(address)), ...onboardings.first];
  const opened = [...listed, ...ordered].filter(isOpened);
  await tabs.visitAll(["/", "/accounts", ...opened.filter((path) => !isOrdered(path)), ...wallets.first]);
  await tabs.followAll(opened.filter(isOrdered));
  const links = await tabs.followAll([...listed, ...ordered].filter((path) => !opened.includes(path)));
  const accounts = recordsOf(links, "accounts");
  await visitAccounts(accounts, reading);
  await walkEntries(one, accounts[0] ?? "", reading);
  await lookUpKeys(one, reading);
  await Promise.all([
    askInVain(one, say, () => tabs.look(one)),
    visitList(two, { first: "/calls?view=failed", by: "before" }, reading),
    visitOpened(three, "/audit?code=kyc.start&outcome=DONE", reading),
    visitOpened(four, "/audit?outcome=REFUSED", reading),
  ]);
}
