import { readFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { inventCnpj, inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { isAction } from "./support/server-action";
import { addressesOf, expectRow, factOf, rowWith, sectionOf, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import { reais } from "./support/words";

const ENTRIES_PER_PAGE = 50;
/** The header row and the single day. */
const HEADINGS = 2;

const today = () => new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" }).format(new Date());

test("support finds an account by its CPF, with the provider's record and its balance", async ({
  signedInAs,
  provider,
  language,
  say,
}) => {
  const cpf = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  await provider.credit(account, { amount: "1234.56", description: "Salário de novembro" });
  await provider.credit(account, { amount: "0.07", type: "TED", description: "Acerto" });
  const page = await signedInAs("support");
  const addresses = addressesOf(page);
  await lookUp(page, say, cpf.typed);
  const available = factOf(page, say("accounts.available"));

  await test.step("its balance and its entries", async () => {
    await expect(page).toHaveURL(/\/accounts\/[0-9a-f-]{36}$/);
    await expect(page.getByText(cpf.masked).first()).toBeVisible();
    await expect(page.getByText(account.accountId).first()).toBeVisible();
    const { balance, blockedBalance } = await provider.balance(account);
    expect([balance, blockedBalance]).toEqual(["1234.63", "0.00"]);
    await expect(available).toContainText(reais("1234.63", language));
    await expect(factOf(page, say("accounts.blocked"))).toContainText(reais("0.00", language));

    const statement = page.getByRole("table", { name: say("accounts.statement") });
    const entries = await provider.statement(account);
    expect(entries.map(({ amount }) => amount)).toEqual(["0.07", "1234.56"]);
    for (const { transactionId, description } of entries) {
      await expect(statement.locator(`tr[data-transaction="${transactionId}"]`)).toContainText(description);
    }
    await expectRow(statement, ["Salário de novembro", "PIX", `+${reais("1234.56", language)}`]);
    await expectRow(statement, ["Acerto", "TED", `+${reais("0.07", language)}`]);
  });

  await test.step("the balance is asked for again on demand, and stays in sight when that fails", async () => {
    const refresh = page.getByRole("button", { name: say("common.refresh") });
    await provider.credit(account, { amount: "10.00" });
    await refresh.click();
    await expect(available).toContainText(reais("1244.63", language));
    await page.route("**/balance", (route) => route.fulfill({ status: 503, json: { error: { kind: "unavailable" } } }));
    await refresh.click();
    await expect(page.getByText(say("states.staleBody"))).toBeVisible();
    await expect(available).toContainText(reais("1244.63", language));
  });

  await test.step("whoever waits long for it sees meanwhile what holds the answer back", async () => {
    await page.unroute("**/balance");
    const lanes = { money: 0, people: 0, watchers: 0 };
    const calm = { limit: 180, configured: 180, used: 0, byLane: lanes, waiting: lanes, pausedUntil: null };
    const quiet = { silentLanes: [], silentSince: null, told: null, isDemoBeingMade: false };
    await page.route("**/api/provider", (route) =>
      route.fulfill({ json: { ...calm, waiting: { ...lanes, people: 1 }, ...quiet } }),
    );
    const meter = page.getByRole("button", { name: new RegExp(`^${say("provider.title")}`) });
    const inLine = meter.getByText(say("provider.waiting", { count: 1 }));
    await expect(meter).toBeVisible();
    await expect(inLine).toBeHidden();
    await page.route("**/balance", () => undefined);
    await page.getByRole("button", { name: say("common.refresh") }).click();
    await expect(inLine).toBeVisible();
  });

  await test.step("the document is in no address, and masked in everything the browser keeps", async () => {
    await page
      .getByRole("navigation", { name: say("shell.navigation") })
      .getByRole("link", { name: say("accounts.title"), exact: true })
      .click();
    await expectRow(page.getByRole("table", { name: say("accounts.title") }), [cpf.masked]);
    const html = await (await page.request.get("/accounts")).text();
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]));
    for (const text of [...addresses, html, stored, await page.title()]) {
      expect(text).not.toContain(cpf.digits);
      expect(text).not.toContain(cpf.typed);
    }
    expect(addresses.length).toBeGreaterThan(1);
  });
});

