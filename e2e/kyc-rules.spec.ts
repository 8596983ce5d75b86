import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { additionIn, fillDecision, reasonsIn } from "./support/decide";
import { inventCpf } from "./support/invent";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";

test("an administrator changes the case rules; a colleague's stale save is refused", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const admin = await signedInAs("admin");
  const other = await signedInAs("admin");
  for (const window of [admin, other]) await window.goto("/settings/kyc");
  await other.getByLabel(say("caseRules.slaPf")).fill("72");

  const refusals = admin.getByRole("group", { name: say("caseRules.reasonsREPROVED") });
  await refusals.getByRole("button", { name: say("caseRules.newReason") }).click();
  await expect(refusals.getByRole("textbox").last()).toBeFocused();
  await admin.keyboard.type("Indício de lavagem de dinheiro.");
  await admin.getByLabel(say("caseRules.slaPf")).fill("6");
  await admin.getByLabel(say("caseRules.dueSoon")).fill("30");
  await admin.getByRole("button", { name: say("caseRules.save") }).click();
  await expect(refusals.getByRole("textbox").last()).toHaveAccessibleDescription(/lavagem/);
  await expect(admin.getByLabel(say("caseRules.dueSoon"))).toHaveAccessibleDescription(say("fields.due-soon"));
  // At the end of the page the bar is in its own place; elsewhere it may cover a row.
  await admin.getByRole("region", { name: say("settings.history") }).scrollIntoViewIfNeeded();
  await expectAccessible(admin, "the rules with their fields marked");

  await refusals.getByRole("textbox").last().fill("Endereço divergente do comprovante.");
  await refusals
    .getByRole("button", { name: say("caseRules.up", { text: "Endereço divergente do comprovante." }) })
    .click();
  await admin.getByLabel(say("caseRules.dueSoon")).fill("4");
  const words = admin.getByLabel(say("caseRules.words"));
  await words.fill(`${await words.inputValue()}\nbloqueio judicial`);
  await admin.getByRole("button", { name: say("caseRules.save") }).click();
  await expect(admin.getByText(say("caseRules.saved", { version: 1 }))).toBeVisible();
  const history = admin.getByRole("region", { name: say("settings.history") });
  await expect(history.getByText(say("settings.versionBy", { version: 1 }))).toBeVisible();
  await expect(history).toContainText("bloqueio judicial");
  await expectAccessible(admin, "the rules with their history");
  await expectNoSidewaysScroll(admin, "/settings/kyc");

  // The colleague began from the older version: the text stays and does not overwrite the first change.
  await other.getByRole("button", { name: say("caseRules.save") }).click();
  await expect(other.getByText(say("failures.rules-changed"))).toBeVisible();
  await expect(other.getByLabel(say("caseRules.slaPf"))).toHaveValue("72");
  await expect(other.getByText(say("caseRules.moved", { version: 1 }))).toBeVisible({ timeout: 30_000 });
  await other.getByRole("button", { name: say("caseRules.startOver", { version: 1 }) }).click();
  await expect(other.getByLabel(say("caseRules.slaPf"))).toHaveValue("6");

  await admin.goto("/settings/calendar");
  await admin.getByRole("button", { name: say("calendar.add") }).click();
  await admin.getByRole("textbox", { name: say("calendar.name") }).fill("Revolução de 1932");
  await admin.getByRole("button", { name: say("calendar.save") }).click();
  await expect(admin.getByRole("textbox", { name: say("calendar.day") })).toHaveAccessibleDescription(
    say("calendar.dayFirst"),
  );
  await admin.getByRole("textbox", { name: say("calendar.day") }).fill("09/07/2027");
  await admin
    .getByRole("textbox", { name: say("calendar.until") })
    .first()
    .fill("17h");
  await admin.getByRole("button", { name: say("calendar.save") }).click();
  await expect(admin.getByText(say("calendar.saved", { version: 1 }))).toBeVisible();
  await expect(admin.getByRole("region", { name: say("settings.history") })).toContainText("Revolução de 1932");
  await expectAccessible(admin, "the calendar with its history");
  await expectNoSidewaysScroll(admin, "/settings/calendar");

  const kycUUID = await provider.openCase(inventCpf().digits);
  const analyst = await signedInAs("compliance");
  await untilSeen(analyst, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await analyst.goto(`/kyc/${kycUUID}`);
  await analyst.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  const dialog = analyst.getByRole("dialog");
  await fillDecision(dialog, say, { decision: "REPROVED", addition: "Há bloqueio-judicial." });
  await expect(additionIn(dialog, say)).toHaveAccessibleDescription(/bloqueio judicial/);
  await additionIn(dialog, say).fill("");
  await reasonsIn(dialog, say).getByRole("radio", { name: "Endereço divergente do comprovante." }).check();
  await dialog.getByRole("button", { name: say("kyc.submitReprove") }).click();
  await expect(dialog).toBeHidden();
  expect(await provider.caseStatus(kycUUID)).toBe("REPROVED");
});
