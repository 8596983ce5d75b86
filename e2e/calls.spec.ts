import type { Page } from "@playwright/test";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { follow, inspect } from "./support/looks";
import { addressesOf, factOf, idIn, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

test.beforeEach(async ({ provider }) => provider.recover());

const SUPPORT = "Beatriz Nogueira";
const BALANCE = "/v1/bank-accounts/balance";
/** The position watch calls it too. */
const ALWAYS = 10_000;

const log = (page: Page, say: Words) => page.getByRole("table", { name: say("calls.title") });

/** Looks an account up as support and returns the reference in its URL. */
async function openAccount(page: Page, say: Words, document: string): Promise<string> {
  await lookUp(page, say, document);
  await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/);
  return idIn(page.url());
}

test("a record's page shows its calls; an auditor filters and pages the log of calls", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const cpf = inventCpf();
  await provider.openAccount(cpf.digits);
  const support = await signedInAs("support");
  const auditor = await signedInAs("auditor");
  const ref = await openAccount(support, say, cpf.digits);
  await untilSeen(support, `/api/calls/about?kind=account&id=${ref}`, BALANCE);
  const seeAll = (page: Page) => page.getByRole("link", { name: say("calls.seeAll") });
  const ofRecord = (page: Page) =>
    rowWith(page.getByRole("table", { name: say("calls.about") }), [BALANCE, SUPPORT]).first();

  await test.step("calls that cannot be read are told as such in their place, and are tried again", async () => {
    await support.route("**/api/calls/about**", (route) => route.abort());
    const disclosure = support.getByRole("button", { name: say("calls.about") });
    await expect(disclosure).toHaveAttribute("aria-expanded", "false");
    await disclosure.press("Enter");
    const failure = support.getByRole("alert").filter({ hasText: say("calls.failed") });
    await expect(failure).toBeVisible();
    await support.unroute("**/api/calls/about**");
    await failure.getByRole("button", { name: say("common.retry") }).click();
    await expect(failure).toHaveCount(0);
    await expect(ofRecord(support)).toBeVisible();
    await expect(seeAll(support)).toHaveCount(0);
  });

  await test.step("a document typed into the search goes nowhere, least of all into the address", async () => {
    await auditor.goto("/calls");
    const addresses = addressesOf(auditor);
    const search = auditor.getByRole("searchbox", { name: say("calls.searchLabel") });
    const { digits, typed } = inventCpf();
    for (const document of [digits, typed]) {
      await search.fill(document);
      await auditor.keyboard.press("Enter");
      expect(await search.evaluate((input) => input.matches(":invalid"))).toBe(true);
      await expect(auditor).toHaveURL("/calls");
    }
    expect(addresses.filter((address) => address.includes(digits) || address.includes(typed))).toEqual([]);
    await auditor.goto("/calls?search=30493660");
    await expect(search).toHaveValue("30493660");
    await expect(search).toHaveAccessibleDescription(say("common.notSearched", { hint: say("calls.searchHint") }));
    await expect(log(auditor, say)).toBeHidden();
  });

  await test.step("who asked, what for and how it went", async () => {
    await auditor.getByRole("searchbox", { name: say("calls.searchLabel") }).fill(ref);
    await auditor.keyboard.press("Enter");
    await auditor.waitForURL(`/calls?view=all&search=${ref}`);
    // The balance may have been read again.
    const row = rowWith(log(auditor, say), [BALANCE, SUPPORT]).first();
    await expect(row).toContainText(say("calls.kinds.ok"));
    await expect(row).toContainText("200");
    await row.getByRole("button").click();
    await expect(factOf(auditor, say("calls.reference"))).toHaveText(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
    await expect(factOf(auditor, say("calls.laneName"))).toHaveText(say("calls.lanes.people"));
    await expect(auditor.getByRole("button", { name: say("calls.copyReference"), exact: true })).toBeVisible();
    await inspect(auditor, "a row of the log of calls");

    await auditor.getByRole("link", { name: say("calls.allByActor", { name: SUPPORT }) }).click();
    await expect(auditor.getByText(say("calls.onlyBy", { name: SUPPORT }))).toBeVisible();
    await expect(rowWith(log(auditor, say), [say("calls.lanes.watchers")])).toHaveCount(0);
    await rowWith(log(auditor, say), [BALANCE]).first().getByRole("link").click();
    await auditor.waitForURL(`/accounts/${ref}`);
    await auditor.getByRole("button", { name: say("calls.about") }).press("Enter");
    await expect(ofRecord(auditor)).toBeVisible();
    await expect(seeAll(auditor)).toHaveAttribute("href", `/calls?search=account%3A${ref}`);
    await auditor.goBack();
    await auditor.getByRole("link", { name: say("calls.anyActor") }).click();
    await auditor.waitForURL("/calls?view=all");
    await expect(auditor.getByText(say("calls.onlyBy", { name: SUPPORT }))).toHaveCount(0);
  });

  await test.step("tabs, lanes and the form narrow the log together, each in the address", async () => {
    await untilSeen(auditor, "/api/calls", "/v1/kyc/list");
    await auditor
      .getByRole("navigation", { name: say("calls.filterLane") })
      .getByRole("link", { name: say("calls.lanes.watchers") })
      .click();
    await auditor.waitForURL("/calls?view=all&lane=watchers");
    await auditor.getByRole("combobox", { name: say("calls.path") }).selectOption("/v1/kyc/list");
    await auditor.waitForURL(/lane=watchers/);
    await expect(auditor).toHaveURL(/path=%2Fv1%2Fkyc%2Flist/);
    await expect(log(auditor, say).getByRole("row").nth(1)).toContainText("/v1/kyc/list");
    await expect(rowWith(log(auditor, say), ["/v1/crypto"])).toHaveCount(0);
    await log(auditor, say).getByRole("row").nth(1).getByRole("button").click();
    await expect(factOf(auditor, say("calls.columns.actor"))).toHaveText(
      say("actors.watch", { name: say("actors.watches.kyc") }),
    );
    await auditor.keyboard.press("j");
    const openers = log(auditor, say).getByRole("row").getByRole("button");
    await expect(openers.nth(1)).toHaveAttribute("aria-expanded", "true");
    await expect(openers.nth(0)).toHaveAttribute("aria-expanded", "false");
    await auditor.keyboard.press("Tab");
    await auditor.keyboard.press("Escape");
    await expect(openers.nth(1)).toBeFocused();
    await expect(openers.nth(1)).toHaveAttribute("aria-expanded", "false");
    await auditor.getByRole("button", { name: say("common.filters") }).click();
    await auditor.getByLabel(say("common.period.to"), { exact: true }).fill("01/01/2026 00:00");
    await auditor.keyboard.press("Enter");
    await expect(auditor.getByRole("heading", { name: say("states.emptyFilter") })).toBeVisible();
    await auditor.getByRole("link", { name: say("calls.clear") }).click();
    await auditor.waitForURL("/calls?view=all&lane=watchers");
    await expect(log(auditor, say)).toBeVisible();
  });

  await test.step("older calls are a page away, and the newest one is back at the top", async () => {
    await expect
      .poll(async () => (await auditor.request.get("/api/calls?lane=watchers")).text(), { timeout: 60_000 })
      .not.toContain('"older":null');
    const pages = auditor.getByRole("navigation", { name: say("states.pages") });
    await pages.getByRole("link", { name: say("states.older") }).click();
    await auditor.waitForURL(/before=/);
    await expect(log(auditor, say)).toBeVisible();
    await pages.getByRole("link", { name: say("states.newer") }).click();
    await auditor.waitForURL(/after=/);
    await expect(log(auditor, say).getByRole("row")).toHaveCount(26);
    await follow(auditor, ["/calls?search=nothing-like-it"]);
  });
});

