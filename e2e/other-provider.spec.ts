import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expectNoSidewaysScroll } from "./support/accessible";
import { openColleagueSession } from "./support/colleague";
import { expectCountsLead, expectOverview } from "./support/counted";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { startOtherProvider, TURNING } from "./support/other-provider";
import { STEADY } from "./support/pace";
import { startProduct } from "./support/product";
import type { Provider } from "./support/provider";
import { expectRow, factOf, rowWith, untilSeen } from "./support/sight";
import { expect, providerOf, test as base } from "./support/story";
import { AURORA, BOREAL, goTo } from "./support/two-tenants";
import { reais, type Words } from "./support/words";

const webhook = {
  url: "https://ganchos.example/eventos",
  secret: "com que este provedor assina",
  events: ["onboarding-create"],
};

type Status = "PENDING" | "PROCESSING" | "APPROVED" | "REPROVED";
type Case = { kycUUID: string; masked: string; status: Status };

/** `scopied`: past the background check, so the case also has a document-scopy record. */
async function openCases(provider: Provider, statuses: readonly Status[], { scopied = false } = {}): Promise<Case[]> {
  const cases: Case[] = [];
  for (const status of statuses) {
    const { digits, masked } = inventCpf();
    const kycUUID = await provider.openCase(digits);
    await provider.steerCase(kycUUID, status, scopied ? "kyc-documentscopy" : undefined);
    cases.push({ kycUUID, masked, status });
  }
  return cases;
}

/** An account paid that many times, one real and one cent more each time, which has paid twice. */
async function openBusyAccount(provider: Provider, credits: number) {
  const holder = inventCpf();
  const payee = inventCpf();
  const account = await provider.openAccount(holder.digits);
  for (let n = 1; n <= credits; n += 1) {
    await provider.credit(account, {
      amount: `${n}.${String(n).padStart(2, "0")}`,
      description: `Recebimento ${n} ${TURNING}`,
    });
  }
  const other = await provider.openAccount(payee.digits);
  for (const amount of ["0.31", "0.47"]) await provider.transfer(account, other, amount);
  return { ...account, holder, payee };
}

/** An invented person with an unchanging onboarding and a mask unlike the others'. */
function inventUnlike(masks: readonly string[]): ReturnType<typeof inventCpf> {
  const invented = inventCpf("003");
  return masks.includes(invented.masked) ? inventUnlike(masks) : invented;
}

async function openOnboardings(provider: Provider, counts: { waiting: number; refused: number }) {
  const waiting: string[] = [];
  const refused: string[] = [];
  for (let n = 0; n < counts.waiting + counts.refused; n += 1) {
    const { digits, masked } = inventUnlike([...waiting, ...refused]);
    const onBoardingId = await provider.requestAccount(digits);
    (n < counts.waiting ? waiting : refused).push(masked);
    if (n < counts.waiting) continue;
    await provider.steerOnboarding(onBoardingId, { status: "ERROR", messages: [{ message: "Documento ilegível" }] });
  }
  return { waiting, refused };
}

const WALLETS = 39;

async function seed(provider: Provider, isLarge: boolean) {
  const checked = await openCases(
    provider,
    isLarge
      ? ["PENDING", "PENDING", "PENDING", "PROCESSING", "PROCESSING", "APPROVED", "APPROVED", "REPROVED"]
      : ["PENDING", "PENDING", "PENDING", "PENDING", "PROCESSING"],
  );
  const scopied = await openCases(provider, isLarge ? ["PENDING", "PENDING", "APPROVED"] : [], { scopied: true });
  const account = await openBusyAccount(provider, isLarge ? 10 : 4);
  const onboardings = await openOnboardings(
    provider,
    isLarge ? { waiting: 6, refused: 2 } : { waiting: 1, refused: 1 },
  );
  const wallet = await provider.createWallet("TRON");
  await provider.deposit({ network: "TRON", address: wallet.address, amount: "12.000001" });
  for (let n = 1; n < (isLarge ? WALLETS : 3); n += 1) await provider.createWallet("BTC");
  return { checked, scopied, account, onboardings, wallet };
}

type Strange = {
  url: string;
  provider: Provider;
  aurora: Awaited<ReturnType<typeof seed>>;
  boreal: Awaited<ReturnType<typeof seed>>;
  session: Awaited<ReturnType<typeof openColleagueSession>>;
};

