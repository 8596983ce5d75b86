import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { authorise, authoriseInVain } from "./support/approvals-page";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { callAction, nextAction } from "./support/server-action";
import { addressesOf, factOf, idIn } from "./support/sight";
import { expect, test } from "./support/story";
import {
  exportedLines,
  fillBetween,
  fillTed,
  openForm,
  paid,
  send,
  TRANSFER,
  twoAccounts,
  typeTed,
} from "./support/transfer-form";
import { reais as written, type Words } from "./support/words";

/** Opens the list through the navigation. */
async function openList(page: Page, say: Words): Promise<void> {
  await page
    .getByRole("navigation", { name: say("shell.navigation") })
    .getByRole("link", { name: say("transfers.title"), exact: true })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: say("transfers.title") })).toBeVisible();
}

type Recorded = {
  id: string;
  amount: string;
  state: "CONFIRMED" | "HELD" | "REFUSED";
  outcome: "DONE" | "HELD" | "REFUSED";
};

/** The transfer's line in the list's file, and its audit rows. */
async function expectRecorded(
  { page, auditor, say }: { page: Page; auditor: Page; say: Words },
  { id, amount, state, outcome }: Recorded,
): Promise<void> {
  const lines = await exportedLines(page, say);
  expect(lines.find((line) => line.includes(id))).toContain(`;"${say(`transfers.states.${state}`)}";${amount};`);
  await auditor.goto(`/audit?search=${id}`);
  const rows = auditor.getByRole("table", { name: say("audit.title") }).getByRole("row");
  await expect(rows.filter({ hasText: say(`audit.outcomes.${outcome}`) }).first()).toBeVisible();
}

test("a transfer between accounts is reviewed, pressed twice, paid once and confirmed", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const { payer, payee, from } = await twoAccounts(provider, "100.00");
  const page = await signedInAs("support");
  await openForm(page, say, payer.typed);
  const user = page.getByLabel(say("transferForm.user"));
  const to = page.getByLabel(say("transferForm.to"));
  const amount = page.getByLabel(say("transferForm.amount"));
  const description = page.getByLabel(say("transferForm.description"));
  await expect(user).toHaveAccessibleDescription(
    `${say("transferForm.userHint")} ${say("transferForm.userUnreported")}`,
  );
  await page.getByRole("button", { name: say("transferForm.toReview") }).click();
  const summary = page.locator("[data-wrong-fields]");
  await expect(summary).toBeFocused();
  await expect(summary).toBeInViewport();
  await expect(user).toHaveAccessibleDescription(new RegExp(`^${say("fields.required")}`));
  await expect(to).toHaveAccessibleDescription(new RegExp(`^${say("transferForm.toFirst")}`));
  await expect(amount).toHaveAccessibleDescription(new RegExp(`^${say("fields.required")}`));
  await page.getByRole("button", { name: say("transferForm.amount"), exact: true }).click();
  await expect(amount, "the summary leads there").toBeFocused();
  await description.fill(`De ${payee.typed}`);
  await amount.focus();
  await expect(description, "said as it is left").toHaveAccessibleDescription(
    new RegExp(`^${say("fields.no-document")}`),
  );
  await expect(amount, "a mark takes nobody away").toBeFocused();
  await fillBetween(page, say, { to: payer.typed, amount: "abc" });
  await expect(amount).toHaveAccessibleDescription(new RegExp(`^${say("fields.amount-number")}`));
  await expect(description).toHaveAccessibleDescription(new RegExp(`^${say("fields.no-document")}`));
  await expect(description).toHaveValue(`De ${payee.typed}`);
  await description.fill("");
  await fillBetween(page, say, { to: payer.typed, amount: "12,34" });
  await expect(page.getByText(say("fields.same-account"))).toBeVisible();
  await expectAccessible(page, "the form of a transfer with a field marked");

  await fillBetween(page, say, { to: payee.typed, amount: "12,34" });
  await expect(page.getByRole("heading", { name: say("transferForm.reviewTitle") })).toBeFocused();
  await expect(page.getByText(payee.typed)).toBeVisible();
  await expectAccessible(page, "the review of a transfer");
  await send(page, say).dblclick();
  await page.waitForURL(TRANSFER);
  await expect(page.getByText(say("transfers.sentence.CONFIRMED"))).toBeVisible();
  await expectAccessible(page, "a confirmed transfer");
  expect(await paid(provider, from, "12.34")).toBe(1);
  const id = idIn(page.url());

  // Another one like it needs a tick.
  await page.getByRole("link", { name: say("transfers.another"), exact: true }).click();
  await expect(page.getByRole("heading", { name: say("transferForm.payTitle") })).toBeVisible();
  await expect(user).toHaveValue("user-1");
  const [, unconfirmed = ""] = say("transferForm.userTyped", { name: "", time: "/" }).split("/");
  await expect(page.getByText(unconfirmed)).toBeVisible();
  await fillBetween(page, say, { to: payee.typed, amount: "12,34" });
  await send(page, say).click();
  await expect(page.getByText(say("transferForm.againFirst"))).toBeVisible();
  expect(await paid(provider, from, "12.34")).toBe(1);

  await openList(page, say);
  const row = page
    .getByRole("table", { name: say("transfers.title") })
    .getByRole("row")
    .nth(1);
  await expect(row).toContainText(say("transfers.states.CONFIRMED"));
  const auditor = await signedInAs("auditor", { scripts: false });
  await expectRecorded({ page, auditor, say }, { id, amount: "12,34", state: "CONFIRMED", outcome: "DONE" });
});

