import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { z } from "zod";
import { seat } from "./support/access-callers";
import { authorise } from "./support/approvals-page";
import { BRISK } from "./support/pace";
import { refusal, TOKEN } from "./support/payload-answers";
import { deliverAll } from "./support/payload-deliveries";
import { NOT_ORDERED, NOT_SHOWN, SHOWN_IN_PART } from "./support/payload-fields";
import { PAYLOADS } from "./support/payload-list";
import { createMarks, type Marks, NOT_IN_HEADERS } from "./support/payload-marks";
import { openCustomer, readEverything, untilStored } from "./support/payload-reads";
import type { Hand } from "./support/payload-press";
import { openTabs } from "./support/payload-tabs";
import { prepareWrites, writeEverything } from "./support/payload-writes";
import { listenForViolations } from "./support/policy";
import { placeFor, startProduct } from "./support/product";
import { expect, test as base } from "./support/story";
import { startTamperingProvider, type TamperingProvider } from "./support/tampering-provider";
import type { Language, Words } from "./support/words";

const AUTH_SECRET = randomBytes(32).toString("base64url");
const SECRET = "o segredo com que o provedor assina o que entrega";

/** Of the addresses that the console knows at its provider, those of whose answers no text was tampered with. */
function unasked(fields: readonly string[]): string[] {
  const known = readFileSync("lib/bank/operations.ts", "utf8").matchAll(/"(\/v1\/[^"]+)"/g);
  const addresses = [...known].map(([, path = ""]) => path.replace(/\{\w+\}/, "*"));
  expect(addresses.length).toBeGreaterThan(NOT_ORDERED.length);
  return addresses.filter((path) => !NOT_ORDERED.includes(path) && !fields.some((field) => field.includes(`${path}.`)));
}

type Victim = { url: string; clientId: string; cookies: string[]; marks: Marks; tampering: TamperingProvider };

/** A console whose provider is tampered with on the way, and a person there who may read every screen. */
const test = base.extend<{ victim: Victim }>({
  victim: async ({ product }, use) => {
    const marks = createMarks();
    const tampering = await startTamperingProvider(product.serviceUrl, marks);
    const file = z.object({ tenants: z.array(z.object({ clientId: z.string(), clientSecret: z.string() })) });
    const { tenants } = file.parse(JSON.parse(readFileSync(join(product.dataDir, "service/tenants.json"), "utf8")));
    const { clientId = "", clientSecret = "" } = tenants[0] ?? {};
    const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-victim-"));
    const { settings, drop } = await placeFor({
      ...BRISK,
      AUTH_SECRET,
      WATCH_INTERVAL_SECONDS: "2",
      BANK_BASE_URL: tampering.origin,
      BANK_CLIENT_ID: clientId,
      BANK_CLIENT_SECRET: clientSecret,
      BANK_WEBHOOK_SECRET: SECRET,
    });
    const person = { standing: "here", isDemo: false, tenant: clientId, session: { secondFactor: true } } as const;
    const people = await seat({ databaseUrl: settings["DATABASE_URL"] ?? null, dataDir }, AUTH_SECRET, [
      { ...person, name: "Leitora", roles: ["support", "compliance", "auditor", "admin"] },
      { ...person, name: "Segunda", roles: ["admin"] },
    ]);
    const victim = await startProduct({ ...settings, DATA_DIR: dataDir });
    await use({ url: victim.url, clientId, cookies: people.map(({ cookie }) => cookie), marks, tampering });
    await victim.stop();
    await tampering.stop();
    await drop();
    rmSync(dataDir, { recursive: true });
  },
});

test.use({ ownProduct: { WATCH_INTERVAL_SECONDS: "3600" } });

/** Somebody of the victim's, whose session is open. */
async function sitDown(browser: Browser, url: string, language: Language, cookie = ""): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url });
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([
    { name: "locale", value: language, url },
    { name, value, url, httpOnly: true },
  ]);
  return context;
}

/** Accounts are closed without anybody else; a looser policy holds once another administrator agrees to it. */
async function loosen(page: Page, admin: Page, say: Words): Promise<void> {
  await page.goto("/settings/approvals");
  const kind = say("approvals.kinds.account.close");
  await page.getByRole("button", { name: say("approvalPolicy.changeOf", { kind }) }).click();
  const policy = page.getByRole("dialog", { name: say("approvalPolicy.dialogTitle") });
  await policy.getByLabel(say("approvalPolicy.rules.never")).check();
  await policy.getByRole("button", { name: say("approvalPolicy.submit") }).click();
  await expect(policy).toBeHidden();
  await admin.goto("/approvals");
  await admin.getByRole("row").filter({ hasText: kind }).getByRole("link").click();
  await authorise(admin, say);
  await expect(admin.getByText(say("approvals.outcome.EXECUTED_HERE"), { exact: true })).toBeVisible();
}