test("a look-up opens the account or onboarding found and shows errors at its field", async ({
  signedInAs,
  provider,
  say,
}) => {
  const company = inventCnpj();
  const confirmed = inventCpf();
  const running = inventCpf("003");
  await provider.openAccount(company.digits);
  const { onBoardingId } = await provider.openAccount(confirmed.digits);
  await provider.requestAccount(running.digits);
  const page = await signedInAs("support");
  const writes: string[] = [];
  page.on("request", (request) => isAction(request) && writes.push(request.url()));
  const field = page.getByLabel(say("accounts.lookUpLabel"));
  const status = factOf(page, say("onboarding.columns.status"));
  const lookUpNext = async (query: string) => {
    await field.fill(query);
    await page.getByRole("button", { name: say("accounts.lookUp") }).click();
  };
  const goBack = () =>
    page
      .getByRole("navigation", { name: say("shell.navigation") })
      .getByRole("link", { name: say("accounts.title"), exact: true })
      .click();

  await test.step("nothing, or wrong check digits, and nobody is asked", async () => {
    await lookUp(page, say, "  ");
    await expect(field).toHaveAccessibleDescription(new RegExp(say("accounts.queryFirst")));
    expect(writes).toEqual([]);
    const wrong = confirmed.digits.slice(0, 10) + ((Number(confirmed.digits[10]) + 1) % 10);
    await lookUpNext(wrong);
    await expect(field).toHaveAccessibleDescription(new RegExp(say("fields.document")));
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveValue(wrong);
    await expect(page).toHaveURL("/accounts");
  });

  await test.step("a mask, which may be several people's", async () => {
    await lookUpNext(confirmed.masked);
    await expect(field).toHaveAccessibleDescription(new RegExp(say("fields.masked")));
    await expect(page.getByText(say("search.sameMask"))).toBeVisible();
  });

  await test.step("a document that the provider does not know", async () => {
    await lookUpNext(inventCpf().typed);
    await expect(page.getByText(say("failures.customer-unknown"))).toBeVisible();
    await expect(page).toHaveURL("/accounts");
    const searched = page.waitForResponse((response) => response.url().endsWith("/api/search"));
    await lookUpNext("000000-0");
    await searched;
    await expect(page.getByText(say("failures.customer-unknown"))).toBeVisible();
    await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
    await expect(page.getByRole("button", { name: say("search.askProvider") })).toHaveCount(0);
  });

  await test.step("a company's account", async () => {
    await lookUpNext(company.typed);
    await expect(page.getByText(company.masked).first()).toBeVisible();
    await expect(page.getByRole("main").getByText(say("accounts.kind.PJ"), { exact: true }).first()).toBeVisible();
    await expect(page.getByText(say("accounts.noEntriesTitle"))).toBeVisible();
  });

  await test.step("the id of an onboarding, to which its account leads back", async () => {
    await goBack();
    await lookUpNext(` ${onBoardingId} `);
    await expect(page).toHaveURL(/\/accounts\/[0-9a-f-]{36}$/);
    await page.getByRole("link", { name: say("accounts.onboarding") }).click();
    await expect(page).toHaveURL(/\/onboarding\/[0-9a-f-]{36}$/);
    await expect(status).toHaveText(say("onboarding.status.CONFIRMED"));
  });

  await test.step("an onboarding that still runs", async () => {
    await goBack();
    await lookUpNext(running.typed);
    await expect(page).toHaveURL(/\/onboarding\/[0-9a-f-]{36}$/);
    await expect(status).toHaveText(say("onboarding.status.PROCESSING"));
    await expect(factOf(page, say("onboarding.account"))).toHaveText(say("onboarding.noAccount"));
  });
});

