import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { seat } from "./support/access-callers";
import { inventCnpj, inventCpf } from "./support/invent";
import { invite } from "./support/invite";
import { lookUp } from "./support/look-up";
import { askReal, listen } from "./support/other-provider";
import { BRISK } from "./support/pace";
import { listenForViolations } from "./support/policy";
import { placeFor, startProduct } from "./support/product";
import { untilSeen } from "./support/sight";
import { expect, test as base } from "./support/story";
import type { Words } from "./support/words";

/** First in its text, because a spreadsheet looks at a cell's beginning. */
const FORMULA = `=HYPERLINK("https://evil.example/1")`;

/** A payload that runs sets `window.ran`. */
const PAYLOADS: readonly string[] = [
  FORMULA,
  "</textarea></title><script>window.ran=1</script>",
  `"'><img src=https://evil.example/2 onerror="window.ran=1">`,
  "{{constructor.constructor('window.ran=1')()}}${window.ran=1}",
  `<a href="javascript:window.ran=1">abrir</a>`,
  "\u202eodagap\u2066",
  "x".repeat(120),
  "\u0000\u0007sino\u001b[31m",
  "👩‍👩‍👧e\u0301\u0301\u0301",
  "&lt;script&gt;window.ran=1&#60;/script&#62;",
];

const ADDRESSES = [
  "javascript:window.ran=1",
  "\u0001java\tscript:window.ran=1",
  "data:text/html,<script>window.ran=1</script>",
  "//evil.example/3",
  "https://bank.example@evil.example/",
];

/** The text with every payload around it. */
const spoil = (text: string) => `${FORMULA} qz${text}zq ${PAYLOADS.slice(1).join(" ")}`;
const withoutControls = (text: string) => text.replaceAll(/[^\P{Cc}\t]/gu, "");

/** The text without its payloads. */
const restore = (text: string) => text.replaceAll(/=HYPERLINK.*?qz(.*?)zq.*/gs, "$1");

/** A word of the interface or a document, on which the console's logic depends. */
const isWord = (text: string) => /^([A-Z][A-Z_]*|\d{11}|\d{14})$/.test(text);

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Spoiling = { fields: Set<string>; isSpared: (text: string) => boolean };

/** Puts payloads into every text of a value. Spared records keep their words, so that they can be used. */
function tamper(value: unknown, field: string, spoiling: Spoiling, keepsWords = false): unknown {
  const { fields, isSpared } = spoiling;
  if (Array.isArray(value)) return value.map((one) => tamper(one, field, spoiling, isSpared(JSON.stringify(one))));
  if (isRecord(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, one]) => [name, tamper(one, `${field}.${name}`, spoiling, keepsWords)]),
    );
  }
  const isAddress = /url$/i.test(field);
  if (typeof value !== "string" && !(isAddress && value === null)) return value;
  fields.add(field);
  if (isAddress) return ADDRESSES[fields.size % ADDRESSES.length];
  return keepsWords && isWord(String(value)) ? value : spoil(String(value));
}

const restoreAll = (json: string) =>
  JSON.stringify(JSON.parse(json), (_, one: unknown) => (typeof one === "string" ? restore(one) : one));

/** Removes the payloads from the console's request, so the real provider understands it. */
function realAddress(url: string): URL {
  const asked = new URL(url);
  const parameters = [...asked.searchParams].map(([name, value]) => [name, restore(value)]);
  asked.search = new URLSearchParams(parameters).toString();
  asked.pathname = asked.pathname
    .split("/")
    .map((one) => encodeURIComponent(restore(decodeURIComponent(one))))
    .join("/");
  return asked;
}

