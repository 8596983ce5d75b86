import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { z } from "zod";
import { root } from "@/scripts/program.mjs";
import { inventCpf } from "./invent";
import { BRISK } from "./pace";
import { deliverAll } from "./payload-deliveries";
import { NOT_SHOWN } from "./payload-fields";
import { PAYLOADS } from "./payload-list";
import { createMarks, type Marks } from "./payload-marks";
import { openTabs } from "./payload-tabs";
import { hearViolations } from "./policy";
import { startProduct } from "./product";
import type { Provider } from "./provider";
import { expect, test as base } from "./story";
import { startTamperingProvider } from "./tampering-provider";
import type { Words } from "./words";

const EMAIL = "leitora@retaguarda.example";
const PASSWORD = "uma senha comprida so desta historia";
const SECRET = "o segredo com que o provedor assina o que entrega";

async function addReader(settings: Record<string, string>) {
  const command = ["scripts/staff.ts", "add", EMAIL, "--name", "Leitora", "--role", "support,compliance,auditor"];
  const child = spawn(process.execPath, ["--conditions=react-server", "--import", "tsx", ...command], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(PASSWORD);
  expect(await once(child, "exit")).toEqual([0, null]);
}

type Victim = { url: string; clientId: string; marks: Marks; lists: (onBoardingId: string) => void };

/** A console whose provider is tampered with on the way, and a person there who may read every screen. */
const test = base.extend<{ victim: Victim }>({
  victim: async ({ product }, use) => {
    const marks = createMarks();
    const tampering = await startTamperingProvider(product.serviceUrl, marks);
    const file = z.object({ tenants: z.array(z.object({ clientId: z.string(), clientSecret: z.string() })) });
    const { tenants } = file.parse(JSON.parse(readFileSync(join(product.dataDir, "service/tenants.json"), "utf8")));
    const { clientId = "", clientSecret = "" } = tenants[0] ?? {};
    const settings = {
      ...BRISK,
      BANK_BASE_URL: tampering.origin,
      BANK_CLIENT_ID: clientId,
      BANK_CLIENT_SECRET: clientSecret,
      BANK_WEBHOOK_SECRET: SECRET,
    };
    const victim = await startProduct(settings);
    await addReader({ ...settings, DATA_DIR: victim.dataDir, PUBLIC_URL: victim.url });
    await use({ url: victim.url, clientId, marks, lists: tampering.lists });
    await victim.stop();
    await tampering.stop();
  },
});

test.use({ ownProduct: { WATCH_INTERVAL_SECONDS: "3600" } });

async function signIn(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url });
  const csrf = await context.request.get("/api/auth/csrf");
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(await csrf.json());
  const form = { csrfToken, email: EMAIL, password: PASSWORD, json: "true" };
  expect((await context.request.post("/api/auth/callback/credentials", { form })).ok()).toBe(true);
  await context.addCookies([{ name: "locale", value: "pt-BR", url }]);
  return context;
}

const isOnwards = (link: string, from: string, by: string) =>
  link.split("?")[0] === from.split("?")[0] && new URLSearchParams(link.split("?")[1]).has(by);

/** Links to records of a list, apart from the forms and figures beside them. */
const recordsOf = (links: readonly string[], list: string) =>
  links.filter((link) => new RegExp(`^/${list}/[^/?]+(\\?|$)`).test(link) && !/\/(new|figures)(\?|$)/.test(link));

