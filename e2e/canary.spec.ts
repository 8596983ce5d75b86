import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { formsOf, note } from "./support/canary";
import { fillDecision } from "./support/decide";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { filesUnder } from "./support/database-dump";
import { rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import { cookieEnd, storedIn } from "./support/witness";

const secrets = {
  "client secret": `canary/+&=${randomBytes(16).toString("hex")}`,
  "webhook secret": `canary/+&=${randomBytes(16).toString("hex")}`,
  "session secret": `canary/+&=${randomBytes(24).toString("hex")}`,
  "data key": randomBytes(32).toString("base64"),
  "audit key": randomBytes(32).toString("base64"),
  "mail password": `canary${randomBytes(16).toString("hex")}`,
};
note("secret", ...Object.values(secrets));
const webhook = {
  url: "https://canary.example/hooks",
  secret: secrets["webhook secret"],
  events: ["onboarding-create"],
};

test.use({
  ownProduct: {
    // Embedded, so that its files can be searched.
    DATABASE_URL: "",
    SERVICE_DEMO_DATA: "false",
    SERVICE_LOG_LEVEL: "debug",
    AUTH_SECRET: secrets["session secret"],
    DATA_KEY: secrets["data key"],
    AUDIT_KEY: secrets["audit key"],
    SMTP_URL: `smtp://canary:${secrets["mail password"]}@127.0.0.1:1`,
    MAIL_FROM: "desk@canary.example",
  },
  ownTenant: { clientSecret: secrets["client secret"], webhook },
});

/** Calls that carry a document or a secret to the provider. */
const CALLED = [
  "/v1/authentication/oauth/access-token",
  "/v1/bank-accounts/checkOnboarding",
  "/v1/bank-accounts/balance",
  "/v1/bank-accounts/history",
  "/v1/kyc/manual-decision",
];

/** Where a canary in any form was found: names of places, never the text. */
function hits(places: ReadonlyMap<string, string>, canaries: Record<string, string>): string[] {
  return Object.entries(canaries).flatMap(([name, canary]) =>
    [...places]
      .filter(([, text]) => formsOf(canary).some((form) => text.includes(form)))
      .map(([at]) => `${name}: ${at}`),
  );
}

async function sessionOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookieEnd(cookies.find(({ name }) => name === "retaguarda-session")?.value ?? "");
}

/** Records all traffic between this window and the console. */
function listen(page: Page) {
  const received = new Map<string, string>();
  const addresses = new Map<string, string>();
  const posted: string[] = [];
  const reading: Promise<unknown>[] = [];
  page.on("request", (request) => {
    addresses.set(`address ${addresses.size} ${new URL(request.url()).pathname}`, request.url());
    if (request.method() === "POST") posted.push(request.postData() ?? "");
  });
  page.on("response", (response) => {
    const at = `answer ${received.size} of ${new URL(response.url()).pathname}`;
    received.set(at, JSON.stringify(response.headers()));
    // The stream of changes ends with the window and names only topics and ids.
    if (response.headers()["content-type"]?.startsWith("text/event-stream")) return;
    // A body may be gone once the window has left; only bodies read count.
    reading.push(
      response.text().then(
        (text) => received.set(`${at}, body`, text),
        () => undefined,
      ),
    );
  });
  return { received, addresses, posted, settled: () => Promise.all(reading) };
}