/** Every text that comes with a token, and with a refusal of one; of none of it anything is shown but that there is no token. */
async function spoilToken(hand: Hand): Promise<void> {
  const { tampering, marks, tabs, say } = hand;
  const [page] = tabs.pages;
  const count = PAYLOADS.length;
  const grant = { access_token: "t", token_type: "Bearer", issued_at: "0", scope: "s", expires_in: 3600 };
  const spoilt = {
    [`refused ${TOKEN}`]: { status: 401, body: refusal("Recusado.") },
    [TOKEN]: { status: 201, body: grant },
  };
  tampering.rejectToken();
  for (const [field, told] of Object.entries(spoilt)) {
    tampering.tells(TOKEN, { ...told, count });
    const isSent = () => marks.told().some((one) => one.field.startsWith(`${field}.`) && one.unsent.length === 0);
    await expect
      .poll(async () => [await page.request.get("/webhooks"), isSent()].at(-1), { message: field, timeout: 30_000 })
      .toBe(true);
    await tabs.visit(page, "/webhooks");
  }
  // Credentials that were refused are not tried again at once.
  await expect(async () => {
    await tabs.visit(page, "/webhooks");
    await expect(page.getByText(say("outages.token-not-readable")).first()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  tampering.tells(TOKEN, null);
}

test(
  "what the provider sends stays text: nothing runs, nothing is fetched, no unsafe link comes to be",
  { tag: "@long" },
  async ({ browser, provider, victim, say, language }) => {
    test.setTimeout(1_200_000);
    const { marks, url, clientId, cookies, tampering } = victim;
    const prepared = await prepareWrites(provider, tampering.spares);
    const { onBoardingId, accountId } = await openCustomer(provider);
    tampering.lists(onBoardingId);
    await deliverAll(`${url}/api/hooks/${clientId}`, SECRET, marks);
    const [reader, second] = cookies;
    const context = await sitDown(browser, url, language, reader);
    const violations = await listenForViolations(context);
    const tabs = await openTabs(context, url, marks);
    const hand = { tabs, tampering, marks, say };
    const other = await sitDown(browser, url, language, second);
    await loosen(tabs.pages[0], await other.newPage(), say);
    await other.close();
    await writeEverything(hand, prepared);
    await untilStored(context);
    await readEverything({ context, tabs, marks, say, accountId });
    await spoilToken(hand);
    // What is said once a look of a watch takes as many looks.
    const unsent = () =>
      marks
        .told()
        .filter((told) => told.unsent.length > told.unsendable)
        .map(({ field }) => field);
    await expect.poll(unsent, { message: "every field had every payload", timeout: 30_000 }).toEqual([]);
    await context.close();

    const { dialogs, foreign, unsafe, visited } = tabs.found;
    const told = marks.told();
    const shown = told.filter(({ field }) => !NOT_SHOWN.has(field));
    console.log(
      `${told.length} fields x ${PAYLOADS.length} payloads (in a header, where ${NOT_IN_HEADERS.length} cannot stand, the others), ` +
        `all sent, ${told.filter(({ field }) => /^(refused )?POST /.test(field)).length} of the fields in answers to writes; ` +
        `those of ${shown.length} fields read as text, ${NOT_SHOWN.size} fields shown otherwise or not at all; ` +
        `${tampering.answered()} answers, ${visited} screens: ` +
        `${dialogs.length} dialogs, ${foreign.length} foreign requests, ${unsafe.length} unsafe links or handlers, ` +
        `${violations.length} refusals`,
    );
    expect({ dialogs, foreign, unsafe, violations }).toEqual({ dialogs: [], foreign: [], unsafe: [], violations: [] });
    const hidden = ({ field, unsendable }: (typeof told)[number]) => SHOWN_IN_PART.get(field)?.length ?? unsendable;
    const unread = shown.filter((one) => one.unread.length > hidden(one));
    expect(unread.map(({ field, unread: places }) => `${field}: ${places.join(" ")}`)).toEqual([]);
    // What is said of a field that is shown would be untrue, and so would it be of one that there is not.
    const unseen = told.filter(({ unread: { length } }) => length === PAYLOADS.length).map(({ field }) => field);
    expect([...NOT_SHOWN.keys()].filter((field) => !unseen.includes(field))).toEqual([]);
    expect(unasked(told.map(({ field }) => field))).toEqual([]);
  },
);