/** A provider that puts payloads into every text of the real one at `serviceUrl`, except the token. */
async function startTamperingProvider(serviceUrl: string) {
  const fields = new Set<string>();
  const spared: string[] = [];
  const isSpared = (text: string) => spared.some((one) => text.includes(one));

  const listening = await listen(async (request) => {
    const asked = realAddress(request.url);
    const body = await request.text();
    const isJson = request.headers.get("content-type")?.includes("json") === true && body !== "";
    const { status, text } = await askReal(serviceUrl, request, asked, isJson ? restoreAll(body) : body);
    const said: unknown = text === "" ? null : JSON.parse(text);
    const operation = `${request.method} ${asked.pathname.replace(/(wallets)\/[^/]+/, "$1/*")}`;
    const isToken = asked.pathname.endsWith("/access-token");
    const told = isToken ? said : tamper(said, operation, { fields, isSpared }, isSpared(asked.href + text));
    const requestId = Buffer.from(withoutControls(spoil("r"))).toString("latin1");
    return Response.json(told, { status, headers: { "x-request-id": requestId } });
  });
  /** Records with one of these texts keep the words that the console's logic needs. */
  const spares = (...texts: readonly string[]) => void spared.push(...texts);
  return { ...listening, fields, spares };
}

const AUTH_SECRET = randomBytes(32).toString("base64url");
const SECRET = "o segredo com que o provedor assina o que entrega";
/** Records of one kind to open, and buttons to press on the first. */
const MOST_ALIKE = 2;
const MOST_PRESSED = 8;
/** Operations that no screen calls by itself. */
const NOT_READ = ["/v1/pix/getAccountInfoByPixKey", "/v1/otc/trades/*"];

type Victim = {
  url: string;
  clientId: string;
  cookie: string;
  tampering: Awaited<ReturnType<typeof startTamperingProvider>>;
};

/** A console with a tampered provider, and a person who may read every screen. */
const test = base.extend<{ victim: Victim }>({
  victim: async ({ product, provider: { clientId, clientSecret } }, use) => {
    const tampering = await startTamperingProvider(product.serviceUrl);
    const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-victim-"));
    const { settings, drop } = await placeFor({
      ...BRISK,
      AUTH_SECRET,
      BANK_BASE_URL: tampering.origin,
      BANK_CLIENT_ID: clientId,
      BANK_CLIENT_SECRET: clientSecret,
      BANK_WEBHOOK_SECRET: SECRET,
    });
    const person = {
      name: "Leitora",
      standing: "here",
      isDemo: false,
      tenant: clientId,
      session: { secondFactor: true },
    } as const;
    const roles = ["support", "compliance", "auditor", "admin", "finance"] as const;
    const place = { databaseUrl: settings["DATABASE_URL"] ?? null, dataDir };
    const [reader] = await seat(place, AUTH_SECRET, [{ ...person, roles }]);
    const victim = await startProduct({ ...settings, DATA_DIR: dataDir });
    await use({ url: victim.url, clientId, cookie: reader?.cookie ?? "", tampering });
    await victim.stop();
    await tampering.stop();
    await drop();
    rmSync(dataDir, { recursive: true });
  },
});

test.use({ ownProduct: { WATCH_INTERVAL_SECONDS: "3600" } });

/** A document's executed or executable code, its link targets and its visible text. */
const inspect = (page: Page) =>
  page.evaluate((own) => {
    const unsafe = ["href", "src", "action", "formaction", "data", "srcdoc"].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].flatMap((element) => {
        const address = element.getAttribute(name) ?? "";
        const isOwn = URL.canParse(address, own) && new URL(address, own).origin === own;
        const isReacts = address.startsWith("javascript:throw new Error('A React form was unexpectedly submitted.");
        const leavesSafely = element.matches('a[href^="https://"][target="_blank"][rel="noopener noreferrer"]');
        return isOwn || isReacts || leavesSafely ? [] : [`${name}=${address}`];
      }),
    );
    const handlers = [...document.querySelectorAll("*")].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith("on")),
    );
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const read: string[] = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      if (text.parentElement?.matches("script, style, template") !== true) read.push(text.textContent ?? "");
    const links = [...document.querySelectorAll("a[href^='/']")].map((link) => link.getAttribute("href") ?? "");
    const ran = Reflect.has(window, "ran") ? ["it ran"] : [];
    return { unsafe: [...ran, ...unsafe, ...handlers], text: read.join(""), links };
  }, new URL(page.url()).origin);