test(
  "secrets and whole documents appear only where permitted",
  { tag: "@long" },
  async ({ signedInAs, provider, product, say }) => {
    test.slow();
    const cpf = inventCpf();
    const documents = { document: cpf.digits, "typed document": cpf.typed };
    const account = await provider.openAccount(cpf.digits);
    await provider.credit(account, { amount: "10.00" });
    const kycUUID = await provider.openCase(cpf.digits);
    await provider.createWallet("EVM");

    const support = await signedInAs("support");
    const compliance = await signedInAs("compliance");
    const auditor = await signedInAs("auditor");
    const listeners = [support, compliance, auditor].map(listen);
    for (const query of [cpf.typed, cpf.digits]) {
      await lookUp(support, say, query);
      await expect(support.getByRole("table", { name: say("accounts.statement") })).toBeVisible();
    }
    await support.goto("/accounts");
    await provider.fail({ method: "GET", path: "/v1/bank-accounts/balance", status: 402, times: 10_000 });
    const row = rowWith(support.getByRole("table", { name: say("accounts.title") }), [cpf.masked]);
    await row.getByRole("link").click();
    await expect(support.getByText(say("errors.restricted"))).toBeVisible();
    await provider.recover();
    await support.getByRole("link", { name: say("accounts.onboarding") }).click();
    await support.getByRole("button", { name: say("onboarding.check") }).click();
    const navigation = support.getByRole("navigation", { name: say("shell.navigation") });
    await navigation.getByRole("link", { name: say("webhooks.title") }).click();
    await expect(support.getByRole("table", { name: say("webhooks.title") }).getByText(webhook.url)).toBeVisible();

    await untilSeen(compliance, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    for (const screen of ["/", "/onboarding?status=all", `/kyc/${kycUUID}`]) {
      await compliance.goto(screen);
      await expect(compliance.getByText(cpf.masked).first()).toBeVisible();
    }
    await compliance.getByRole("button", { name: say("kyc.decide") }).click();
    const dialog = compliance.getByRole("dialog");
    await fillDecision(dialog, say);
    await dialog.getByRole("button", { name: say("kyc.submitApprove") }).click();
    await expect(dialog).toBeHidden();
    await auditor.goto("/wallets");
    await expect(auditor.getByRole("table", { name: say("wallets.title") })).toBeVisible();
    for (const path of CALLED) await untilSeen(auditor, `/api/calls?path=${encodeURIComponent(path)}`, path);
    await auditor.goto("/calls?lane=money");
    await expect(auditor.getByRole("table", { name: say("calls.title") })).toContainText("manual-decision");
    await Promise.all(listeners.map(({ settled }) => settled()));
    const windows = [support, compliance, auditor];
    const sessions = Object.fromEntries(
      await Promise.all(windows.map(async (page, window) => [`session ${window}`, await sessionOf(page)] as const)),
    );
    expect(Object.values(sessions)).not.toContain("");
    const stored = await Promise.all(windows.map(storedIn));

    const typedByUs = listeners
      .flatMap(({ posted }) => posted)
      .filter((body) => formsOf(cpf.digits).some((form) => body.includes(form)) || body.includes(cpf.typed));
    expect(typedByUs, "only the two look-ups carry the document").toHaveLength(2);
    const everything = new Map([
      ...listeners.flatMap(({ received, addresses }, window) =>
        [...received, ...addresses].map(([at, text]) => [`window ${window}: ${at}`, text] as const),
      ),
      ...filesUnder(resolve(".next/static")),
      ...stored.map((text, window) => [`window ${window}: what it keeps`, text] as const),
      ["the log", readFileSync(product.log, "utf8")],
    ]);
    expect(everything.size).toBeGreaterThan(100);
    expect(everything.get("the log")).toContain("access token renewed");
    expect(hits(everything, { ...secrets, ...documents, ...sessions })).toEqual([]);
    process.stdout.write(`  canaries: ${everything.size} places\n`);
    const tokens = [...everything].filter(([, text]) => /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/.test(text));
    expect(tokens.map(([at]) => at)).toEqual([]);
  },
);

test(
  "files on disk hold no secret; the console's hold no document or reason",
  { tag: "@long" },
  async ({ signedInAs, provider, product, say }) => {
    test.skip(
      process.env["E2E_DATABASE_URL"] !== undefined,
      "a server's files are not the product's; the run dumps its rows",
    );
    const cpf = inventCpf();
    await provider.openAccount(cpf.digits);
    const page = await signedInAs("support");
    await lookUp(page, say, cpf.digits);
    await expect(page.getByText(cpf.masked).first()).toBeVisible();
    const auditor = await signedInAs("auditor");
    for (const path of CALLED.slice(0, 3)) {
      await untilSeen(auditor, `/api/calls?path=${encodeURIComponent(path)}`, path);
    }
    const stored = filesUnder(join(product.dataDir, "console"));
    expect(stored.size).toBeGreaterThan(10);
    const session = await sessionOf(page);
    expect(hits(stored, { ...secrets, session, document: cpf.digits, name: "Tereza Lemos" })).toEqual([]);
    const atProvider = filesUnder(join(product.dataDir, "service"));
    expect(atProvider.size).toBeGreaterThan(10);
    // Customers belong in the provider's database; its own secrets and the console's data do not.
    expect(hits(atProvider, { ...secrets, session })).toEqual([]);
    process.stdout.write(`  canaries: ${stored.size + atProvider.size} files\n`);
  },
);