test(
  "support on the phone sees the holder and their possible case, and adds a note",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const cpf = inventCpf();
    const [kycUUID] = [await provider.openCase(cpf.digits), await provider.openAccount(cpf.digits)];
    const page = await signedInAs("support");
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await lookUp(page, say, cpf.typed);

    await test.step("the holder, one field in clear at a time and with why", async () => {
      const holder = page.getByRole("region", { name: say("accountRecord.holder") });
      await expect(factOf(holder, say("accountRecord.fields.fullName"))).toContainText("•••");
      await expect(page.getByTitle(say("accountRecord.status", { status: "ACTIVE" }))).toBeVisible();
      const itself = page.getByRole("region", { name: say("accountRecord.account"), exact: true });
      await expect(factOf(itself, say("accountRecord.fields.userId"))).toHaveText(
        say("accountRecord.userIdUnreported"),
      );
      await expect(page.getByRole("region", { name: say("accountRecord.documents") })).toContainText(
        say("accountRecord.links.selfieLink"),
      );
      const addresses = addressesOf(page);
      const mother = say("accountRecord.fields.motherName");
      await holder.getByRole("button", { name: say("privacy.revealNamed", { document: mother }) }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(say("privacy.reasons.service")).check();
      await dialog.getByLabel(say("privacy.note")).fill("Protocolo 8731: o titular está ao telefone");
      await dialog.getByRole("button", { name: say("privacy.submit") }).click();
      await expect(dialog).toBeHidden();
      await expect(factOf(holder, mother)).not.toContainText("•••");
      await expect(factOf(holder, say("accountRecord.fields.birthDate"))).toContainText("•••");
      expect(addresses.filter((address) => address.includes("mother"))).toEqual([]);
    });

    await test.step("the KYC case that may be the holder's", async () => {
      const related = page.getByRole("region", { name: say("kycCase.related"), exact: true });
      await expect(related).toContainText(say("kycCase.relatedHint.account"));
      const item = related.getByRole("listitem");
      await expect(item).toContainText(say("kycCase.perhaps"));
      await expect(item.getByRole("link", { name: cpf.masked })).toHaveAttribute("href", `/kyc/${kycUUID}`);
    });

    await test.step("a note and a file, seen at once by whoever else has it open", async () => {
      const notes = page.getByRole("region", { name: say("casework.notes"), exact: true });
      await expect(notes).toContainText(say("casework.accountNotesHint"));
      const colleague = await signedInAs("finance");
      await colleague.goto(new URL(page.url()).pathname);
      const theirs = colleague.getByRole("region", { name: say("casework.notes"), exact: true });
      await expect(theirs).toContainText(say("casework.noNotes"));
      await notes.getByLabel(say("casework.note"), { exact: true }).fill(`Ligou e confirmou o CPF ${cpf.typed}`);
      await notes.getByLabel(say("casework.note"), { exact: true }).press("Control+Enter");
      await expect(theirs.getByRole("listitem")).toContainText(`Ligou e confirmou o CPF ${cpf.masked}`);

      const files = page.getByRole("region", { name: say("casework.files"), exact: true });
      const name = "comprovante.pdf";
      const sent = Buffer.from("%PDF-1.7 comprovante");
      await files.locator("input[type=file]").setInputFiles([{ name, mimeType: "application/pdf", buffer: sent }]);
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        files.getByRole("link", { name: say("casework.downloadNamed", { name }) }).click(),
      ]);
      expect(readFileSync(await file.path())).toEqual(sent);
      await expectAccessible(page, "an account with its holder, a case, a note and a file");
    });

    await test.step("who may not write reads the note all the same", async () => {
      const auditor = await signedInAs("auditor", { scripts: false });
      await auditor.goto(new URL(page.url()).pathname);
      const readOnly = sectionOf(auditor, "notes");
      await expect(readOnly.locator("li")).toHaveCount(1);
      await expect(readOnly.locator("textarea")).toHaveCount(0);
    });
  },
);

