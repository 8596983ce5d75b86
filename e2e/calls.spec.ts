import type { Page } from "@playwright/test";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { factOf, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

test.beforeEach(async ({ provider }) => provider.recover());

const SUPPORT = "Beatriz Nogueira";
const BALANCE = "/v1/bank-accounts/balance";

const log = (page: Page, say: Words) => page.getByRole("table", { name: say("calls.title") });

/** Has support look an account up; returns the reference that stands in its address. */
async function openAccount(page: Page, say: Words, document: string): Promise<string> {
  await lookUp(page, say, document);
  await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

test("an auditor finds who asked the provider for an account, what for and how it went", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  await provider.openAccount(cpf.digits);
  const [support, auditor] = [await signedInAs("support"), await signedInAs("auditor")];
  const ref = await openAccount(support, say, cpf.digits);
  await untilSeen(auditor, `/api/calls?sought=${ref}`, BALANCE);

  await auditor.goto("/calls");
  await auditor.getByRole("searchbox", { name: say("calls.sought") }).fill(ref);
  await auditor.keyboard.press("Enter");
  await auditor.waitForURL(`/calls?sought=${ref}`);
  const row = rowWith(log(auditor, say), [BALANCE, SUPPORT]);
  await expect(row).toContainText(say("calls.kinds.ok"));
  await expect(row).toContainText("200");
  await row.getByRole("button").click();
  await expect(factOf(auditor, say("calls.reference"))).toHaveText(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
  await expect(factOf(auditor, say("calls.laneName"))).toHaveText(say("calls.lanes.people"));
  await expect(auditor.getByRole("button", { name: say("calls.copyReference"), exact: true })).toBeVisible();

  await auditor.getByRole("link", { name: say("calls.allByActor", { name: SUPPORT }) }).click();
  await expect(auditor.getByText(say("calls.onlyBy", { name: SUPPORT }))).toBeVisible();
  await expect(rowWith(log(auditor, say), [say("calls.lanes.watchers")])).toHaveCount(0);
  await rowWith(log(auditor, say), [BALANCE]).first().getByRole("link").click();
  await auditor.waitForURL(`/accounts/${ref}`);
  await auditor.goBack();
  await auditor.getByRole("link", { name: say("calls.anyActor") }).click();
  await auditor.waitForURL("/calls");
  await expect(auditor.getByText(say("calls.onlyBy", { name: SUPPORT }))).toHaveCount(0);
});

test("the reference that an error shows leads to its call", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf();
  await provider.openAccount(cpf.digits);
  const [support, admin] = [await signedInAs("support"), await signedInAs("admin")];
  await provider.fail({ method: "GET", path: BALANCE, status: 402, times: 1 });
  await lookUp(support, say, cpf.digits);
  const failure = support.getByRole("alert").filter({ hasText: say("errors.restricted") });
  const reference = await failure.getByRole("code").innerText();
  await untilSeen(admin, `/api/calls?sought=${reference}`, BALANCE);
  await admin.goto(`/calls?sought=${reference}`);
  const rows = rowWith(log(admin, say), [BALANCE]);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(say("calls.kinds.restricted"));
  await expect(rows).toContainText("402");

  await admin.goto("/calls?view=failed");
  await expect(rowWith(log(admin, say), [say("calls.kinds.ok")])).toHaveCount(0);
  await expect(rowWith(log(admin, say), [say("calls.kinds.restricted")])).not.toHaveCount(0);
});

test("tabs, lanes and the form narrow the log together, each in the address", async ({ signedInAs, provider, say }) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("auditor");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await untilSeen(page, "/api/calls", "/v1/kyc/list");
  await page.goto("/calls");
  await page
    .getByRole("navigation", { name: say("calls.filterLane") })
    .getByRole("link", { name: say("calls.lanes.watchers") })
    .click();
  await page.waitForURL("/calls?lane=watchers");
  await page.getByRole("combobox", { name: say("calls.path") }).selectOption("/v1/kyc/list");
  await page.waitForURL(/lane=watchers/);
  await expect(page).toHaveURL(/path=%2Fv1%2Fkyc%2Flist/);
  await expect(log(page, say).getByRole("row").nth(1)).toContainText("/v1/kyc/list");
  await expect(rowWith(log(page, say), ["/v1/crypto"])).toHaveCount(0);
  await log(page, say).getByRole("row").nth(1).getByRole("button").click();
  await expect(factOf(page, say("calls.columns.actor"))).toHaveText(
    say("actors.watch", { name: say("actors.watches.kyc") }),
  );
  await page.getByLabel(say("calls.to"), { exact: true }).fill("01/01/2026 00:00");
  await page.getByRole("button", { name: say("calls.apply") }).click();
  await expect(page.getByRole("heading", { name: say("states.emptyFilter") })).toBeVisible();
  await page.getByRole("link", { name: say("calls.clear") }).click();
  await page.waitForURL("/calls?lane=watchers");
  await expect(log(page, say)).toBeVisible();
});