/** The kind of screen, without the record's id. */
const kindOf = (path: string) => (path.split("?")[0] ?? "").replaceAll(/[^/]{25,}/g, "[id]");

/** A tab that fails on any executed script or request, and remembers which kinds of screen it has read. */
async function openTab(context: BrowserContext, url: string, violations: readonly string[]) {
  const page = await context.newPage();
  const wrong: string[] = [];
  const read = new Map<string, string>();
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => wrong.push(`dialog ${dialog.message()}`)));
  page.on("request", (request) => request.url().startsWith(url) || wrong.push(`asked ${request.url()}`));
  async function look(): Promise<string[]> {
    const { unsafe, text, links } = await inspect(page);
    const { pathname } = new URL(page.url());
    wrong.push(...unsafe.map((what) => `${pathname}: ${what}`));
    expect([...wrong, ...violations], pathname).toEqual([]);
    const kind = kindOf(pathname);
    read.set(kind, `${read.get(kind) ?? ""}\n${text}`);
    return links;
  }
  async function visit(path: string): Promise<string[]> {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first(), path).toBeVisible();
    return look();
  }
  /** Presses each button on the screen and inspects what opens. */
  async function press(path: string): Promise<void> {
    const buttons = page.locator("main button[type=button]:not([aria-disabled=true]):visible");
    const names = new Set(await buttons.evaluateAll((all) => all.map((one) => one.textContent.slice(0, 40))));
    for (const name of [...names].filter((one) => one.trim() !== "").slice(0, MOST_PRESSED)) {
      const button = buttons.filter({ hasText: name }).first();
      if (!(await button.isVisible())) continue;
      await button.click({ timeout: 2_000 }).catch(() => undefined);
      const busy = page.locator("main [aria-busy=true], dialog [aria-busy=true]").first();
      await busy.waitFor({ state: "detached", timeout: 2_000 }).catch(() => undefined);
      await look();
      await page.keyboard.press("Escape");
      if ((await page.getByRole("dialog").count()) > 0 || !page.url().endsWith(path)) await page.goto(path);
    }
  }
  /** Visits every linked screen, up to a number of each kind; returns the URLs of files. */
  async function crawl(): Promise<string[]> {
    const seen = new Map<string, number>();
    const files: string[] = [];
    const queue = ["/"];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const kind = kindOf(path);
      const visits = seen.get(kind) ?? 0;
      if (visits >= (kind.includes("[") ? MOST_ALIKE : 1)) continue;
      seen.set(kind, visits + 1);
      if (kind.startsWith("/api/")) files.push(path);
      else queue.push(...(await visit(path)));
      if (visits === 0 && !kind.startsWith("/api/")) await press(path);
    }
    return files;
  }
  return { page, wrong, read, look, crawl };
}

/** Delivers a correctly signed event with payloads in every text of its body and headers. */
async function deliver(url: string): Promise<void> {
  const told = {
    message: "m",
    network: "n",
    biometricUrl: "",
    account: { branch: "1" },
    deep: [{ text: "t" }],
    [spoil("k")]: 1,
  };
  const body = JSON.stringify(tamper(told, "webhook", { fields: new Set(), isSpared: () => false }));
  const name = Buffer.from(withoutControls(spoil("onboarding-create"))).toString("latin1");
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  const { event, id, signature: signed } = WEBHOOK_HEADERS;
  const answer = await fetch(url, {
    method: "POST",
    body,
    headers: { [event]: name, [id]: name, [signed]: signature },
  });
  expect(answer.status).toBe(204);
}

/** An account with only texts tampered with, and an entry of its statement. */
async function openAccount(page: Page, say: Words, document: string): Promise<void> {
  await lookUp(page, say, document);
  const statement = page.getByRole("table", { name: say("accounts.statement") });
  await statement.getByRole("button").first().click();
  const panel = page.getByRole("dialog", { name: say("statement.entry") });
  await expect(panel.getByRole("region", { name: say("statement.told") })).toBeVisible();
}

const TYPED = withoutControls(PAYLOADS.join(" "));