test("the statement groups entries by day with sums, and filters by period and search", async ({
  signedInAs,
  provider,
  say,
  language,
}) => {
  const cpf = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  const other = await provider.openAccount(inventCpf().digits);
  await provider.credit(account, { amount: "1000.10", description: "Salário" });
  await provider.credit(account, { amount: "20.00", type: "TED", description: "Acerto de contas" });
  await provider.transfer(account, other, "7.05");
  const page = await signedInAs("support");
  await lookUp(page, say, cpf.digits);
  const statement = page.getByRole("table", { name: say("accounts.statement") });

  await test.step("what came in and went out", async () => {
    await expect(factOf(page, say("statement.in"))).toContainText(reais("1020.10", language));
    await expect(factOf(page, say("statement.out"))).toContainText(reais("7.05", language));
    const ofToday = statement.locator(`tr[data-day="${today()}"]`);
    await expect(ofToday).toContainText(reais("1020.10", language));
    await expect(ofToday.getByText(say("statement.dayBalance"))).toContainText(reais("1013.05", language));
    await expect(page.getByTitle(say("statement.openingHow"))).toContainText(reais("0.00", language));
    const chart = page.getByRole("region", { name: say("statement.sums") });
    // The balance as a line, and the entries as bars.
    await expect(chart.getByRole("slider")).toHaveCount(2);
    await chart.getByText(say("statement.perDayTable")).click();
    const perDay = chart.getByRole("table", { name: say("statement.perDay") });
    const sums = [reais("1020.10", language), reais("7.05", language), reais("1013.05", language)];
    await expect(rowWith(perDay, sums)).toHaveCount(1);
    await expectAccessible(page, "what came and went per day as a chart and a table");
  });

  await test.step("looked for by direction, amount and what entries say, in the address", async () => {
    const filters = page.getByRole("button", { name: say("common.filters") });
    await filters.click();
    await page.getByLabel(say("statement.direction")).selectOption("out");
    await expect(page).toHaveURL(/direction=out/);
    await expect(filters).toHaveAccessibleName(`${say("common.filters")} ${say("common.filtersOn", { count: 1 })}`);
    await expect(rowWith(statement, ["Salário"])).toHaveCount(0);
    await expect(factOf(page, say("statement.in"))).toContainText(reais("0.00", language));
    await page
      .getByRole("link", { name: say("statement.clear") })
      .first()
      .click();
    await expect(page).not.toHaveURL(/direction=/);
    await expectRow(statement, ["Salário"]);
    await expect(page.getByLabel(say("statement.direction"))).toHaveValue("");
    await page.getByLabel(say("statement.min")).fill("15,00");
    await page.getByLabel(say("statement.searchLabel")).fill("acerto DE");
    await page.getByRole("button", { name: say("accounts.apply") }).click();
    await expect(page).toHaveURL(/search=acerto.*min=15/);
    await expectRow(statement, ["Acerto de contas"]);
    await expect(rowWith(statement, ["Salário"])).toHaveCount(0);
    await expect(page.getByRole("navigation", { name: say("statement.search") })).toContainText(/^1 (of|de) \d/);

    const before = page.url();
    const apply = page.getByRole("button", { name: say("accounts.apply") });
    const search = page.getByLabel(say("statement.searchLabel"));
    const min = page.getByLabel(say("statement.min"));
    const max = page.getByLabel(say("statement.max"));
    await search.fill(cpf.typed);
    await apply.click();
    await expect(search).toHaveAccessibleDescription(say("common.documentNotSearched"));
    await search.fill(cpf.masked.replaceAll(/[^\d.]/g, "").replaceAll(/^\.|\.$/g, ""));
    await search.press("Enter");
    await expect(page).toHaveURL(before);
    await search.fill("acerto");
    await expect(search).toHaveAccessibleDescription(say("statement.searchHint"));
    await expect(page.getByText(say("statement.searchHint"))).toHaveCount(0);
    await min.fill("1.5.0");
    await page.getByRole("button", { name: say("common.filters") }).click();
    await expect(min).toBeHidden();
    await apply.click();
    await expect(min).toBeFocused();
    await expect(min).toHaveAccessibleDescription(say("common.badAmount"));
    await expectAccessible(page, "a bad amount in the statement's filter");
    await min.fill("20,00");
    await expect(page.getByText(say("common.badAmount"))).toHaveCount(0);
    await max.fill("10,00");
    await apply.click();
    await expect(max).toHaveAccessibleDescription(say("common.reversedAmounts"));
    expect(page.url()).toBe(before);
    await max.fill("30,00");
    await apply.click();
    await expect(page).toHaveURL(/max=30/);
  });

  await test.step("a date is typed or chosen; an invalid one stays with its error beside it", async () => {
    const from = page.getByLabel(say("accounts.from"), { exact: true });
    await from.fill("");
    await from.pressSequentially("31022026");
    await expect(from).toHaveValue("31/02/2026");
    const before = page.url();
    await page.getByRole("button", { name: say("accounts.apply") }).click();
    await expect(from).toBeFocused();
    await expect(from).toHaveAccessibleDescription(say("common.badDate"));
    await expect(from).toHaveValue("31/02/2026");
    expect(page.url()).toBe(before);

    await from.fill("07/09/2026");
    await page
      .getByRole("button", { name: say("common.openCalendar") })
      .first()
      .click();
    const calendar = page.getByRole("dialog", { name: say("common.calendar") });
    await expect(calendar.getByRole("grid")).toBeVisible();
    await expectAccessible(page, "the calendar");
    await calendar.getByRole("button", { name: /\b15/ }).click();
    await expect(from).toHaveValue("15/09/2026");
    await expect(from).toBeFocused();
    await page.getByRole("button", { name: say("accounts.apply") }).click();
    await expect(page).toHaveURL(/from=2026-09-15/);
    await expect(from).toHaveValue("15/09/2026");
  });

  await test.step("to PIX and to a period", async () => {
    await page
      .getByRole("link", { name: say("statement.clear") })
      .first()
      .click();
    await expect(page).not.toHaveURL(/min=/);
    await expectRow(statement, ["Acerto de contas"]);

    await page.getByRole("link", { name: say("accounts.onlyPix") }).click();
    await expect(page).toHaveURL(/pix=true/);
    await expect(rowWith(statement, ["Acerto de contas"])).toHaveCount(0);
    await expectRow(statement, ["Salário"]);

    await page.getByRole("link", { name: say("accounts.presets.today"), exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`from=${today()}.*pix=true`));
    await expectRow(statement, ["Salário"]);

    await page.getByLabel(say("accounts.from"), { exact: true }).fill("01/01/2026");
    await page.getByLabel(say("accounts.to"), { exact: true }).fill("31/01/2026");
    await page.getByRole("button", { name: say("accounts.apply") }).click();
    await expect(page.getByText(say("accounts.noPixTitle"))).toBeVisible();
    await expect(page).toHaveURL(/from=2026-01-01/);
  });
});