test(
  "one order sent fifty times while its form reloads is paid once",
  { tag: "@long" },
  async ({ signedInAs, product: { url }, provider, say }) => {
    test.slow();
    const { payer, payee, from } = await twoAccounts(provider, "100.00");
    const page = await signedInAs("support");
    await openForm(page, say, payer.typed);
    await fillBetween(page, say, { to: payee.typed, amount: "1,07" });
    await expect(page.getByRole("heading", { name: say("transferForm.reviewTitle") })).toBeFocused();
    const path = "/v1/bank-accounts/generateInternalTransferRequest";
    await provider.fail({ method: "POST", path, delayMs: 8_000, times: 1 });
    const sent = nextAction(page);
    await send(page, say).click({ noWaitAfter: true });
    const order = await sent;
    const again = Promise.all(Array.from({ length: 50 }, () => callAction(page, order, url)));
    // The audit row appears a moment after the request.
    await expect(async () => {
      await page.reload();
      await expect(page.getByText(say("transferForm.inFlight"))).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(page.getByRole("button", { name: say("transferForm.toReview") })).toHaveCount(0);
    await expectAccessible(page, "the form of a transfer that is being sent");
    // Each is answered, and none with a server error.
    expect((await again).filter((answer) => answer.status() >= 500)).toEqual([]);
    await page.getByRole("link", { name: say("transferForm.inFlightLink") }).click();
    await expect(page.getByText(say("transfers.sentence.CONFIRMED"))).toBeVisible();
    await openList(page, say);
    await expect(page.getByRole("table", { name: say("transfers.title") }).getByText(/1[.,]07/)).toHaveCount(1);
    expect(await paid(provider, from, "1.07")).toBe(1);
  },
);

test("a TED waits for a second person, then shows as held by the provider", async ({
  signedInAs,
  provider,
  say,
  language,
}) => {
  test.slow();
  const { payer, from } = await twoAccounts(provider, "20000.00");
  const page = await signedInAs("finance");
  await openForm(page, say, payer.typed);
  await fillTed(page, say, "10.000,00");
  await expect(page.getByText(say("transferForm.why.amount", { limit: written("5000.00", language) }))).toBeVisible();
  await expect(page.getByText(say("transferForm.firstUse"))).toBeVisible();
  await expectAccessible(page, "the review of a TED");
  await page.getByRole("button", { name: say("transferForm.propose") }).click();
  await page.waitForURL(TRANSFER);
  const address = page.url();
  await expect(page.getByRole("main")).toContainText(say("transfers.states.WAITING"));
  await expect(page.getByRole("link", { name: say("transfers.another"), exact: true })).toBeVisible();
  const pendingApproval = await page.getByRole("link", { name: say("approvals.seeRequest") }).getAttribute("href");

  const approver = await signedInAs("approver", { width: 1024 });
  await approver.goto("/approvals");
  const waiting = approver.getByRole("row").filter({ hasText: say("approvals.firstPayee") });
  await expect(waiting).toContainText(written("10000.00", language));
  await expect(waiting).toContainText(say("approvals.decision.may"));
  await expectNoSidewaysScroll(approver, "the inbox at 1024 px");
  await approver.goto(pendingApproval ?? "");
  await expect(approver.getByText(say("approvals.why.amount", { limit: written("5000.00", language) }))).toBeVisible();
  await expect(approver.getByText(say("approvals.isFirstUse"))).toBeVisible();
  await expect(approver.getByRole("row", { name: say("approvals.facts.fromHolder") })).toContainText("•••");
  const payerBalance = approver.getByRole("region", { name: say("approvals.payer.title") });
  await expect(payerBalance).toContainText(written("20000.00", language));
  await expect(payerBalance).toContainText(say("approvals.payer.read"));
  await payerBalance.getByRole("button", { name: say("approvals.payer.reread") }).click();
  await expect(payerBalance.getByText(say("approvals.payer.rereadFailed"))).toBeHidden();
  const payerLink = approver.getByRole("link", { name: say("approvals.openPayer") });
  await expect(payerLink).toHaveAttribute("href", /^\/accounts\//);
  const others = approver.getByRole("region", { name: say("approvals.othersToPayee") });
  await expect(others).toContainText(say("approvals.noOthers"));
  await expectAccessible(approver, "the proposal of a TED");
  await authorise(approver, say);
  // It appears without a reload.
  await expect(page.getByText(say("transfers.doNotRepeat"))).toBeVisible();
  await expect(page.getByRole("link", { name: say("transfers.another"), exact: true })).toHaveCount(0);
  const heldId = await factOf(page, say("transfers.facts.antifraudId")).locator("code").innerText();
  await expectAccessible(page, "a held transfer");
  expect(await paid(provider, from, "10000.00")).toBe(0);
  await page.goto("/transfers?view=held");
  await expect(
    page
      .getByRole("table", { name: say("transfers.title") })
      .getByRole("row")
      .nth(1),
  ).toContainText("TED");
  const auditor = await signedInAs("auditor", { scripts: false });
  await expectRecorded(
    { page, auditor, say },
    { id: idIn(address), amount: "10000,00", state: "HELD", outcome: "HELD" },
  );

  await lookUp(page, say, payer.typed);
  const holds = page.getByRole("region", { name: say("holds.title") });
  await expect(holds.getByRole("listitem")).toHaveCount(1);
  await expect(holds.getByRole("link")).toHaveAttribute("href", new URL(address).pathname);
  await expect(holds).toContainText(say("holds.case"));
  await expectAccessible(page, "an account with a held transfer");
  await page.goto(`${new URL(page.url()).pathname}/receipt?transaction=${heldId}`);
  const status = say("statement.words.HELD");
  await expect(page.getByText(say("receipt.notReceipt", { status }))).toBeVisible();

  await page.goto(address);
  await page.getByRole("button", { name: say("transfers.checkNow") }).click();
  await expect(page.getByText(say("transfers.stillHeld"))).toBeVisible();
  await provider.decideHeld(heldId, "RELEASE");
  await page.getByRole("button", { name: say("transfers.checkNow") }).click();
  await expect(page.getByText(say("transfers.sentence.CONFIRMED"))).toBeVisible();
  await expect(page.getByText(say("transfers.event.released"))).toBeVisible();
});

test(
  "support finds a payee's transfers by document or name, and no URL holds either",
  { tag: "@long" },
  async ({ signedInAs, provider, say, language }) => {
    const { payer } = await twoAccounts(provider, "500.00");
    const recipient = inventCpf();
    const page = await signedInAs("support");
    const addresses = addressesOf(page);
    await openForm(page, say, payer.typed);
    await typeTed(page, say, { document: recipient.typed, account: "98765-4" });
    await page.getByLabel(say("transferForm.user")).fill("user-1");
    await page.getByLabel(say("transferForm.amount")).fill("120,45");
    await page.getByRole("button", { name: say("transferForm.toReview") }).click();
    await send(page, say).click();
    await page.waitForURL(TRANSFER);
    await openList(page, say);
    const search = page.getByRole("searchbox", { name: say("transfers.payee.search") });
    const table = page.getByRole("table", { name: say("transfers.title") });
    for (const [typed, by] of [
      [recipient.typed, /payeeBy=document/],
      ["JOAO LIMA", /payeeBy=name/],
    ] as const) {
      // The field sends nothing before its script loads.
      await expect(async () => {
        await search.fill(typed);
        await search.press("Enter");
        await expect(page).toHaveURL(by, { timeout: 2_000 });
      }).toPass();
      await expect(table.getByRole("row").nth(1)).toContainText("J••• L•••");
    }
    await page.getByRole("button", { name: say("common.filters") }).click();
    await page.getByLabel(say("transfers.min"), { exact: true }).fill("120,45");
    await page.getByLabel(say("transfers.max"), { exact: true }).fill("120,45");
    await page.getByLabel(say("transfers.max"), { exact: true }).blur();
    await expect(page).toHaveURL(/min=120/);
    await expect(table.getByRole("row")).toHaveCount(2);
    await expect(page.getByText(written("120.45", language)).first()).toBeVisible();
    await expectAccessible(page, "the filtered list of transfers");
    expect((await exportedLines(page, say)).filter((line) => line.includes("J••• L•••"))).toHaveLength(1);
    await search.fill("ninguem@example.com");
    await search.press("Enter");
    await expect(page.getByText(say("transfers.payee.none.pix-key"))).toBeVisible();
    await search.fill("Ninguem De Souza");
    await search.press("Enter");
    await expect(page.getByText(say("states.emptyFilter"))).toBeVisible();
    await expect(table).toHaveCount(0);
    expect(addresses.join()).not.toContain(recipient.digits);
    expect(addresses.join()).not.toMatch(/joao|ninguem/i);
  },
);

test(
  "a returned TED and a blocked transfer show on screen, in audit and export",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const { payer, payee, from } = await twoAccounts(provider, "1500000.00");
    const page = await signedInAs("support");
    await openForm(page, say, payer.typed);
    await fillTed(page, say, "120,00");
    await send(page, say).click();
    await page.waitForURL(TRANSFER);
    await expect(page.getByText(say("transfers.sentence.CONFIRMED"))).toBeVisible();
    const [out] = (await provider.statement(from)).filter(({ amount }) => amount === "120.00");
    await provider.returnTed(out?.transactionId ?? "");
    // The account's statement is read again half a minute after the first read.
    await expect(page.getByText(say("transfers.sentence.RETURNED"))).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText(say("transfers.facts.return"), { exact: true })).toBeVisible();
    await expectAccessible(page, "a TED that came back");
    const ted = new URL(page.url()).pathname;
    const receipt = page.getByRole("link", { name: say("transfers.facts.receipt") });
    await expect(receipt).toHaveAttribute("href", new RegExp(`/receipt\\?transaction=${out?.transactionId}`));
    await page.getByRole("link", { name: say("transfers.facts.returnEntry") }).click();
    const entry = page.getByRole("dialog", { name: say("statement.entry") });
    await expect(entry).toContainText(say("statement.ourTransfer.returned"));
    await expect(entry.getByRole("link", { name: say("transferForm.likeOpen") })).toHaveAttribute("href", ted);

    await openForm(page, say, payer.typed);
    await fillBetween(page, say, { to: payee.typed, amount: "1.000.000,00" });
    await page.getByRole("button", { name: say("transferForm.propose") }).click();
    await page.waitForURL(TRANSFER);
    const approval = await page.getByRole("link", { name: say("approvals.seeRequest") }).getAttribute("href");
    const approver = await signedInAs("approver");
    await approver.goto(approval ?? "");
    const refused = await authoriseInVain(approver, say);
    await expect(refused.getByText(say("antifraud.TRANSACTION_BLOCKED"))).toBeVisible();
    // It appears without a reload.
    await expect(page.getByText(say("transfers.sentence.BLOCKED"))).toBeVisible();

    const auditor = await signedInAs("auditor", { scripts: false });
    await auditor.goto("/audit?code=ted.return");
    const record = auditor.getByRole("table", { name: say("audit.title") });
    await expect(record.getByText(say("audit.codes.ted.return")).first()).toBeVisible();
    await auditor.goto("/audit?outcome=REFUSED");
    await expect(record.getByText(say("audit.outcomes.BLOCKED")).first()).toBeVisible();

    const returned = await signedInAs("support", { scripts: false });
    await returned.goto("/transfers?view=returned");
    const table = returned.getByRole("table", { name: say("transfers.title") });
    await expect(table.getByRole("row").nth(1)).toContainText(say("transfers.states.RETURNED"));
    await openList(page, say);
    const lines = await exportedLines(page, say);
    expect(lines.find((line) => line.includes(";120,00;"))).toContain(say("transfers.states.RETURNED"));
    expect(lines.find((line) => line.includes(";1000000,00;"))).toContain(say("transfers.states.BLOCKED"));
  },
);

test("the review shows a short balance or closed payer; a refusal keeps the input", async ({
  signedInAs,
  provider,
  say,
  language,
}) => {
  const { payer, payee, from, to } = await twoAccounts(provider, "1.00");
  const page = await signedInAs("support");
  await openForm(page, say, payer.typed);
  await fillBetween(page, say, { to: payee.typed, amount: "50,00" });
  await expect(page.getByRole("heading", { name: say("transferForm.reviewTitle") })).toBeVisible();
  const balance = written("1.00", language);
  const [short = ""] = say("transferForm.over", { balance, time: "…" }).split("…");
  await expect(page.getByText(short)).toBeVisible();
  await expectAccessible(page, "the review of more than the account holds");
  await send(page, say).click();
  await expect(page.getByText(say("refusedStatuses.422", { answer: "422" }))).toBeVisible();
  await page.getByRole("button", { name: say("transferForm.back") }).click();
  await expect(page).not.toHaveURL(/step=review/);
  await expect(page.getByLabel(say("transferForm.amount"))).toHaveValue("50,00");
  await expect(page.getByLabel(say("transferForm.to"))).toHaveValue(payee.typed);
  await openList(page, say);
  await page.getByRole("link", { name: new RegExp(`^${say("transfers.filters.unpaid")}`) }).click();
  await expect(page).toHaveURL(/view=unpaid/);
  await page
    .getByRole("table", { name: say("transfers.title") })
    .getByRole("link")
    .first()
    .click();
  await expect(page.getByText(say("transfers.sentence.REFUSED"))).toBeVisible();
  expect(await paid(provider, from, "50.00")).toBe(0);
  const id = idIn(page.url());
  await openList(page, say);
  const auditor = await signedInAs("auditor", { scripts: false });
  await expectRecorded({ page, auditor, say }, { id, amount: "50,00", state: "REFUSED", outcome: "REFUSED" });

  await provider.closeAccount(to);
  await lookUp(page, say, payee.typed);
  await expect(page).toHaveURL(/\/accounts\/[^/?]+/);
  await page.goto(`/transfers/new?from=${idIn(page.url())}`);
  await fillBetween(page, say, { to: payer.typed, amount: "1,00" });
  const [before = ""] = say("transferForm.fromStands", { standing: "CLOSED" }).split(":");
  await expect(page.getByText(before)).toBeVisible();
  await expectAccessible(page, "the review of a transfer from a closed account");
  await page.goto(`/transfers/${id}`);
  await expect(factOf(page, say("transfers.facts.to"))).toContainText(say("standings.CLOSED"));
});

test("a PIX key's holder is shown by name with the document masked, on record @long", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const { accountId } = await provider.openAccount(cpf.digits);
  const page = await signedInAs("support");
  await page.goto("/transfers");
  await page.getByRole("button", { name: say("pixKey.button") }).click();
  const dialog = page.getByRole("dialog", { name: say("pixKey.title") });
  const submit = dialog.getByRole("button", { name: say("pixKey.submit") });
  await submit.click();
  const key = dialog.getByLabel(say("pixKey.key"));
  await expect(key).toBeFocused();
  await expect(key).toHaveAccessibleDescription(new RegExp(say("pixKey.keyFirst")));
  await key.fill("no key");
  await dialog.getByRole("radio", { name: say("privacy.reasons.verification") }).check();
  await dialog.getByLabel(say("privacy.note")).fill("Conferência antes de pagar");
  await submit.click();
  await expect(key).toHaveAccessibleDescription(new RegExp(say("fields.pix-key")));
  await expectAccessible(page, "the look-up of a PIX key");
  await key.fill("ninguem@exemplo.com.br");
  await submit.click();
  await expect(dialog.getByText(say("failures.pix-key-unknown"))).toBeVisible();
  await key.fill(accountId);
  await submit.click();
  const found = page.getByRole("dialog", { name: accountId });
  await expect(found.getByText(cpf.masked)).toBeVisible();
  await expect(found.getByText(say("pixKey.fields.name"), { exact: true })).toBeVisible();
  await expectAccessible(page, "whose a PIX key is");
  await found.getByRole("button", { name: say("pixKey.again") }).click();
  await expect(key).toHaveValue(accountId);
  const auditor = await signedInAs("auditor", { scripts: false });
  await auditor.goto("/audit?code=pix-key.look-up");
  await expect(auditor.getByRole("table").getByText(say("audit.codes.pix-key.look-up")).first()).toBeVisible();
  await auditor.goto("/transfers");
  await expect(auditor.getByRole("heading", { level: 1, name: say("transfers.title") })).toBeVisible();
  await expect(auditor.getByRole("link", { name: say("transfers.new") })).toHaveCount(0);
  await auditor.goto("/transfers/new");
  await expect(auditor.getByRole("heading", { name: say("absent.forbiddenTitle") })).toBeVisible();
});

