import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import {
  authoriseClosure,
  carryOut,
  fillProof,
  holderToken,
  openClosing,
  proposeClosing,
} from "./support/closing-page";
import { sitDown } from "./support/approvals-page";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { factOf } from "./support/sight";
import { expect, test } from "./support/story";
import { reais, type Words, wordsOf } from "./support/words";

const closedBadge = (page: Page, say: Words) => page.getByText(say("closing.status"), { exact: true }).first();

test("support proposes a closure in pt-BR and completes it once authorised in en", async ({
  browser,
  product: { url },
  provider,
}) => {
  test.slow();
  const mine = wordsOf("pt-BR");
  const theirs = wordsOf("en");
  const cpf = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  const maker = await sitDown({ browser, url, role: "support", language: "pt-BR" });
  const approver = await sitDown({ browser, url, role: "approver", language: "en", width: 390 });
  await lookUp(maker, mine, cpf.typed);

  const dialog = await openClosing(maker, mine);
  await expect(dialog.getByText(mine("closing.consequence.final"))).toBeVisible();
  await expect(factOf(dialog, mine("closing.balance"))).toContainText(reais("0.00", "pt-BR"));
  await dialog.getByRole("button", { name: mine("closing.propose") }).click();
  const user = dialog.getByLabel(mine("closing.user"));
  await expect(user).toHaveAccessibleDescription(new RegExp(mine("closing.userFirst")));
  await expect(user).toBeFocused();
  await expectAccessible(maker, "the closure");
  const address = await proposeClosing(maker, mine, { dialog, reason: "O titular pediu por telefone." });
  await expect(maker.getByText(mine("closing.proposed"))).toBeVisible();
  await expect(maker.getByRole("button", { name: mine("closing.open") })).toHaveAttribute("aria-disabled", "true");

  await approver.goto(address);
  const change = approver.getByRole("row", { name: theirs("approvals.facts.status") });
  await expect(change).toContainText(theirs("approvals.accountStatus.OPEN"));
  await expect(change).toContainText(theirs("approvals.accountStatus.CLOSED"));
  await expect(approver.getByText("O titular pediu por telefone.")).toBeVisible();
  await expectNoSidewaysScroll(approver, "a closure to authorise");
  await authoriseClosure(approver, theirs);
  await expect(approver.getByText(theirs("approvals.done.READY"))).toBeVisible();
  expect(await provider.accountStatus(account)).toBe("ACTIVE");

  // It appears without a reload, and the navigation counts it.
  const begin = maker.getByRole("button", { name: mine("closing.carryOut") });
  await expect(begin).toBeVisible();
  await expect(maker.getByRole("link", { name: mine("owed.count", { count: 1 }) })).toBeVisible();
  const last = await carryOut(maker, mine);
  await last.getByRole("button", { name: mine("closing.submit") }).click();
  const token = last.getByLabel(mine("closing.token"));
  await expect(token).toHaveAccessibleDescription(new RegExp(mine("closing.secretsFirst")));
  await fillProof(last, mine, { token: holderToken(), code: "000000" });
  await last.getByRole("button", { name: mine("closing.submit") }).click();
  const code = last.getByLabel(mine("closing.code"));
  await expect(code).toHaveAccessibleDescription(new RegExp(mine("fields.holder-code")));
  await expect(code).toHaveValue("");
  await expect(code).toBeFocused();
  await expect(token).not.toHaveValue("");
  await expectAccessible(maker, "a refused code");
  await code.fill("918 273");
  await last.getByRole("button", { name: mine("closing.submit") }).click();
  await expect(last).toBeHidden();

  await expect(closedBadge(maker, mine)).toBeVisible();
  await expect(maker.getByText("O titular pediu por telefone.")).toBeVisible();
  await expect(maker.getByText(mine("closing.notice.authorisedBy", { name: "Marcos Azevedo" }))).toBeVisible();
  await expect(maker.getByRole("heading", { name: mine("accounts.statement") })).toBeVisible();
  await expect(maker.getByRole("button", { name: mine("closing.open") })).toHaveCount(0);
  const recent = maker.getByRole("region", { name: mine("accountTimeline.title") }).getByRole("listitem");
  await expect(recent.nth(0)).toContainText(mine("accountTimeline.event.closed"));
  await expect(recent.nth(1)).toContainText("Marcos Azevedo");
  expect(await provider.accountStatus(account)).toBe("CLOSED");
  await expectAccessible(maker, "a closed account");
  // Both have seen the result, so it is no news to the maker any more.
  await approver.goto(address);
  await expect(approver.getByText(theirs("approvals.outcome.EXECUTED"))).toBeVisible();
  await maker.goto(address);
  await expect(maker.getByText(mine("approvals.outcome.EXECUTED"))).toBeVisible();
});

test("support sees that a balance blocks a closure; compliance sees who may close", async ({
  signedInAs,
  provider,
  language,
  say,
}) => {
  const cpf = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  await provider.credit(account, { amount: "12.34", description: "Venda" });
  const page = await signedInAs("support");
  await lookUp(page, say, cpf.typed);
  const dialog = await openClosing(page, say);
  await expect(dialog.getByText(say("closing.obstacle.balance"))).toBeVisible();
  await expect(factOf(dialog, say("closing.balance"))).toContainText(reais("12.34", language));
  await expect(dialog.getByRole("button", { name: say("closing.propose") })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page, "a closure that is not possible");

  const other = await signedInAs("compliance");
  await other.goto(new URL(page.url()).pathname);
  const control = other.getByRole("button", { name: say("closing.open") });
  await expect(control).toHaveAttribute("aria-disabled", "true");
  await expect(control).toHaveAccessibleDescription(new RegExp(say("roles.support")));
});

test(
  "an unanswered closure is sent once and settled by the account's status",
  { tag: "@long" },
  async ({ browser, product: { url }, provider, say, language }) => {
    test.slow();
    const cpf = inventCpf();
    const account = await provider.openAccount(cpf.digits);
    const maker = await sitDown({ browser, url, role: "support", language });
    const approver = await sitDown({ browser, url, role: "approver", language });
    await lookUp(maker, say, cpf.typed);
    const dialog = await openClosing(maker, say);
    await approver.goto(await proposeClosing(maker, say, { dialog, reason: "A pedido" }));
    await authoriseClosure(approver, say);
    const last = await carryOut(maker, say);
    await fillProof(last, say, { token: holderToken(), code: "918273" });
    await provider.fail({ method: "POST", path: "/v1/bank-accounts/closeAccount", status: 503, times: 10_000 });
    await last.getByRole("button", { name: say("closing.submit") }).click();
    await expect(last).toBeHidden();
    await expect(maker.getByText(say("closing.unconfirmed"))).toBeVisible();
    await expectAccessible(maker, "a closure that is not known");
    await provider.recover();
    await provider.closeAccount(account);
    await expect(closedBadge(maker, say)).toBeVisible({ timeout: 30_000 });
  },
);