/** A console of two companies, each at a provider with another deviation from the embedded service. */
const test = base.extend<{ window: Page }, { strange: Strange }>({
  strange: [
    async ({ product, browser }, use) => {
      const providers = [providerOf(product, 0), providerOf(product, 1)] as const;
      const aurora = await seed(providers[0], true);
      const boreal = await seed(providers[1], false);
      const fronts = [
        await startOtherProvider(product.serviceUrl, "strangest"),
        await startOtherProvider(product.serviceUrl, "pageless"),
      ] as const;
      const folder = mkdtempSync(join(tmpdir(), "retaguarda-others-"));
      const file = join(folder, "tenants.json");
      const tenants = [AURORA, BOREAL].map((name, place) => {
        const { clientId, clientSecret } = providerOf(product, place);
        return { name, environment: "SANDBOX", baseUrl: fronts[place]?.origin, clientId, clientSecret };
      });
      writeFileSync(file, JSON.stringify(tenants), { mode: 0o600 });
      const settings = { ...STEADY, TENANTS_FILE: file, SECOND_FACTOR_FOR: "critical-roles" };
      const own = await startProduct(settings);
      const session = await openColleagueSession(browser, own, "support", "compliance", "auditor");
      await use({ url: own.url, provider: providers[0], aurora, boreal, session });
      await own.stop();
      for (const front of fronts) await front.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: "worker", timeout: 240_000 },
  ],

  window: async ({ browser, language, strange }, use) => {
    const context = await browser.newContext({ baseURL: strange.url, storageState: strange.session });
    await context.addCookies([{ name: "locale", value: language, url: strange.url }]);
    const page = await context.newPage();
    await page.goto("/");
    await use(page);
    await context.close();
  },
});

test.use({
  ownProduct: { SERVICE_DEMO_DATA: "false", WATCH_INTERVAL_SECONDS: "3600" },
  ownTenant: { clientId: "aurora", name: AURORA, webhook },
  moreTenants: [{ clientId: "boreal", name: BOREAL, webhook }],
});

/** The provider's word, translated where known. */
const wordOf = (say: Words, status: Status) => (status === "PROCESSING" ? "EM_ANALISE" : say(`kyc.status.${status}`));

const countOf = (links: Locator, name: string) => links.getByRole("link", { name: new RegExp(`^${name} ?\\d`) });

async function untilRead(page: Page, { checked, scopied, onboardings }: Strange["aurora"]): Promise<void> {
  for (const { kycUUID } of [...checked, ...scopied]) await untilSeen(page, "/api/kyc?status=all", kycUUID);
  await untilSeen(page, "/api/kyc?status=all", '"readSoFar":null');
  for (const masked of [...onboardings.waiting, ...onboardings.refused]) {
    await untilSeen(page, "/api/onboarding?status=all", masked);
  }
}

const cellsOf = async (row: Locator): Promise<string[]> => [
  (await row.getAttribute("data-transaction")) ?? "",
  ...(await row.locator("td").allTextContents()),
];

/** Every row of the statement as its cells show it; one page of ours combines several small ones of the provider's. */
async function readStatement(page: Page, say: Words, count: number): Promise<string[][]> {
  const rows = page.getByRole("table", { name: say("accounts.statement") }).locator("tbody tr:not([data-day])");
  await expect(rows).toHaveCount(count);
  await expect(page.getByRole("link", { name: say("paging.next") })).toHaveCount(0);
  return Promise.all((await rows.all()).map(cellsOf));
}

const tileOf = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name: new RegExp(`^${name}`) });

const open = (page: Page, say: Words, name: "kyc" | "onboarding" | "wallets" | "webhooks" | "home") =>
  page
    .getByRole("navigation", { name: say("shell.navigation") })
    .getByRole("link", { name: say(`${name}.title`), exact: true })
    .click();

