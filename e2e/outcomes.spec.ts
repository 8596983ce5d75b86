import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import type { Provider } from "./support/provider";
import { expectBlocked, fillStart, startReviewed } from "./support/start-form";
import { expect, test } from "./support/story";
import { exportedLines, fillBetween, openForm, paid, send, TRANSFER, twoAccounts } from "./support/transfer-form";
import type { Words } from "./support/words";

test.beforeEach(async ({ provider }) => provider.recover());

/** A start whose answer is lost: it reaches the provider only if it is sent again. */
async function startInVain(page: Page, provider: Provider, say: Words) {
  await provider.fail({ method: "POST", path: "/v1/kyc/person", status: 503, times: 1 });
  await startReviewed(page, say);
  return page.getByRole("region", { name: say("kycStart.unsettledTitle") });
}

test("an unanswered start goes out once and ends by a person or its new case", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const cpf = inventCpf();
  const page = await signedInAs("compliance");
  await page.goto("/kyc/new");
  await fillStart(page, say, cpf.typed);
  await expect(await startInVain(page, provider, say)).toContainText(cpf.masked);
  await expectBlocked(page, say, cpf.typed);

  await test.step("it is ended by whoever found out elsewhere", async () => {
    await page
      .getByRole("navigation", { name: say("shell.navigation") })
      .getByRole("link", { name: say("outcomes.title") })
      .click();
    const row = page.getByRole("table", { name: say("outcomes.title") }).getByRole("row", { name: cpf.masked });
    await expect(row).toContainText(say("writes.kyc.start"));
    await expect(row).toContainText(say("outcomes.states.open"));
    await row.getByRole("button", { name: say("outcomes.end") }).click();
    const dialog = page.getByRole("dialog", { name: say("outcomes.endTitle") });
    await dialog.getByRole("button", { name: say("outcomes.submit") }).click();
    await expect(dialog.getByText(say("outcomes.outcomeFirst"))).toBeVisible();
    await dialog.getByRole("radio", { name: say("outcomes.outcomes.NOT_HAPPENED") }).check();
    await dialog.getByRole("radio", { name: say("outcomes.sources.provider-support") }).check();
    await dialog.getByLabel(say("outcomes.reference")).fill("chamado A-17");
    await dialog.getByLabel(say("outcomes.reason")).fill("O atendimento respondeu que nada chegou.");
    await expectAccessible(page, "the end of a write that no answer ended");
    await dialog.getByRole("button", { name: say("outcomes.submit") }).click();
    await expect(page.getByText(say("outcomes.ended"))).toBeVisible();
    await expect(row).toBeHidden();
    await expect(page.getByRole("heading", { name: say("outcomes.emptyTitle") })).toBeVisible();
    expect(await provider.casesOf(cpf.masked)).toEqual([]);
  });

  await test.step("what was typed is there for another, which the case that shows up settles", async () => {
    await page.goto("/kyc/new");
    await expect(page.getByRole("region", { name: say("kycStart.unsettledTitle") })).toBeHidden();
    await page.getByRole("link", { name: new RegExp(`^${say("draft.goOn")}`) }).click();
    await fillStart(page, say, cpf.typed);
    const unconfirmed = await startInVain(page, provider, say);
    await expect(unconfirmed).toContainText(cpf.masked);
    expect(await provider.casesOf(cpf.masked)).toEqual([]);
    await provider.openCase(cpf.digits);
    await expect(unconfirmed).toBeHidden({ timeout: 20_000 });
    expect(await provider.casesOf(cpf.masked)).toHaveLength(1);
  });
});

test(
  "a transfer without an answer shows as unconfirmed on screen, record and file",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const { payer, payee, from } = await twoAccounts(provider, "100.00");
    const page = await signedInAs("support");
    await openForm(page, say, payer.typed);
    await fillBetween(page, say, { to: payee.typed, amount: "31,07" });
    const path = "/v1/bank-accounts/generateInternalTransferRequest";
    await provider.fail({ method: "POST", path, times: 10_000, drop: true });
    await send(page, say).click();
    // It is retried under its key as long as a person would wait.
    await page.waitForURL(TRANSFER, { timeout: 60_000 });
    await expect(page.getByText(say("transfers.sentence.UNKNOWN"))).toBeVisible();
    await expectAccessible(page, "a transfer whose answer is lost");
    await page.goto("/outcomes");
    const unconfirmed = page.getByRole("table", { name: say("outcomes.title") });
    const waiting = unconfirmed.getByRole("row", { name: /31[.,]07/ });
    await expect(waiting).toContainText(new RegExp(`${say("outcomes.to")} \\S`));
    await page.goto("/transfers");
    const table = page.getByRole("table", { name: say("transfers.title") });
    const row = table.getByRole("row", { name: /31[.,]07/ });
    await expect(row).toContainText(say("transfers.states.UNKNOWN"));
    const lines = await exportedLines(page, say);
    expect(lines.find((line) => /[;,]31[.,]07[;,]/.test(line))).toContain(say("transfers.states.UNKNOWN"));
    const auditor = await signedInAs("auditor");
    await auditor.goto("/audit?outcome=UNKNOWN");
    const trail = auditor.getByRole("table", { name: say("audit.title") });
    await expect(trail.getByText(say("audit.outcomes.UNKNOWN")).first()).toBeVisible();
    await provider.recover();
    expect(await paid(provider, from, "31.07")).toBe(0);
  },
);