test("a long statement is read page by page", { tag: "@long" }, async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  await provider.credit(account, { amount: "1.00", description: "O primeiro de todos" });
  for (let count = 0; count < ENTRIES_PER_PAGE; count += 1) await provider.credit(account, { amount: "2.00" });
  const page = await signedInAs("support");
  await lookUp(page, say, cpf.digits);
  const statement = page.getByRole("table", { name: say("accounts.statement") });
  const pages = page.getByRole("navigation", { name: say("paging.label") });
  await expect(pages.getByText(say("paging.position", { page: 1, totalPages: 2 }))).toBeVisible();
  await expect(statement.getByRole("row")).toHaveCount(HEADINGS + ENTRIES_PER_PAGE);
  await pages.getByRole("link", { name: say("paging.next") }).click();
  await expectRow(statement, ["O primeiro de todos"]);
  await expect(statement.getByRole("row")).toHaveCount(HEADINGS + 1);
  await expect(pages.getByRole("link", { name: say("paging.next") })).toHaveCount(0);

  await page.goto(`${new URL(page.url()).pathname}?page=9999`);
  await expect(pages.getByText(say("paging.position", { page: 2, totalPages: 2 }))).toBeVisible();
  await pages.getByRole("link", { name: say("paging.previous") }).click();
  await expect(statement.getByRole("row")).toHaveCount(HEADINGS + ENTRIES_PER_PAGE);
});