test(
  "every case and onboarding of another provider is listed and counted once",
  { tag: "@long" },
  async ({ window, strange, say }) => {
    test.slow();
    await goTo(window, say, AURORA);
    await untilRead(window, strange.aurora);
    const { checked, scopied, onboardings, account } = strange.aurora;

    await test.step("the overview calls no case absent whose word it does not know", async () => {
      await window.goto("/");
      const waiting = tileOf(window, say("home.toDecide"));
      await expect(waiting).toContainText(/5/);
      await expect(waiting).not.toContainText(say("home.inAnalysis", { count: 0 }));
      await expect(waiting).toContainText(say("home.otherwise", { count: 2 }));
      await expect(tileOf(window, say("home.refused"))).toContainText(/2/);
      await waiting.click();
      await expect(window.getByRole("table", { name: say("kyc.title") }).getByRole("row")).toHaveCount(1 + 5);
    });

    await test.step("the queue of cases", async () => {
      await window.goto("/kyc?status=all&sort=arrival");
      const queue = window.getByRole("table", { name: say("kyc.title") });
      for (const { masked, status } of checked) {
        await expectRow(queue, [masked, wordOf(say, status), say("kyc.process.kyc-backgroundcheck")]);
      }
      for (const { masked, status } of scopied) await expectRow(queue, [masked, wordOf(say, status)]);
      const all = [...checked, ...scopied];
      await expect(queue.getByRole("row")).toHaveCount(1 + all.length);
      await expect(window.getByText(say("kycQueue.total", { exact: "yes", count: all.length }))).toBeVisible();
      const choices = window.getByRole("navigation", { name: say("kyc.filterStatus") });
      for (const [name, count] of [
        ["PENDING", 5],
        ["PROCESSING", 0],
        ["APPROVED", 3],
        ["REPROVED", 1],
        ["open", 7],
        ["all", 11],
      ] as const) {
        await expect(countOf(choices, say(`kyc.filters.${name}`))).toHaveText(new RegExp(`${count}$`));
      }
    });

    await test.step("a case of two processes says what became of each", async () => {
      const rowOf = (one: Case | undefined) => window.locator(`a.row-link[href*="${one?.kycUUID ?? "no case"}"]`);
      await rowOf(scopied.find(({ status }) => status === "PENDING")).click();
      await expect(factOf(window, say("kyc.columns.status"))).toHaveText(say("kyc.status.PENDING"));
      const records = factOf(window, say("kycCase.records"));
      const stepOf = (step: string) => records.getByRole("listitem").filter({ hasText: step });
      await expect(stepOf(say("kyc.process.kyc-backgroundcheck"))).toContainText(say("kyc.status.APPROVED"));
      await expect(stepOf(say("kyc.process.kyc-documentscopy"))).toContainText(say("kyc.status.PENDING"));
      await window.goBack();
      await rowOf(checked.find(({ status }) => status === "PROCESSING")).click();
      await expect(factOf(window, say("kyc.columns.status"))).toHaveText("EM_ANALISE");
      await expect(window.getByText("unknown:")).toHaveCount(0);
    });

    await test.step("the queue of onboardings", async () => {
      const { waiting, refused } = onboardings;
      await open(window, say, "onboarding");
      const views = window.getByRole("navigation", { name: say("onboarding.filterStatus") });
      await countOf(views, say("onboarding.filters.all")).click();
      const queue = window.getByRole("table", { name: say("onboarding.title") });
      for (const masked of waiting) await expectRow(queue, [masked, say("onboarding.status.PROCESSING")]);
      for (const masked of refused) await expectRow(queue, [masked, say("onboarding.status.ERROR")]);
      for (const { masked } of [account.holder, account.payee]) {
        await expectRow(queue, [masked, say("onboarding.status.CONFIRMED")]);
      }
      await expect(queue.getByRole("row")).toHaveCount(1 + waiting.length + refused.length + 2);
      await expect(countOf(views, say("onboarding.filters.all"))).toHaveText(/10$/);
      await expect(countOf(views, say("onboarding.filters.ERROR"))).toHaveText(/2$/);
      await queue.getByRole("link", { name: refused[0] ?? "" }).click();
      await expect(window.getByText("Documento ilegível").first()).toBeVisible();
    });

    await expectOverview(window, say, ["toDecide", "refused"]);
    await expectCountsLead(window, say);
  },
);

test(
  "an account shows each entry's sign and day; wallets are counted over all pages",
  { tag: "@long" },
  async ({ window, strange, say, language }) => {
    const { account, wallet } = strange.aurora;
    await goTo(window, say, AURORA);
    await lookUp(window, say, account.holder.typed);
    await expect(window).toHaveURL(/\/accounts\/[0-9a-f-]{36}$/);
    const { balance } = await strange.provider.balance(account);
    await expect(factOf(window, say("accounts.available"))).toContainText(reais(`${Number(balance)}`, language));
    const entries = await strange.provider.statement(account);
    expect(entries).toHaveLength(12);
    const rows = await readStatement(window, say, entries.length);
    for (const { transactionId, amount, direction } of entries) {
      const shown = rows.filter((cells) => cells.some((cell) => cell.includes(transactionId)));
      expect(shown, transactionId).toHaveLength(1);
      expect(shown[0]?.at(-1)).toContain(
        `${direction === "CREDIT" ? "+" : "−"}${reais(`${Number(amount)}`, language)}`,
      );
      expect(shown[0]?.[1], "a day has no time").not.toMatch(/\d:\d/);
    }

    await test.step("wallets", async () => {
      await untilSeen(window, "/api/wallets?network=TRON", "12.000001");
      await open(window, say, "wallets");
      const families = window.getByRole("navigation", { name: say("wallets.filterNetwork") });
      await expect(countOf(families, say("wallets.filters.all"))).toHaveText(new RegExp(`${WALLETS}$`));
      await expect(countOf(families, say("wallets.filters.BTC"))).toHaveText(new RegExp(`${WALLETS - 1}$`));
      await families.getByRole("link", { name: new RegExp(`^${say("wallets.filters.TRON")}`) }).click();
      const wallets = window.getByRole("table", { name: say("wallets.title") });
      const short = `${wallet.address.slice(0, 10)}…${wallet.address.slice(-8)}`;
      await expectRow(wallets, [short, "HABILITADA", language === "en" ? "12.000001 TRX" : "12,000001 TRX"]);
    });

    await test.step("a subscription", async () => {
      await open(window, say, "webhooks");
      await expectSubscription(window, say, "ativa");
    });
  },
);

