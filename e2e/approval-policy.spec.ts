import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { agreeAsSecondAdmin, decidedCase, propose, sitDown } from "./support/approvals-page";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { expect, test } from "./support/story";

// The policies, and what waits because of them, are this file's own.
test.use({ ownProduct: { SERVICE_DEMO_DATA: "false" } });

test("an administrator says what needs a second person; a looser rule waits for another one and is named as such", async ({
  browser,
  product: { url },
  language,
  say,
}) => {
  const admin = await sitDown({ browser, url, role: "admin", language });
  await admin.goto("/");
  await admin.getByRole("link", { name: say("shell.settings") }).click();
  const kind = say("approvals.kinds.account.close");
  await admin.getByRole("button", { name: say("approvalPolicy.changeOf", { kind }) }).click();
  const dialog = admin.getByRole("dialog", { name: say("approvalPolicy.dialogTitle") });
  await dialog.getByLabel(say("approvalPolicy.rules.never")).check();
  await dialog.getByRole("button", { name: say("approvalPolicy.submit") }).click();
  await expect(dialog).toBeHidden();
  await expect(admin.getByText(say("approvalPolicy.proposed"))).toBeVisible();
  const policy = admin.getByRole("listitem").filter({ has: admin.getByRole("heading", { name: kind }) });
  const never = policy.getByText(new RegExp(`^${say("approvalPolicy.rules.never")}`)).first();
  await expect(never).toBeHidden();
  const waits = policy.getByText(say("approvalPolicy.waits"), { exact: true });
  await expect(waits).toBeVisible();
  await expect(policy.getByRole("link", { name: say("approvalPolicy.seeProposal") })).toHaveAttribute(
    "href",
    /\/approvals\/[\da-f-]{36}$/,
  );
  await expectAccessible(admin, "a policy whose change waits");
  await agreeAsSecondAdmin({ browser, url, language }, say, kind);
  await expect(never).toBeVisible();
  await expect(waits).toBeHidden();
  await policy.getByText(say("approvalPolicy.history")).click();
  await expect(policy.getByText(say("approvalPolicy.loosened"))).toBeVisible();
  for (const unoffered of ["crypto.transfer"] as const) {
    await expect(admin.getByRole("heading", { name: say(`approvals.kinds.${unoffered}`) })).toHaveCount(0);
  }
});

test("a day's limit for each person is set at once, asks for a second person beyond it, and says why to both", async ({
  browser,
  product: { url },
  language,
  provider,
  say,
}) => {
  test.slow();
  const admin = await sitDown({ browser, url, role: "admin", language });
  await admin.goto("/settings/approvals");
  const kind = say("approvals.kinds.transfer.internal");
  await admin.getByRole("button", { name: say("approvalPolicy.changeOf", { kind }) }).click();
  const dialog = admin.getByRole("dialog", { name: say("approvalPolicy.dialogTitle") });
  const number = dialog.getByLabel(say("approvalPolicy.personCount"));
  await number.fill("nenhuma");
  await dialog.getByRole("button", { name: say("approvalPolicy.submit") }).click();
  await expect(number).toHaveAccessibleDescription(new RegExp(say("approvalPolicy.countFirst")));
  const from = dialog.getByLabel(say("approvalPolicy.amount"));
  const standard = await from.inputValue();
  await from.fill("muito");
  await dialog.getByRole("button", { name: say("approvalPolicy.submit") }).click();
  await expect(from).toHaveAccessibleDescription(new RegExp(say("approvalPolicy.amountFirst")));
  await expect(number).toHaveAccessibleDescription(new RegExp(say("approvalPolicy.countFirst")));
  await from.fill(standard);
  await number.fill("1");
  await dialog.getByRole("button", { name: say("approvalPolicy.submit") }).click();
  await expect(dialog).toBeHidden();
  const policy = admin.getByRole("listitem").filter({ has: admin.getByRole("heading", { name: kind }) });
  await expect(policy.getByText(say("approvals.limits.personCount", { count: 1 })).first()).toBeVisible();
  await expectAccessible(admin, "a policy with a limit");

  const [payer, payee] = [inventCpf(), inventCpf()];
  const paying = await provider.openAccount(payer.digits);
  await provider.openAccount(payee.digits);
  await provider.credit(paying, { amount: "100.00" });
  const page = await sitDown({ browser, url, role: "finance", language });
  const review = async (amount: string) => {
    await lookUp(page, say, payer.typed);
    await page.getByRole("link", { name: say("transferForm.button"), exact: true }).click();
    await page.getByLabel(say("transferForm.user")).fill("user-1");
    await page.getByLabel(say("transferForm.to")).fill(payee.typed);
    await page.getByLabel(say("transferForm.amount")).fill(amount);
    await page.getByRole("button", { name: say("transferForm.toReview") }).click();
    await expect(page.getByRole("heading", { name: say("transferForm.reviewTitle") })).toBeFocused();
  };
  await review("1,00");
  await page.getByRole("button", { name: new RegExp(`^${say("transferForm.button")} R`) }).click();
  await expect(page.getByText(say("transfers.sentence.CONFIRMED"))).toBeVisible();
  await review("2,00");
  await expect(
    page.getByText(say("transferForm.why.person-count", { count: 1, amount: "", limit: "1" }), { exact: true }),
  ).toBeVisible();
  await page.getByRole("button", { name: say("transferForm.propose") }).click();
  await page.getByRole("link", { name: say("transfers.seeApproval") }).click();
  await expect(page.getByText(say("approvals.why.person-count", { count: 1, amount: "", limit: "1" }))).toBeVisible();
  await expectAccessible(page, "a proposal that says why it is one");
  await page.context().close();
  await admin.context().close();
});

test("who may not change the policy is told who may", async ({ browser, product: { url }, language, say }) => {
  const approver = await sitDown({ browser, url, role: "approver", language });
  await approver.goto("/settings/approvals");
  await expect(approver.getByRole("heading", { name: say("absent.forbiddenTitle") })).toBeVisible();
  expect((await approver.request.get("/api/approvals")).status()).toBe(200);
});

for (const width of [1350, 390] as const) {
  test(`the inbox, a proposal and the policies have no accessibility violation, ${width} px wide`, async ({
    browser,
    product: { url },
    language,
    provider,
    say,
  }) => {
    test.slow();
    const maker = await sitDown({ browser, url, role: "compliance", language, width });
    const approver = await sitDown({ browser, url, role: "approver", language, width });
    const admin = await sitDown({ browser, url, role: "admin", language, width });
    const { kycUUID } = await decidedCase(maker, provider);
    const address = await propose(maker, say, kycUUID);
    for (const [page, place] of [
      [maker, `/kyc/${kycUUID}`],
      [maker, address],
      [maker, "/approvals"],
      [approver, "/approvals"],
      [approver, "/approvals?view=decided"],
      [approver, address],
      [admin, "/settings/approvals"],
    ] as const) {
      await page.goto(place);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      await expectAccessible(page, place);
      await expectNoSidewaysScroll(page, place);
    }
    await admin
      .getByRole("button", { name: say("approvalPolicy.change") })
      .first()
      .click();
    await expect(admin.getByRole("dialog")).toBeVisible();
    await expectAccessible(admin, "the policy");
    await approver.goto(address);
    await approver.getByRole("button", { name: say("approvals.authorise") }).click();
    await expect(approver.getByRole("dialog")).toBeVisible();
    await expectAccessible(approver, "the authorisation");
  });
}