test("an entry opens with what the provider says, and the arrow keys walk on", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const theirs = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  const other = await provider.openAccount(theirs.digits);
  const oldest = await provider.credit(account, { amount: "50.00", description: "Recarga" });
  await provider.transfer(account, other, "7.05");
  const [newest] = await provider.statement(account);
  const page = await signedInAs("support");
  const isOldest = ({ pathname, searchParams }: URL) =>
    pathname.endsWith("/entry") && searchParams.get("transaction") === oldest;
  // The first page may still be cached.
  await page.route(isOldest, (route) => route.fulfill({ status: 503, json: { error: { kind: "unavailable" } } }));
  await lookUp(page, say, cpf.digits);
  const statement = page.getByRole("table", { name: say("accounts.statement") });

  const panel = page.getByRole("dialog", { name: say("statement.entry") });

  await test.step("opened, and walked on from", async () => {
    await statement.getByRole("row").nth(HEADINGS).getByRole("button").click();
    await expect(panel.getByRole("heading", { name: say("statement.entry") })).toBeFocused();
    const newerButton = panel.getByRole("button", { name: say("statement.newerEntry") });
    const olderButton = panel.getByRole("button", { name: say("statement.olderEntry") });
    await expect(newerButton).toHaveAttribute("aria-disabled", "true");
    await expect(factOf(panel, say("statement.fields.transactionId"))).toContainText(newest?.transactionId ?? "");
    const counterparty = panel.getByRole("region", { name: say("statement.counterparty") });
    await expect(counterparty).toContainText(theirs.masked);
    await expectAccessible(page, "an entry's panel");
    await expect(page).toHaveURL(new RegExp(`[?&]entry=${newest?.transactionId}`));
    await page.keyboard.press("ArrowDown");
    await expect(panel.getByText("Recarga").first()).toBeVisible();
    await expect(panel.getByText(say("statement.position", { place: 2, total: 2 }))).toBeVisible();
    await expect(olderButton).toHaveAttribute("aria-disabled", "true");
    await expect(newerButton).toHaveAttribute("aria-disabled", "false");
    await expect(panel.getByText(say("statement.entryUnread"))).toBeVisible();
    await page.unroute(isOldest);
    await panel.getByRole("button", { name: say("common.retry") }).click();
    await expect(factOf(panel, say("statement.fields.transactionId"))).toContainText(oldest);
    await page.keyboard.press("ArrowUp");
    await expect(factOf(panel, say("statement.fields.transactionId"))).toContainText(newest?.transactionId ?? "");
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await expect(page).not.toHaveURL(/entry=/);
  });

  await test.step("sent on by its address, whichever page of the statement it stands on", async () => {
    await statement.getByRole("row").nth(HEADINGS).getByRole("button").click();
    await expect(page).toHaveURL(new RegExp(`entry=${newest?.transactionId}`));
    await page.keyboard.press("ArrowDown");
    await expect(page).toHaveURL(new RegExp(`entry=${oldest}`));
    const address = page.url();
    await page.goBack();
    await expect(panel).toBeHidden();
    await expect(page).not.toHaveURL(/entry=/);
    await page.goForward();
    await expect(panel.getByText("Recarga").first()).toBeVisible();
    await page.reload();
    await expect(panel.getByText(say("statement.position", { place: 2, total: 2 }))).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await expect(page).not.toHaveURL(/entry=/);

    const colleague = await signedInAs("finance");
    await colleague.goto(`${new URL(address).pathname}?from=2026-01-01&to=2026-01-02&entry=${oldest}`);
    const apart = colleague.getByRole("dialog", { name: say("statement.entry") });
    await expect(apart.getByText(say("statement.entryApart"))).toBeVisible();
    await expect(factOf(apart, say("statement.fields.description"))).toContainText("Recarga");
    await apart.getByRole("link", { name: say("statement.receipt") }).click();
    await expect(colleague.getByRole("heading", { name: say("receipt.title") })).toBeVisible();
  });
});