test(
  "the back button returns from review to form, and nothing is lost offline",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const { payer, payee } = await twoAccounts(provider, "50.00");
    const page = await signedInAs("support");
    await openForm(page, say, payer.typed);
    const review = page.getByRole("heading", { name: say("transferForm.reviewTitle") });
    const amount = page.getByLabel(say("transferForm.amount"));
    await amount.fill("11,00");
    await expect(page.getByText(say("draft.saving"))).toBeVisible();
    await expect(page.getByText(say("draft.saving"))).toBeHidden();
    await amount.fill("22,00");
    await page.getByRole("link", { name: say("transfers.kinds.EXTERNAL") }).click();
    await expect(page.getByLabel(say("transferForm.document"))).toBeVisible();
    await page.goBack();
    await expect(amount).toHaveValue("22,00");
    await expect(page.getByText(say("draft.saving"))).toBeHidden();
    await page.goto("/transfers/new");
    const left = page.getByRole("listitem").filter({ hasText: "22,00" });
    await left.getByRole("link", { name: new RegExp(`^${say("draft.goOn")}`) }).click();
    await expect(amount).toHaveValue("22,00");

    await fillBetween(page, say, { to: payee.typed, amount: "33,00" });
    await expect(review).toBeFocused();
    await page.goBack();
    await expect(amount).toHaveValue("33,00");
    await expect(page.getByLabel(say("transferForm.to"))).toHaveValue(payee.typed);
    await page.goForward();
    await expect(review).toBeVisible();
    await page.getByRole("button", { name: say("transferForm.back") }).click();
    await expect(page).not.toHaveURL(/step=/);
    // A review becomes void when the amount changes.
    await amount.fill("44,00");
    await page.goForward();
    await expect(page).toHaveURL(/step=review/);
    await expect(amount).toHaveValue("44,00");
    await page.getByRole("button", { name: say("transferForm.toReview") }).click();
    await expect(review).toBeVisible();
    await page.reload();
    await expect(amount).toHaveValue("44,00");
    await page.getByRole("button", { name: say("transferForm.toReview") }).click();
    await expect(review).toBeVisible();
    await page.context().setOffline(true);
    await send(page, say).click();
    await expect(page.getByText(say("states.connectionLost"))).toBeVisible();
    const transfers = page.getByRole("link", { name: say("transferForm.seeTransfers") });
    await transfers.click();
    await expect(page.getByText(say("common.offline"))).toBeVisible();
    await expect(review).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByText(say("common.offline"))).toBeHidden();
    await expect(transfers).toHaveAttribute("href", "/transfers?view=all");
    await send(page, say).click();
    await page.waitForURL(TRANSFER);
    await expect(page.getByText(say("transfers.sentence.CONFIRMED"))).toBeVisible();
  },
);