/** Opens every row of the page's lists, and waits until all that is read of them stands there. */
async function openRows(page: Page, body: string): Promise<void> {
  const rows = page.locator("main button.row-link[aria-expanded='false']");
  // Before its script has come, a page opens nothing.
  await expect(async () => {
    await rows.evaluateAll((buttons) => buttons.forEach((button) => button instanceof HTMLElement && button.click()));
    await expect(rows).toHaveCount(0, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  const bodies = page.getByRole("region", { name: body, exact: true });
  await expect(bodies.locator("dl")).toHaveCount(await bodies.count());
}

/** Asks for what there is not, until the provider has said so in every way. */
async function askInVain(page: Page, say: Words, look: () => Promise<unknown>): Promise<void> {
  await page.goto("/accounts");
  const field = page.getByLabel(say("accounts.lookUpLabel"));
  const refusal = page.getByText(/q\d+z\d+q/).first();
  let before = "";
  for (const turn of PAYLOADS.keys()) {
    await field.fill(`nenhuma-abertura-${turn}`);
    await field.press("Enter");
    await expect.poll(() => refusal.textContent({ timeout: 5_000 })).not.toBe(before);
    before = (await refusal.textContent()) ?? "";
    await look();
  }
}

/** An onboarding that led to an account, with all that the provider says of one. */
async function openCustomer(provider: Provider): Promise<string> {
  const document = inventCpf().digits;
  const onBoardingId = await provider.requestAccount(document);
  await provider.steerOnboarding(onBoardingId, { status: "CONFIRMED" });
  const { accountId } = (await provider.checkOnboarding(onBoardingId)).body.account;
  const account = { onBoardingId, accountId: accountId ?? "", document };
  await provider.credit(account, { amount: "10.00", description: "Boleto" });
  return onBoardingId;
}

/** Waits until the watches have brought as many records as the tampered lists hold. */
async function untilKept(context: BrowserContext): Promise<void> {
  const total = async (address: string) =>
    z.object({ total: z.number() }).parse(await (await context.request.get(address)).json()).total;
  for (const address of ["/api/wallets", "/api/onboarding?status=all"]) {
    const kept = expect.poll(() => total(address), { message: address, timeout: 60_000 });
    await kept.toBeGreaterThanOrEqual(2 * PAYLOADS.length);
  }
}

const Rows = z.object({ rows: z.array(z.object({ id: z.string(), status: z.string() })), totalPages: z.number() });

/** The pages of the sixty records of which more can be asked. */
async function firstCopies(context: BrowserContext, list: "onboarding" | "wallets"): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const answer = await context.request.get(`/api/${list}?status=all&page=${page}`);
    const { rows, totalPages } = Rows.parse(await answer.json());
    last = totalPages;
    const isFirst = ({ id, status }: (typeof rows)[number]) =>
      list === "wallets" ? !id.includes("~2") : status === "PROCESSING";
    ids.push(...rows.filter(isFirst).map(({ id }) => id));
  }
  return ids.map((id) => `/${list}/${encodeURIComponent(id)}`);
}

/** Every screen, with as many records of each kind as there are payloads. */
async function readEverything(context: BrowserContext, tabs: Awaited<ReturnType<typeof openTabs>>, say: Words) {
  const [one, two, three, four] = tabs.pages;
  /** A list to its end, page by page, with its rows opened where they open. */
  async function visitList(page: Page, first: string, by: string): Promise<string[]> {
    const [held, seen] = [new Set<string>(), new Set<string>()];
    for (let path: string | undefined = first; path !== undefined;) {
      seen.add(path);
      const links = await tabs.visit(page, path);
      if (by === "before") {
        await openRows(page, say("received.body"));
        await tabs.look(page);
      }
      for (const link of links) held.add(link);
      // Of the pages before and behind this one, the one behind it.
      path = links.findLast((link) => isOnwards(link, first, by) && !seen.has(link));
    }
    return [...held];
  }
  // Some of what nobody is shown is said once an answer.
  const askOften = async () => {
    for (const _ of PAYLOADS) await context.request.get("/webhooks");
  };
  const [cases] = await Promise.all([
    visitList(one, "/kyc?status=all", "after"),
    visitList(two, "/onboarding?status=all", "page"),
    visitList(three, "/webhooks", "before"),
    visitList(four, "/wallets", "page"),
    askOften(),
  ]);
  const records = [
    ...recordsOf(cases, "kyc"),
    ...(await firstCopies(context, "onboarding")),
    ...(await firstCopies(context, "wallets")),
  ];
  const links = await tabs.visitAll(["/", "/accounts", ...records]);
  await tabs.visitAll(recordsOf(links, "accounts"));
  await askInVain(one, say, () => tabs.look(one));
  await visitList(one, "/calls?view=failed", "before");
}

test("what the provider sends stays text: nothing runs, nothing is fetched, no unsafe link comes to be", async ({
  browser,
  provider,
  victim,
  say,
}) => {
  test.setTimeout(480_000);
  const { marks, url, clientId, lists } = victim;
  lists(await openCustomer(provider));
  await deliverAll(`${url}/api/hooks/${clientId}`, SECRET, marks);
  const context = await signIn(browser, url);
  const violations = await hearViolations(context);
  const tabs = await openTabs(context, url, marks);
  await untilKept(context);
  await readEverything(context, tabs, say);
  // What is said once a look of a watch takes as many looks.
  const unsent = () =>
    marks
      .told()
      .filter((told) => told.unsent.length > told.unsendable)
      .map(({ field }) => field);
  await expect.poll(unsent, { message: "every field had every payload", timeout: 60_000 }).toEqual([]);
  await context.close();

  const { dialogs, foreign, unsafe, visited } = tabs.found;
  const told = marks.told();
  const shown = told.filter(({ field }) => !NOT_SHOWN.has(field));
  console.log(
    `${told.length} fields x ${PAYLOADS.length} payloads, all sent; those of ${shown.length} fields read as text on ` +
      `${visited} screens, ${told.length - shown.length} fields shown otherwise or not at all: ${dialogs.length} dialogs, ` +
      `${foreign.length} foreign requests, ${unsafe.length} unsafe links or handlers, ${violations.length} refusals`,
  );
  expect({ dialogs, foreign, unsafe, violations }).toEqual({ dialogs: [], foreign: [], unsafe: [], violations: [] });
  expect(PAYLOADS).toHaveLength(60);
  const unread = shown.filter((one) => one.unread.length > one.unsendable);
  expect(unread.map(({ field, unread: places }) => `${field}: ${places.join(" ")}`)).toEqual([]);
  expect([...NOT_SHOWN.keys()].filter((field) => !told.some((one) => one.field === field))).toEqual([]);
});