async function expectSubscription(page: Page, say: Words, word: string): Promise<void> {
  const row = rowWith(page.getByRole("table", { name: say("webhooks.title") }), [webhook.url]);
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(word);
  await expect(row).toContainText(say("webhooks.events.onboarding-create"));
}

/** Visible or announced text that contains our marks, or a bare direction-changing character. */
const bareWords = (page: Page) =>
  page.evaluate(() => {
    const named = ["title", "aria-label"].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ""),
    );
    const BARE = /.{0,30}(?:unknown:|[\u202a-\u202e\u2066-\u2069]).{0,30}/gu;
    return [document.title, document.body.innerText, ...named].flatMap((text) => text.match(BARE) ?? []);
  });

test(
  "screens mark the counts of a partial list and contain long right-to-left words",
  { tag: "@long" },
  async ({ window, strange, say }) => {
    test.slow();
    await goTo(window, say, BOREAL);
    const { checked, account, wallet } = strange.boreal;
    const turned = checked.find(({ status }) => status === "PROCESSING");
    await untilSeen(window, "/api/kyc?status=all", turned?.kycUUID ?? "");
    await untilSeen(window, "/api/wallets", wallet.address);
    const expectContained = async (what: string, word?: string) => {
      if (word !== undefined) await expect(window.getByRole("main")).toContainText(word);
      expect(await bareWords(window), what).toEqual([]);
      await expectNoSidewaysScroll(window, what);
    };

    await test.step("the queue of cases, and a case", async () => {
      const readSoFar = window.getByText(say("kycQueue.readSoFar", { count: "3" }));
      await expect(async () => {
        await window.goto("/kyc?status=all");
        await expect(readSoFar).toBeVisible({ timeout: 2_000 });
      }).toPass({ timeout: 30_000 });
      await expect(window.getByRole("table", { name: say("kyc.title") }).getByRole("row")).toHaveCount(1 + 3);
      const choices = window.getByRole("navigation", { name: say("kyc.filterStatus") });
      const choice = (name: string) => choices.getByRole("link", { name: new RegExp(`^${name}`) });
      await expect(choice(say("kyc.filters.PENDING"))).toHaveText(/2\+$/);
      await expect(choice(say("kyc.filters.open"))).toHaveText(/3\+$/);
      await expect(choice(say("kyc.filters.REPROVED"))).not.toHaveText(/\d/);
      await expectContained("the queue of cases", "AGUARDA");
      await window
        .locator(`a.row-link[href*="${turned?.kycUUID ?? "no case"}"]`)
        .first()
        .click();
      await expect(window.getByRole("heading", { level: 1, name: turned?.masked ?? "" })).toBeVisible();
      await expectContained("a case", "AGUARDA");
    });

    await test.step("the overview", async () => {
      await open(window, say, "home");
      await expect(tileOf(window, say("home.toDecide"))).toContainText("2+");
      await expect(tileOf(window, say("home.toDecide"))).toContainText(say("kycQueue.readSoFar", { count: "3" }));
      await expectContained("the overview");
    });

    await test.step("an account", async () => {
      await lookUp(window, say, account.holder.typed);
      const statement = window.getByRole("table", { name: say("accounts.statement") });
      await expect(statement).toContainText("U+202E");
      await expect(statement.locator("tbody tr:not([data-day])")).toHaveCount(4);
      await expect(statement.getByText(say("accounts.directionUnreported"))).toHaveCount(4);
      await expectContained("an account", "AGUARDA");
      await window
        .getByRole("navigation", { name: say("paging.label") })
        .getByRole("link", { name: say("paging.next") })
        .click();
      await expect(window.getByText(say("accounts.doubts.repeated"))).toBeVisible();
    });

    await test.step("wallets", async () => {
      await open(window, say, "wallets");
      await expectContained("the wallets", "AGUARDA");
      await window
        .getByRole("table", { name: say("wallets.title") })
        .getByRole("link")
        .first()
        .click();
      await expect(factOf(window, say("wallets.columns.status"))).toContainText("U+202E");
      await expectContained("a wallet");
    });

    await test.step("onboardings and webhooks", async () => {
      await open(window, say, "onboarding");
      await expect(window.getByRole("heading", { level: 1, name: say("onboarding.title") })).toBeVisible();
      await expectContained("the onboardings");
      await open(window, say, "webhooks");
      await expectSubscription(window, say, say("webhooks.status.ACTIVE"));
      await expectContained("the webhooks");
    });
  },
);
