import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { z } from "zod";
import { root } from "@/scripts/program.mjs";
import { authorise } from "./support/approvals-page";
import { enrol, goOn, signIn } from "./support/colleague";
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
import { startProduct } from "./support/product";
import { expect, test as base } from "./support/story";
import { startTamperingProvider, type TamperingProvider } from "./support/tampering-provider";
import type { Words } from "./support/words";

const EMAIL = "leitora@retaguarda.example";
const SECOND_ADMIN = "outra@retaguarda.example";
const PASSWORD = "uma senha comprida so desta historia";
const SECRET = "o segredo com que o provedor assina o que entrega";

async function addPerson(settings: Record<string, string>, email: string, roles: string) {
  const command = ["scripts/ops/staff.ts", "add", email, "--name", "Leitora", "--role", roles];
  const child = spawn(process.execPath, ["--conditions=react-server", "scripts/launch.mjs", ...command], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(PASSWORD);
  expect(await once(child, "exit")).toEqual([0, null]);
}

/** Of the addresses that the console knows at its provider, those of whose answers no text was tampered with. */
function unasked(fields: readonly string[]): string[] {
  const known = readFileSync("lib/bank/operations.ts", "utf8").matchAll(/"(\/v1\/[^"]+)"/g);
  const addresses = [...known].map(([, path = ""]) => path.replace(/\{\w+\}/, "*"));
  expect(addresses.length).toBeGreaterThan(NOT_ORDERED.length);
  return addresses.filter((path) => !NOT_ORDERED.includes(path) && !fields.some((field) => field.includes(`${path}.`)));
}

type Victim = { url: string; clientId: string; marks: Marks; tampering: TamperingProvider };

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
      WATCH_INTERVAL_SECONDS: "2",
      BANK_BASE_URL: tampering.origin,
      BANK_CLIENT_ID: clientId,
      BANK_CLIENT_SECRET: clientSecret,
      BANK_WEBHOOK_SECRET: SECRET,
    };
    const victim = await startProduct(settings);
    const console = { ...victim.home, PUBLIC_URL: victim.url };
    await addPerson(console, EMAIL, "support,compliance,auditor,admin");
    await addPerson(console, SECOND_ADMIN, "admin");
    await use({ url: victim.url, clientId, marks, tampering });
    await victim.stop();
    await tampering.stop();
  },
});

test.use({ ownProduct: { WATCH_INTERVAL_SECONDS: "3600" } });

/** Somebody whose roles ask for a second factor, once they have set it up. */
async function sitDown(page: Page, say: Words): Promise<void> {
  await signIn(page, say, { email: EMAIL, password: PASSWORD });
  await enrol(page, say);
  await goOn(page, say);
  await page.goto("/settings/approvals");
  const kind = say("approvals.kinds.account.close");
  await page.getByRole("button", { name: say("approvalPolicy.changeOf", { kind }) }).click();
  const policy = page.getByRole("dialog", { name: say("approvalPolicy.dialogTitle") });
  await policy.getByLabel(say("approvalPolicy.rules.never")).check();
  await policy.getByRole("button", { name: say("approvalPolicy.submit") }).click();
  await expect(policy).toBeHidden();
  await agree(page, say, kind);
}

/** A looser policy holds once another administrator agrees to it. */
async function agree(page: Page, say: Words, kind: string): Promise<void> {
  const context = await page
    .context()
    .browser()
    ?.newContext({ baseURL: new URL(page.url()).origin });
  if (context === undefined) throw new Error("the page is in a browser");
  await context.addCookies((await page.context().cookies()).filter(({ name }) => name === "locale"));
  const admin = await context.newPage();
  await signIn(admin, say, { email: SECOND_ADMIN, password: PASSWORD });
  await enrol(admin, say);
  await goOn(admin, say);
  await admin.goto("/approvals");
  await admin.getByRole("row").filter({ hasText: kind }).getByRole("link").click();
  await authorise(admin, say);
  await expect(admin.getByText(say("approvals.outcome.EXECUTED_HERE"), { exact: true })).toBeVisible();
  await context.close();
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

test("what the provider sends stays text: nothing runs, nothing is fetched, no unsafe link comes to be", async ({
  browser,
  provider,
  victim,
  say,
  language,
}) => {
  test.setTimeout(1_200_000);
  const { marks, url, clientId, tampering } = victim;
  const prepared = await prepareWrites(provider, tampering.spares);
  const { onBoardingId, accountId } = await openCustomer(provider);
  tampering.lists(onBoardingId);
  await deliverAll(`${url}/api/hooks/${clientId}`, SECRET, marks);
  const context = await browser.newContext({ baseURL: url });
  await context.addCookies([{ name: "locale", value: language, url }]);
  const violations = await listenForViolations(context);
  const tabs = await openTabs(context, url, marks);
  const hand = { tabs, tampering, marks, say };
  await sitDown(tabs.pages[0], say);
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
});