/** Types payloads into a note, a search and a person's name. */
async function typeEverywhere(page: Page, say: Words, look: () => Promise<unknown>): Promise<void> {
  await page.goto("/kyc?status=all");
  await page.locator("main tbody a[href^='/kyc/']").first().click();
  const notes = page.getByRole("region", { name: say("casework.notes") });
  await notes.getByLabel(say("casework.note"), { exact: true }).fill(TYPED);
  await notes.getByLabel(say("casework.note"), { exact: true }).press("Control+Enter");
  await expect(notes.getByRole("listitem").filter({ hasText: "window.ran=1" })).toBeVisible();
  await look();
  await lookUp(page, say, TYPED);
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
  await look();
  const name = PAYLOADS[2] ?? "";
  await invite(page, say, { name, email: "pessoa@aurora.example", role: "auditor" });
  await expect(page.getByText(name).first()).toBeVisible();
  await look();
}

const bare = (text: string) => text.replaceAll(/\s/g, "");
/** Invisible characters appear as their number. */
const seenForm = (payload: string) =>
  bare(payload.split(/[\p{Cc}\p{Cf}]/u).toSorted((one, other) => other.length - one.length)[0] ?? "");

/** Screens whose outside content is not known beforehand. */
const FROM_OUTSIDE = [
  "/kyc",
  "/kyc/[id]",
  "/onboarding",
  "/onboarding/[id]",
  "/accounts",
  "/accounts/[id]",
  "/wallets",
  "/wallets/[id]",
  "/webhooks",
];

test(
  "provider text stays plain text on every screen and in every file",
  { tag: "@long" },
  async ({ browser, provider, victim, language, say }) => {
    test.setTimeout(900_000);
    const { url, clientId, cookie, tampering } = victim;
    const account = await provider.openAccount(inventCpf().digits);
    await provider.credit(account, { amount: "10.00", description: "Boleto" });
    await provider.openAccount(inventCnpj().digits);
    const kycUUID = await provider.openCase(inventCpf().digits);
    const { walletId } = await provider.createWallet("EVM");
    tampering.spares(kycUUID, account.onBoardingId, account.accountId, walletId);
    await deliver(`${url}/api/hooks/${clientId}`);

    const context = await browser.newContext({ baseURL: url });
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([
      { name: "locale", value: language, url },
      { name, value, url, httpOnly: true },
    ]);
    const violations = await listenForViolations(context);
    const { page, wrong, read, look, crawl } = await openTab(context, url, violations);
    await untilSeen(page, "/api/kyc?status=all", kycUUID);
    const files = await crawl();
    await openAccount(page, say, account.document);
    await look();
    await typeEverywhere(page, say, look);

    const texts = [...read].map(([kind, text]) => [kind, bare(text)] as const);
    console.log(`${tampering.fields.size} fields, ${read.size} screens, ${files.length} files, ${wrong.length} wrong`);
    expect(read.size).toBeGreaterThan(20);
    for (const list of ["kyc", "accounts"]) {
      const address = files.find((one) => one.startsWith(`/api/exports/${list}`)) ?? "";
      const file = await (await context.request.get(address)).text();
      expect(file, list).toContain("HYPERLINK");
      expect(file.split(/[;,\n]/).filter((cell) => /^"?[=+@]/.test(cell))).toEqual([]);
    }
    await context.close();
    expect([...new Set(wrong)]).toEqual([]);
    expect(violations).toEqual([]);
    for (const kind of FROM_OUTSIDE) {
      const text = texts.find(([one]) => one === kind)?.[1] ?? "";
      const unread = PAYLOADS.filter((payload) => !text.includes(seenForm(payload)));
      expect.soft(unread, kind).toEqual([]);
    }
    const known = readFileSync("lib/provider/operations.ts", "utf8").matchAll(/read\(\s*"(\/v1\/[^"]+)"/g);
    const asked = [...tampering.fields].join("\n");
    expect(
      [...known].map(([, path = ""]) => path.replace(/\{\w+\}/, "*")).filter((path) => !asked.includes(`GET ${path}.`)),
    ).toEqual(NOT_READ);
  },
);