test("a saved payee is marked until paid, offered masked and removed on record @long", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const { payer, payee: own } = await twoAccounts(provider, "100.00");
  const payee = inventCpf();
  const page = await signedInAs("finance");
  await openForm(page, say, payer.typed);
  const form = page.url();
  const to = page.getByLabel(say("transferForm.to"));
  const save = page.getByRole("button", { name: say("transferForm.payeeSave") });
  await save.click();
  await expect(to).toHaveAccessibleDescription(new RegExp(say("transferForm.toFirst")));
  await to.fill(own.typed);
  await save.click();
  await expect(page.getByText(say("transferForm.payeeSaved"))).toBeVisible();
  await page.getByRole("button", { name: say("transferForm.payeeChoose") }).click();
  const dialog = page.getByRole("dialog", { name: say("transferForm.payees") });
  await dialog.getByLabel(say("transferForm.payeeFilter")).fill(own.masked);
  await expect(dialog.getByRole("listitem")).toContainText(say("transferForm.firstUseShort"));
  await dialog.getByRole("button").filter({ hasText: own.masked }).click();
  await expect(to).toHaveValue(/^\d+ \/ /);
  await typeTed(page, say, { document: payee.typed, account: "77001-2" });
  await page.getByRole("button", { name: say("transferForm.payeeSave") }).click();
  await expect(page.getByText(say("transferForm.payeeSaved"))).toBeVisible();

  const choose = async () => {
    await page.getByRole("button", { name: say("transferForm.payeeChoose") }).click();
    await dialog.getByLabel(say("transferForm.payeeFilter")).fill(payee.masked);
  };
  await choose();
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expect(dialog.getByRole("listitem")).toContainText(say("transferForm.firstUseShort"));
  await expect(dialog).not.toContainText("João");
  await expectAccessible(page, "the saved payees");
  await dialog.getByRole("button").filter({ hasText: payee.masked }).click();
  await expect(page.getByText(payee.masked)).toBeVisible();
  await expect(page.getByText(say("transferForm.firstUseShort"))).toBeVisible();
  await expect(page.getByLabel(say("transferForm.document"))).toHaveCount(0);
  await page.getByLabel(say("transferForm.user")).fill("user-1");
  await page.getByLabel(say("transferForm.amount")).fill("7,77");
  await page.getByRole("button", { name: say("transferForm.toReview") }).click();
  await expect(page.getByText(say("transferForm.firstUse"))).toBeVisible();
  await send(page, say).click();
  await page.waitForURL(TRANSFER);
  await expect(page.getByText(say("transfers.sentence.CONFIRMED"))).toBeVisible();
  await expect(page.getByRole("main")).toContainText(payee.masked);

  await page.goto(form);
  await page.getByRole("link", { name: say("transfers.kinds.EXTERNAL") }).click();
  await expect(page.getByLabel(say("transferForm.document"))).toBeVisible();
  await choose();
  await expect(dialog.getByRole("listitem")).not.toContainText(say("transferForm.firstUseShort"));
  await dialog.getByRole("button", { name: new RegExp(`^${say("transferForm.payeeRemove")} `) }).click();
  await dialog.getByRole("button", { name: say("transferForm.payeeRemoveNow") }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(0);
  const auditor = await signedInAs("auditor", { scripts: false });
  await auditor.goto("/audit?code=payee.remove");
  await expect(auditor.getByRole("table").getByText(say("audit.codes.payee.remove")).first()).toBeVisible();
});
