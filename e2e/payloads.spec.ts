import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { z } from "zod";
import { root } from "@/scripts/program.mjs";
import { inventCpf } from "./invent";
import { lookUp } from "./look-up";
import { BRISK } from "./pace";
import { startProduct } from "./product";
import { PAYLOADS } from "./payload-list";
import { hearViolations } from "./policy";
import { untilSeen } from "./sight";
import { expect, test as base } from "./story";
import { startTamperingProvider } from "./tampering-provider";

const EMAIL = "leitora@retaguarda.example";
const PASSWORD = "uma senha comprida so desta historia";
const RECORDS_OF_A_LIST = 4;

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

type Victim = { url: string; told: Awaited<ReturnType<typeof startTamperingProvider>>["told"] };

/** A console whose provider is tampered with on the way, and a person there who may read every screen. */
const test = base.extend<{ victim: Victim }>({
  victim: async ({ product }, use) => {
    const tampering = await startTamperingProvider(product.serviceUrl);
    const file = z.object({ tenants: z.array(z.object({ clientId: z.string(), clientSecret: z.string() })) });
    const { tenants } = file.parse(JSON.parse(readFileSync(join(product.dataDir, "service/tenants.json"), "utf8")));
    const settings = {
      ...BRISK,
      BANK_BASE_URL: tampering.origin,
      BANK_CLIENT_ID: tenants[0]?.clientId ?? "",
      BANK_CLIENT_SECRET: tenants[0]?.clientSecret ?? "",
    };
    const victim = await startProduct(settings);
    await addReader({ ...settings, DATA_DIR: victim.dataDir, PUBLIC_URL: victim.url });
    await use({ url: victim.url, told: tampering.told });
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
  return context;
}

/** What stands on the page now: whether anything ran, what could, and what people read. */
const inspect = (page: Page) =>
  page.evaluate((own) => {
    const addresses = [...document.querySelectorAll("[href], [src], [action], [formaction], [data], [srcdoc]")].flatMap(
      (element) =>
        ["href", "src", "action", "formaction", "data", "srcdoc"].flatMap((name) => {
          const address = element.getAttribute(name);
          if (address === null) return [];
          const isOwn = URL.canParse(address, own) && new URL(address, own).origin === own;
          const opensElsewhere = element.matches('a[target="_blank"][rel="noopener noreferrer"]');
          return isOwn || (opensElsewhere && address.startsWith("https://")) ? [] : [`${name}=${address}`];
        }),
    );
    const handlers = [...document.querySelectorAll("*")].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith("on")),
    );
    const links = [...document.querySelectorAll("main a[href^='/']")].map((link) => link.getAttribute("href") ?? "");
    const titles = [...document.querySelectorAll("[title]")].map((element) => element.getAttribute("title") ?? "");
    return {
      ran: Reflect.has(window, "ran"),
      unsafe: [...addresses, ...handlers],
      links,
      text: [document.body.textContent, ...titles].join("\n"),
    };
  }, new URL(page.url()).origin);

/** A payload as people see it: hidden signs have become names, blanks have been folded. */
const seenForm = (payload: string) => payload.split(/[\p{Cc}\p{Cf}]/u).toSorted((a, b) => b.length - a.length)[0] ?? "";

test("what the provider sends stays text: nothing runs, nothing is fetched, no unsafe link comes to be", async ({
  browser,
  provider,
  victim,
  say,
}) => {
  test.setTimeout(300_000);
  const cpf = inventCpf();
  await provider.credit(await provider.openAccount(cpf.digits), { amount: "10.00", description: "Boleto" });
  const kycUUID = await provider.openCase(inventCpf().digits);

  const context = await signIn(browser, victim.url);
  await context.addCookies([{ name: "locale", value: "pt-BR", url: victim.url }]);
  const violations = await hearViolations(context);
  const page = await context.newPage();
  const dialogs: string[] = [];
  const foreign: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(victim.url)) foreign.push(request.url());
  });

  const unsafe: string[] = [];
  const seen = new Set<string>();
  const visited: string[] = [];
  async function look() {
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    const found = await inspect(page);
    visited.push(new URL(page.url()).pathname);
    if (found.ran) unsafe.push(`${page.url()} ran`);
    unsafe.push(...found.unsafe.map((what) => `${page.url()} ${what}`));
    for (const payload of PAYLOADS) if (found.text.includes(seenForm(payload))) seen.add(payload);
    return found.links;
  }

  await untilSeen(page, "/api/kyc?status=all", kycUUID);
  await untilSeen(page, "/api/onboarding?acts=holder", '"biometric":{');
  await lookUp(page, say, cpf.digits);
  await page.waitForURL(/\/accounts\/.+/);
  await expect(page.getByRole("table", { name: say("accounts.statement") })).toBeVisible();
  await look();
  for (const list of [
    "/",
    "/kyc?status=all",
    "/onboarding?status=all",
    "/accounts",
    "/wallets",
    "/webhooks",
    "/calls",
  ]) {
    await page.goto(list);
    const links = await look();
    const records = links.filter((link) => /^\/(kyc|onboarding|accounts|wallets)\/[^?/]+(\?|$)/.test(link));
    for (const record of [...new Set(records)].slice(0, RECORDS_OF_A_LIST)) {
      await page.goto(record);
      await look();
    }
  }

  const { strings, fields, fieldsWithAll } = victim.told();
  console.log(
    `${PAYLOADS.length} payloads in ${strings} texts of ${fields} fields (${fieldsWithAll} had all of them); ` +
      `${visited.length} screens, ${seen.size} payloads read as text on them: ${dialogs.length} dialogs, ` +
      `${foreign.length} foreign requests, ${unsafe.length} unsafe links or handlers, ${violations.length} refusals`,
  );
  await context.close();
  expect({ dialogs, foreign, unsafe, violations }).toEqual({ dialogs: [], foreign: [], unsafe: [], violations: [] });
  expect(PAYLOADS).toHaveLength(60);
  expect(fields).toBeGreaterThan(15);
  // Links are told of by their host alone; every other payload is there to be read.
  expect(PAYLOADS.filter((payload) => !seen.has(payload))).toEqual([]);
});