test("support exports a receipt and a filtered statement, and both go on record", async ({
  signedInAs,
  provider,
  say,
  language,
}) => {
  const cpf = inventCpf();
  const theirs = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  const other = await provider.openAccount(theirs.digits);
  await provider.credit(account, { amount: "1234.50", description: "Salário" });
  await provider.transfer(account, other, "7.05");
  const page = await signedInAs("support");
  await lookUp(page, say, cpf.digits);
  const statement = page.getByRole("table", { name: say("accounts.statement") });
  await page.getByRole("button", { name: say("common.filters") }).click();
  await page.getByLabel(say("statement.direction")).selectOption("out");
  await expect(rowWith(statement, ["Salário"])).toHaveCount(0);
  const ofFiltered = page.getByRole("link", { name: say("statement.export.ofx") });
  await expect(ofFiltered).toHaveAttribute("href", /direction=out/);
  // Until the sums load, the content below may move under a click.
  await expect(page.getByRole("region", { name: say("statement.sums") })).toContainText(reais("7.05", language));
  const take = async (format: "csv" | "ofx" | "pdf") => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: say(`statement.export.${format}`) }).click(),
    ]);
    return readFileSync(await file.path(), "latin1");
  };
  expect(await take("csv")).toMatch(/[;,]-7[.,]05[;,]/);
  const ofx = await take("ofx");
  expect(ofx).toContain("<TRNAMT>-7.05</TRNAMT>");
  expect(ofx).not.toContain("1234.50");
  expect((await take("pdf")).slice(0, 5)).toBe("%PDF-");

  await statement.getByRole("row").nth(HEADINGS).getByRole("button").click();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: say("statement.receipt") })
    .click();
  await expect(page.getByRole("heading", { name: say("receipt.title") })).toBeVisible();
  await expect(page.getByRole("region", { name: say("receipt.payer") })).toContainText(cpf.masked);
  await expect(page.getByRole("region", { name: say("receipt.payee") })).toContainText(theirs.masked);
  await expect(page.getByText(reais("7.05", language)).first()).toBeVisible();
  await expectAccessible(page, "a receipt");
  const takePdf = async (pressed: Locator) => {
    const [file] = await Promise.all([page.waitForEvent("download"), pressed.click()]);
    expect(readFileSync(await file.path(), "latin1").slice(0, 5)).toBe("%PDF-");
  };
  await takePdf(page.getByRole("link", { name: say("receipt.pdf") }));
  await page.getByRole("button", { name: say("privacy.file.button") }).click();
  const why = page.getByRole("dialog");
  await why.getByLabel(say("privacy.reasons.service")).check();
  await why.getByLabel(say("privacy.note")).fill("Protocolo 8731: o titular pediu o comprovante");
  await takePdf(why.getByRole("button", { name: say("privacy.file.submit") }));

  const path = new URL(page.url()).pathname.replace("/receipt", "");
  await page.locator(`main header a[href="${path}"]`).click();
  await takePdf(page.getByRole("link", { name: say("accountLetter.name") }));
  // The reason told for the receipt covers this customer's other files.
  await takePdf(page.getByRole("button", { name: say("accountLetter.named") }));
  await expect(why).toHaveCount(0);

  const auditor = await signedInAs("auditor", { scripts: false });
  await auditor.goto(path);
  const accesses = sectionOf(auditor, "looks");
  await expect(accesses.getByText(say("audit.codes.statement.export"))).toHaveCount(7);
  await expect(accesses.getByText(say("audit.codes.personal-data.file"))).toHaveCount(2);

  const approver = await signedInAs("approver", { scripts: false });
  await approver.goto(new URL(auditor.url()).pathname);
  const button = approver.getByRole("button", { name: say("statement.export.csv"), includeHidden: true }).first();
  await expect(button).toHaveAttribute("aria-disabled", "true");
  const refused = await approver.request.get(`/api${new URL(auditor.url()).pathname}/statement`);
  expect(refused.status()).not.toBe(200);
});

test("a saved list view is kept, opens the list and can be removed", { tag: "@long" }, async ({ signedInAs, say }) => {
  const page = await signedInAs("finance");
  for (const { area, search } of [
    { area: "accounts", search: "view=closed&sort=balance&dir=asc" },
    { area: "transfers", search: "view=confirmed&kind=EXTERNAL" },
  ] as const) {
    await page.goto(`/${area}?${search}`);
    await page.getByRole("button", { name: say("views.keep") }).click();
    const dialog = page.getByRole("dialog", { name: say("views.keepTitle") });
    await dialog.getByLabel(say("views.name")).fill("Minha lista");
    await dialog.getByLabel(say("views.isDefault")).check();
    if (area === "accounts") await expectAccessible(page, "keeping a view");
    await dialog.getByRole("button", { name: say("views.submit") }).click();
    const tab = page.getByRole("main").getByRole("link", { name: "Minha lista" });
    await expect(tab).toHaveAttribute("aria-current", /.+/);
    const led = await page.request.get(`/${area}`, { maxRedirects: 0 });
    expect([led.status(), led.headers()["location"]]).toEqual([307, `/${area}?${search}`]);
    await page.getByRole("button", { name: say("views.change") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("views.remove") })
      .click();
    await expect(tab).toHaveCount(0);
    await expect(page).toHaveURL(`/${area}?view=all`);
  }
});
