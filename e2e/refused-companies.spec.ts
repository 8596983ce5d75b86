import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { freePort } from "@/test/support/temporary-product.mjs";
import { openColleagueSession } from "./support/colleague";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { all, type Element, readPage, textsOf } from "./support/markup";
import { STEADY } from "./support/pace";
import { startProduct } from "./support/product";
import { expect, providerOf, test as base } from "./support/story";
import { goTo } from "./support/two-tenants";
import type { Words } from "./support/words";

/** A gateway that gives tokens and, unlike the embedded service, also refuses a restricted company's queries. */
async function startRestrictingGateway() {
  const server = createServer((incoming, outgoing) => {
    const isToken = incoming.url?.endsWith("/access-token") === true;
    const lifetime = { expires_in: 3600, issued_at: new Date().toISOString() };
    const token = { access_token: "of-a-restricted-company", token_type: "Bearer", scope: "all", ...lifetime };
    outgoing.writeHead(isToken ? 201 : 402, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(isToken ? token : { error: "ACCOUNT_RESTRICTED", message: "Pending payments" }));
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}

const REFUSED = [
  {
    code: "ACCOUNT_SUSPENDED",
    tenant: { name: "Empresa Suspensa", clientId: "suspensa", billingStatus: "SUSPENDED" },
  },
  { code: "ACCOUNT_RESTRICTED", tenant: { name: "Empresa Restrita", clientId: "restrita" } },
  {
    code: "OPERATION_NOT_ALLOWED",
    tenant: { name: "Empresa Sem Operação", clientId: "sem-operacao", allowedOperations: [] },
  },
] as const;
const WITHOUT_KYC = { name: "Empresa Sem KYC", clientId: "sem-kyc", enabledProducts: ["BANKING", "CRYPTO"] };
const COMPANIES = [...REFUSED.map(({ tenant }) => tenant), WITHOUT_KYC];

type Console = { url: string; session: Awaited<ReturnType<typeof openColleagueSession>> };

/** A console whose companies the provider refuses, each for another reason, and a window of a person who may read everything. */
const test = base.extend<{ refused: Page }, { console: Console }>({
  console: [
    async ({ product, browser }, use) => {
      const gateway = await startRestrictingGateway();
      const folder = mkdtempSync(join(tmpdir(), "retaguarda-refused-"));
      const file = join(folder, "tenants.json");
      const tenants = COMPANIES.map(({ name, clientId }, place) => {
        const { clientSecret } = providerOf(product, place);
        const baseUrl = clientId === "restrita" ? gateway.origin : product.serviceUrl;
        return { name, environment: "SANDBOX", baseUrl, clientId, clientSecret };
      });
      writeFileSync(file, JSON.stringify(tenants), { mode: 0o600 });
      const settings = { ...STEADY, TENANTS_FILE: file, SECOND_FACTOR_FOR: "critical-roles" };
      const own = await startProduct(settings);
      const roles = ["support", "compliance", "auditor"] as const;
      await use({ url: own.url, session: await openColleagueSession(browser, own, ...roles) });
      await own.stop();
      await gateway.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: "worker", timeout: 180_000 },
  ],

  refused: async ({ browser, language, console: { url, session } }, use) => {
    const context = await browser.newContext({ baseURL: url, storageState: session });
    await context.addCookies([{ name: "locale", value: language, url }]);
    const page = await context.newPage();
    await page.goto("/");
    await use(page);
    await context.close();
  },
});

test.use({
  ownProduct: { SERVICE_DEMO_DATA: "false", WATCH_INTERVAL_SECONDS: "3600" },
  ownTenant: REFUSED[0].tenant,
  // Playwright takes a list of several objects for a value with its options.
  moreTenants: [COMPANIES.slice(1), { scope: "worker" }],
});

const main = (page: Page) => page.getByRole("main");

/** A screen's text as the server sent it, streamed parts included. */
async function readScreen(page: Page, address: string): Promise<Element[]> {
  const whole = await readPage(page.request, address);
  const late = all(whole, "div", { hidden: "" }).filter(({ attributes }) => attributes["id"]?.startsWith("S:"));
  return [...all(whole, "main"), ...late];
}

const says = (texts: readonly string[], words: string) => texts.some((text) => text.includes(words));

/** Reloads the screen until it gives the reason, which needs the watch's first round. */
async function untilTold(page: Page, address: string, sentence: string): Promise<Element[]> {
  const told = expect.poll(
    async () => {
      const screen = await readScreen(page, address);
      return says(screen.flatMap(textsOf), sentence);
    },
    { message: `${address} says ${sentence}`, timeout: 40_000 },
  );
  await told.toBe(true);
  return readScreen(page, address);
}

/** The texts of an empty list. */
const emptyWords = (say: Words) => [
  say("kyc.emptyTitle"),
  say("onboarding.emptyTitle"),
  say("wallets.emptyTitle"),
  say("webhooks.emptyTitle"),
  say("home.nothingToDecide"),
  say("home.nobodyWaits"),
];

/** The overview's tiles that count at the provider, without our own open writes and transfers. */
function providersTiles(screen: readonly Element[], say: Words): string[] {
  const names = [say("home.ownCases"), say("home.dueCases"), say("home.toDecide"), say("home.refused")];
  const tiles = screen.flatMap((part) => all(part, "a")).map(textsOf);
  const found = tiles.filter(([name]) => name !== undefined && names.includes(name));
  expect(found).toHaveLength(names.length);
  return found.flat();
}

/** Our own decisions are counted whatever the provider answers. */
const COUNTS_OURS = "/kyc/figures";
const SCREENS = ["/", "/kyc", "/kyc?status=all", COUNTS_OURS, "/onboarding", "/wallets"];

test(
  "each screen of a refused company says why and since when, and counts nothing",
  { tag: "@long" },
  async ({ refused: page, say }) => {
    test.slow();
    const [since = ""] = say("states.since", { time: "@" }).split("@");
    for (const { code, tenant } of REFUSED) {
      await test.step(code, async () => {
        const why = say(`refusals.${code}.body`);
        await goTo(page, say, tenant.name);
        for (const address of SCREENS) {
          const screen = await untilTold(page, address, why);
          const texts = screen.flatMap(textsOf);
          expect(says(texts, since), address).toBe(true);
          const counted = address === "/" ? providersTiles(screen, say) : texts;
          if (address !== COUNTS_OURS) expect(counted, `${address} counts what was not read`).not.toContain("0");
          for (const words of emptyWords(say)) expect(says(texts, words), `${address}: ${words}`).toBe(false);
        }
        await lookUp(page, say, inventCpf().typed);
        await expect(main(page).getByText(why).first()).toBeVisible();

        // Only a window shows a section's failure.
        await page
          .getByRole("navigation", { name: say("shell.navigation") })
          .getByRole("link", { name: say("webhooks.title"), exact: true })
          .click();
        await expect(page.getByRole("heading", { level: 1, name: say("webhooks.title") })).toBeVisible();
        await expect(main(page).getByText(why).first()).toBeVisible();
        const text = await main(page).innerText();
        // A refusal of one operation says nothing about the others.
        if (code !== "OPERATION_NOT_ALLOWED") expect(text).toContain(since);
        for (const words of emptyWords(say)) expect(text).not.toContain(words);
      });
    }
  },
);

test(
  "a company without KYC says so on KYC screens, and the rest works",
  { tag: "@long" },
  async ({ refused: page, say }) => {
    await goTo(page, say, WITHOUT_KYC.name);
    const why = say("refusals.PRODUCT_NOT_ENABLED.body");
    for (const address of ["/", "/kyc", "/kyc/figures"]) {
      const texts = (await untilTold(page, address, why)).flatMap(textsOf);
      for (const words of [say("kyc.emptyTitle"), say("home.nothingToDecide")]) expect(says(texts, words)).toBe(false);
    }
    for (const [address, title] of [
      ["/onboarding", say("onboarding.emptyTitle")],
      ["/wallets", say("wallets.emptyTitle")],
      ["/webhooks", say("webhooks.emptyTitle")],
    ] as const) {
      const texts = (await untilTold(page, address, title)).flatMap(textsOf);
      expect(says(texts, why), address).toBe(false);
    }
    await page.goto("/kyc");
    await expect(main(page).getByText(why).first()).toBeVisible();
  },
);