test("a document typed into the search goes nowhere, least of all into the address", async ({ signedInAs, say }) => {
  const page = await signedInAs("auditor");
  await page.goto("/calls");
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  const search = page.getByRole("searchbox", { name: say("calls.sought") });
  const { digits, typed } = inventCpf();
  for (const document of [digits, typed]) {
    await search.fill(document);
    await page.keyboard.press("Enter");
    expect(await search.evaluate((input) => input.matches(":invalid"))).toBe(true);
    await expect(page).toHaveURL("/calls");
  }
  expect(addresses.filter((address) => address.includes(digits) || address.includes(typed))).toEqual([]);
});

test("older calls are a page away, and the newest one is back at the top", async ({ signedInAs, say }) => {
  test.slow();
  const page = await signedInAs("auditor");
  await expect
    .poll(async () => (await page.request.get("/api/calls")).text(), { timeout: 60_000 })
    .not.toContain('"older":null');
  await page.goto("/calls");
  const pages = page.getByRole("navigation", { name: say("states.pages") });
  await pages.getByRole("link", { name: say("states.older") }).click();
  await page.waitForURL(/before=/);
  await expect(log(page, say)).toBeVisible();
  await pages.getByRole("link", { name: say("states.newer") }).click();
  await page.waitForURL(/after=/);
  await expect(log(page, say).getByRole("row")).toHaveCount(26);
});

test("a record's page shows the calls for it to whoever may read it, and all of them to an auditor", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  await provider.openAccount(cpf.digits);
  const [support, auditor] = [await signedInAs("support"), await signedInAs("auditor")];
  const ref = await openAccount(support, say, cpf.digits);
  await untilSeen(support, `/api/calls/about?kind=account&id=${ref}`, BALANCE);
  for (const [page, mayAll] of [
    [support, false],
    [auditor, true],
  ] as const) {
    await page.goto(`/accounts/${ref}`);
    const disclosure = page.getByRole("button", { name: say("calls.about") });
    await expect(disclosure).toHaveAttribute("aria-expanded", "false");
    await disclosure.press("Enter");
    const table = page.getByRole("table", { name: say("calls.about") });
    await expect(rowWith(table, [BALANCE, SUPPORT]).first()).toBeVisible();
    await expect(page.getByRole("link", { name: say("calls.seeAll") })).toHaveCount(mayAll ? 1 : 0);
  }
  await auditor.getByRole("link", { name: say("calls.seeAll") }).click();
  await auditor.waitForURL(`/calls?sought=account%3A${ref}`);
  await expect(rowWith(log(auditor, say), [BALANCE]).first()).toBeVisible();
});

test("calls that cannot be read are told as such in their place, and are tried again", async ({
  signedInAs,
  provider,
  say,
}) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.route("**/api/calls/about**", (route) => route.abort());
  await page.getByRole("button", { name: say("calls.about") }).click();
  const failure = page.getByRole("alert").filter({ hasText: say("calls.failed") });
  await expect(failure).toBeVisible();
  await page.unroute("**/api/calls/about**");
  await failure.getByRole("button", { name: say("common.retry") }).click();
  await expect(failure).toHaveCount(0);
  await expect(page.getByText(say("calls.none"))).toBeVisible();
});