test("an error's reference leads to its call", { tag: "@long" }, async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf();
  await provider.openAccount(cpf.digits);
  const support = await signedInAs("support");
  const admin = await signedInAs("admin");
  await provider.fail({ method: "GET", path: BALANCE, status: 402, times: ALWAYS });
  await lookUp(support, say, cpf.digits);
  const failure = support.getByRole("alert").filter({ hasText: say("errors.restricted") });
  const reference = await failure.getByRole("code").innerText();
  await provider.recover();
  await untilSeen(admin, `/api/calls?search=${reference}`, BALANCE);
  await admin.goto(`/calls?search=${reference}`);
  const rows = rowWith(log(admin, say), [BALANCE]);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(say("calls.kinds.restricted"));
  await expect(rows).toContainText("402");

  await admin.goto("/calls?view=failed");
  await expect(rowWith(log(admin, say), [say("calls.kinds.ok")])).toHaveCount(0);
  await expect(rowWith(log(admin, say), [say("calls.kinds.restricted")])).not.toHaveCount(0);
});

test("an administrator checks and revokes the access token, and the screens go on", async ({ signedInAs, say }) => {
  const admin = await signedInAs("admin");
  await admin.goto("/calls");
  await admin.getByRole("button", { name: say("calls.tokenButton") }).click();
  const dialog = admin.getByRole("dialog");
  await expect(dialog.getByText(say("calls.token.states.active"))).toBeVisible();
  await dialog.getByRole("button", { name: say("calls.token.revokeOpen") }).click();
  await dialog.getByRole("button", { name: say("calls.token.revoke"), exact: true }).click();
  await expect(dialog.getByText(say("calls.token.revoked"))).toBeVisible();
  await admin.goto("/webhooks");
  await expect(admin.getByRole("heading", { name: say("webhooks.title") })).toBeVisible();
});
