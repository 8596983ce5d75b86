import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { agreeAsSecondAdmin, sitDown } from "./support/approvals-page";
import { fillProof, holderToken, openClosing } from "./support/closing-page";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { factOf } from "./support/sight";
import { expect, test } from "./support/story";

test(
  "an administrator loosens an approval rule once a second administrator agrees",
  { tag: "@long" },
  async ({ signedInAs, browser, product: { url }, provider, language, say }) => {
    test.slow();
    const admin = await sitDown({ browser, url, role: "admin", language });
    await admin.goto("/");
    await admin.getByRole("link", { name: say("settings.title") }).click();
    const kind = say("writes.account.close");
    await admin.getByRole("button", { name: say("approvalPolicy.changeOf", { kind }) }).click();
    const dialog = admin.getByRole("dialog", { name: say("approvalPolicy.dialogTitle") });
    await expect(dialog).toBeVisible();
    await expectAccessible(admin, "the policy");
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
    await admin.setViewportSize({ width: 390, height: 940 });
    await expectAccessible(admin, "a policy whose change waits, 390 px wide");
    await expectNoSidewaysScroll(admin, "a policy whose change waits");
    await agreeAsSecondAdmin({ browser, url, language }, say, kind);
    await expect(never).toBeVisible();
    await expect(waits).toBeHidden();
    await policy.getByText(say("approvalPolicy.history")).click();
    await expect(policy.getByText(say("approvalPolicy.loosened"))).toBeVisible();
    await expect(admin.getByRole("heading", { name: say("writes.crypto.transfer") })).toBeVisible();

    await test.step("an account is closed in one go", async () => {
      const cpf = inventCpf();
      const account = await provider.openAccount(cpf.digits);
      const page = await signedInAs("finance");
      await lookUp(page, say, cpf.typed);
      const closing = await openClosing(page, say);
      const user = closing.getByLabel(say("closing.user"));
      const reason = closing.getByLabel(say("closing.reason"));
      await user.fill("user-1");
      await reason.fill("A pedido do titular");
      await fillProof(closing, say, { token: holderToken(), code: "12" });
      await closing.getByRole("button", { name: say("closing.submit") }).click();
      const code = closing.getByLabel(say("closing.code"));
      await expect(code).toHaveAccessibleDescription(new RegExp(say("fields.six-digits")));
      // The text stays, except for the code.
      await expect(user).toHaveValue("user-1");
      await expect(reason).toHaveValue("A pedido do titular");
      await expectAccessible(page, "a closure in one go");
      await code.fill("918273");
      await closing.getByRole("button", { name: say("closing.submit") }).click();
      await expect(closing).toBeHidden();
      await expect(page.getByText(say("closing.status"), { exact: true }).first()).toBeVisible();
      expect(await provider.accountStatus(account)).toBe("CLOSED");
    });
  },
);

test("a transfer beyond a person's daily limit asks for approval and says why", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const admin = await signedInAs("admin");
  await admin.goto("/settings/approvals");
  const kind = say("writes.transfer.internal");
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
  await expect(factOf(policy, say("approvalPolicy.terms.personCount"))).toHaveText("1");

  const payer = inventCpf();
  const payee = inventCpf();
  const paying = await provider.openAccount(payer.digits);
  await provider.openAccount(payee.digits);
  await provider.credit(paying, { amount: "100.00" });
  const page = await signedInAs("finance");
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
  await page.getByRole("link", { name: say("approvals.seeRequest") }).click();
  await expect(page.getByText(say("approvals.why.person-count", { count: 1, amount: "", limit: "1" }))).toBeVisible();

  const approver = await signedInAs("approver", { scripts: false });
  await approver.goto("/settings/approvals");
  await expect(approver.getByRole("heading", { name: say("absent.forbiddenTitle") })).toBeVisible();
  expect((await approver.request.get("/api/approvals")).status()).toBe(200);
});
