import { randomBytes } from "node:crypto";
import { expectAccessible } from "./support/accessible";
import { fillProof, openClosing } from "./support/account-desk";
import { agreeAsSecondAdmin, sitDown } from "./support/approval-desk";
import { note } from "./support/canary";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { expect, test } from "./support/story";

// The policy is this file's own.
test.use({ ownProduct: { SERVICE_DEMO_DATA: "false" } });

test("where the policy asks for nobody else, an account is closed in one go", async ({
  browser,
  product: { url },
  provider,
  say,
  language,
}) => {
  test.slow();
  const admin = await sitDown({ browser, url, role: "admin", language });
  await admin.goto("/settings/approvals");
  const kind = say("approvals.kinds.account.close");
  await admin.getByRole("button", { name: say("approvalPolicy.changeOf", { kind }) }).click();
  const policy = admin.getByRole("dialog", { name: say("approvalPolicy.dialogTitle") });
  await policy.getByLabel(say("approvalPolicy.rules.never")).check();
  await policy.getByRole("button", { name: say("approvalPolicy.submit") }).click();
  await expect(policy).toBeHidden();
  await agreeAsSecondAdmin({ browser, url, language }, say, kind);

  const cpf = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  const page = await sitDown({ browser, url, role: "finance", language });
  await lookUp(page, say, cpf.typed);
  const dialog = await openClosing(page, say);
  const [user, reason] = [dialog.getByLabel(say("closing.user")), dialog.getByLabel(say("closing.reason"))];
  await user.fill("user-1");
  await reason.fill("A pedido do titular");
  const token = `holder-${randomBytes(24).toString("base64url")}`;
  note("holder's token", token);
  await fillProof(dialog, say, { token, code: "12" });
  await dialog.getByRole("button", { name: say("closing.submit") }).click();
  const code = dialog.getByLabel(say("closing.code"));
  await expect(code).toHaveAccessibleDescription(new RegExp(say("fields.six-digits")));
  // What was typed stays, but for the code.
  await expect(user).toHaveValue("user-1");
  await expect(reason).toHaveValue("A pedido do titular");
  await expectAccessible(page, "a closure in one go");
  await code.fill("918273");
  await dialog.getByRole("button", { name: say("closing.submit") }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(say("closing.status"), { exact: true })).toBeVisible();
  expect(await provider.accountStatus(account)).toBe("CLOSED");
});
