import { noteShown } from "./support/canary";
import { inventCpf } from "./support/invent";
import { inspect } from "./support/looks";
import { lookUp } from "./support/look-up";
import { expect, test } from "./support/story";

test("a reveal beyond a limit is an alarm that an administrator ends", async ({ signedInAs, provider, say }) => {
  test.slow();
  const admin = await signedInAs("admin");
  await admin.goto("/alarms");
  await expect(admin.getByText(say("alarms.noneOpen"))).toBeVisible();
  await inspect(admin, "no alarm");

  await test.step("the limit is changed, bad input stays at its field", async () => {
    await admin.getByRole("link", { name: say("alarms.limits") }).click();
    const field = admin.getByRole("textbox", { name: say("alarmBounds.names.perHour") });
    await field.fill("0");
    await admin.getByRole("button", { name: say("alarmBounds.save") }).click();
    await expect(admin.getByText(say("alarmBounds.first", { least: 1, most: 1000 }))).toBeVisible();
    await inspect(admin, "a limit of none");
    await field.fill("1");
    await admin.getByRole("button", { name: say("alarmBounds.save") }).click();
    await expect(admin.getByText(say("alarmBounds.saved", { version: 1 }))).toBeVisible();
  });

  const page = await signedInAs("support");
  for (const isFirst of [true, false]) {
    const cpf = inventCpf();
    await provider.openAccount(cpf.digits);
    await lookUp(page, say, cpf.typed);
    noteShown("document", cpf.typed);
    await page.getByRole("button", { name: say("privacy.revealNamed", { document: cpf.masked }) }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    if (isFirst) await inspect(page, "the question why a document is revealed");
    await dialog.getByLabel(say("privacy.reasons.service")).check();
    await dialog.getByLabel(say("privacy.note")).fill("Protocolo 8731: o titular confirmou");
    await dialog.getByRole("button", { name: say("privacy.submit") }).click();
    await expect(dialog).toBeHidden();
    if (isFirst) await inspect(page, "a revealed document");
  }

  await test.step("the alarm is taken, and ended with a note", async () => {
    await admin.goto("/alarms");
    const open = admin.getByRole("table", { name: say("alarms.open") });
    await expect(open).toContainText(say("alarms.causes.hour", { count: 2, bound: 1 }));
    await open
      .getByRole("button", { name: /./ })
      .filter({ hasText: say("alarms.take") })
      .click();
    await expect(admin.getByText(say("alarms.taken"))).toBeVisible();
    await expect(open).toContainText(say("alarms.you"));
    await inspect(admin, "an alarm of one's own to end");
    await open
      .getByRole("button")
      .filter({ hasText: say("alarms.end") })
      .click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByRole("button", { name: say("alarms.submit") }).click();
    await expect(dialog.getByText(say("alarms.noteFirst"))).toBeVisible();
    await dialog.getByLabel(say("alarms.note")).fill("Combinado com Compliance");
    await dialog.getByRole("button", { name: say("alarms.submit") }).click();
    await expect(admin.getByRole("table", { name: say("alarms.ended") })).toContainText("Combinado com Compliance");
    await inspect(admin, "an ended alarm");
  });

  await test.step("every value says its default and who changed it, and goes back to it", async () => {
    await admin.goto("/settings/values");
    const row = admin.getByRole("row").filter({ hasText: say("alarmBounds.names.perHour") });
    await expect(row).toContainText("20");
    await inspect(admin, "all values");
    await row.getByRole("button").click();
    await expect(admin.getByText(say("settingValues.done"))).toBeVisible();
    await expect(row.getByRole("button")).toHaveCount(0);
  });

  const auditor = await signedInAs("auditor");
  await auditor.goto("/alarms");
  await expect(auditor.getByRole("table", { name: say("alarms.ended") })).toContainText("Combinado com Compliance");
});
