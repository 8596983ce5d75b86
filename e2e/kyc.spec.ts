import type { Page } from "@playwright/test";
import { additionIn, fillDecision, noteIn, reasonsIn } from "./support/decide";
import { inventCpf } from "./support/invent";
import { isAction } from "./support/server-action";
import { expectRow, factOf, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

/** Opens the case once the watch has seen it, and then its dialog. */
async function openDialog(page: Page, say: Words, kycUUID: string) {
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  return page.getByRole("dialog", { name: say("kyc.dialogTitle") });
}

test("compliance filters the queue, approves a case and continues at the next row", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const nextCpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const nextUUID = await provider.openCase(nextCpf.digits);
  const page = await signedInAs("compliance");
  for (const id of [kycUUID, nextUUID]) await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", id);
  const statuses = page.getByRole("navigation", { name: say("kyc.filterStatus") });
  const queue = page.getByRole("table", { name: say("kyc.title") });
  const type = page.getByLabel(say("kyc.filterType"), { exact: true });

  await test.step("a bad filter in the address becomes the default, a chosen one stands in it", async () => {
    await page.goto("/kyc?status=nonsense&type=XX&page=-3&sort=arrival");
    const open = statuses.getByRole("link", { name: new RegExp(`^${say("kyc.filters.open")}`) });
    await expect(open).toHaveAttribute("aria-current", "true");
    await statuses.getByRole("link", { name: new RegExp(`^${say("kyc.filters.PENDING")}`) }).click();
    await expect(page).toHaveURL("/kyc?status=PENDING&sort=arrival");
    await expectRow(queue, [cpf.masked, say("kyc.status.PENDING"), say("kyc.type.PF")]);
    await page.getByRole("button", { name: say("common.filters"), exact: true }).click();
    await type.selectOption("PJ");
    await expect(page).toHaveURL(/[?&]status=PENDING&.*type=PJ/);
    await expect(rowWith(queue, [cpf.masked])).toHaveCount(0);
    await expect(type).toHaveValue("PJ");
    await page.goBack();
    await expectRow(queue, [cpf.masked]);
  });

  await queue.getByRole("button", { name: `${say("kyc.decide")}: ${cpf.masked}` }).press("Enter");
  const dialog = page.getByRole("dialog", { name: say("kyc.dialogTitle") });
  await fillDecision(dialog, say, { addition: "Confere com a base oficial." });
  const told = dialog.getByRole("figure", { name: say("kyc.told") });
  await expect(told).toContainText(/^.+\. Confere com a base oficial\.$/);
  await noteIn(dialog, say).fill("Uma nota que fica.");
  await dialog.getByRole("button", { name: say("kyc.submitApprove") }).press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText(say("kyc.approvedDone", { document: cpf.masked }))).toBeVisible();
  await expect(rowWith(queue, [cpf.masked])).toHaveCount(0);
  await expect(queue.locator(":focus")).toHaveAccessibleName(new RegExp(`^${say("kyc.decide")}: `));
  expect(await provider.caseStatus(kycUUID)).toBe("APPROVED");

  await page.goto(`/kyc/${kycUUID}`);
  await expect(factOf(page, say("kyc.columns.status"))).toHaveText(say("kyc.status.APPROVED"));
  const decisions = page.getByRole("region", { name: say("kycCase.decisions") });
  const decided = say("kycCase.decidedBy", { decision: "APPROVED", name: "Rafael Tavares" });
  await expect(decisions.getByRole("listitem").filter({ hasText: decided })).toContainText(
    "Confere com a base oficial.",
  );
});

test("the decision dialog shows errors beside fields and asks before discarding", async ({
  signedInAs,
  provider,
  say,
}) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  const dialog = await openDialog(page, say, kycUUID);
  const approve = dialog.getByRole("button", { name: say("kyc.submitApprove") });
  await expect(dialog.getByRole("radio", { name: say("kyc.approve") })).toBeVisible();
  const writes: string[] = [];
  page.on("request", (request) => isAction(request) && writes.push(request.url()));

  await test.step("what is missing", async () => {
    await dialog.getByRole("button", { name: say("kyc.submitNone") }).click();
    await expect(dialog.getByRole("group", { name: say("kyc.choice") })).toHaveAccessibleDescription(
      say("kyc.chooseFirst"),
    );
    await dialog.getByRole("radio", { name: say("kyc.approve") }).check();
    await expect(reasonsIn(dialog, say)).toHaveAccessibleDescription(say("kyc.reasonFirst"));
    await approve.click();
    await expect(reasonsIn(dialog, say).getByRole("radio").first()).toBeFocused();
    await reasonsIn(dialog, say).getByRole("radio").first().check();
    await approve.click();
    const checklist = dialog.getByRole("group", { name: say("kyc.checklist") });
    await expect(checklist).toHaveAccessibleDescription(say("kyc.checkFirst"));
    await expect(checklist.getByRole("checkbox").first()).toBeFocused();
  });

  await test.step("501 characters stay as typed and are not sent", async () => {
    await fillDecision(dialog, say);
    const told = await dialog
      .getByRole("figure", { name: say("kyc.told") })
      .getByRole("blockquote")
      .textContent();
    const addition = "é".repeat(500 - (told ?? "").length);
    await additionIn(dialog, say).fill(addition);
    await expect(dialog.getByText("501/500")).toBeVisible();
    const tooLong = new RegExp(say("kyc.reasonTooLong", { limit: 500 }));
    await expect(additionIn(dialog, say)).toHaveAccessibleDescription(tooLong);
    await approve.click();
    await expect(additionIn(dialog, say)).toHaveValue(addition);
    await additionIn(dialog, say).press("End");
    await additionIn(dialog, say).press("Backspace");
    await expect(dialog.getByText("500/500")).toBeVisible();
    await expect(dialog.getByText(say("kyc.reasonCount", { used: 500, limit: 500 }))).toBeAttached();
  });

  await test.step("nothing that was typed is dropped without asking", async () => {
    await page.keyboard.press("Escape");
    const question = dialog.getByRole("group", { name: say("discard.question") });
    await expect(question.getByRole("button", { name: say("discard.keep") })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(question).toHaveCount(0);
    await expect(additionIn(dialog, say)).toBeFocused();
    await expect(dialog.getByText("500/500")).toBeVisible();
    expect(writes).toEqual([]);
    expect(await provider.caseStatus(kycUUID)).toBe("PENDING");
  });

  await test.step("500 are sent, and what they decided is overruled by a second person alone", async () => {
    await approve.click();
    await expect(dialog).toBeHidden();
    expect(await provider.caseStatus(kycUUID)).toBe("APPROVED");
    await page.getByRole("button", { name: say("kyc.askReview") }).click();
    await expect(page.getByRole("dialog", { name: say("kyc.reviewTitle") })).toContainText(say("kyc.reviewBody"));
    await expect(page.getByText(say("kyc.overwrites", { status: say("kyc.status.APPROVED") }))).toBeVisible();
  });
});

test("an analyst's unsent decision is kept, and a blocked term stops the rejection", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto("/kyc?sort=arrival");
  const dialog = page.getByRole("dialog", { name: say("kyc.dialogTitle") });
  const decide = page.getByRole("button", { name: say("kyc.decide"), exact: true });
  const begin = async () => {
    const queue = page.getByRole("table", { name: say("kyc.title") });
    await rowWith(queue, [cpf.masked]).getByRole("link").click();
    await decide.click();
  };

  await test.step("back, and here again", async () => {
    await begin();
    await additionIn(dialog, say).fill("Verso cortado.");
    await noteIn(dialog, say).fill("Ligar amanhã.");
    await page.goBack();
    await expect(dialog).toBeHidden();
    await begin();
    await expect(additionIn(dialog, say)).toHaveValue("Verso cortado.");
    await expect(noteIn(dialog, say)).toHaveValue("Ligar amanhã.");
    await dialog.getByRole("button", { name: say("common.cancel") }).click();
    await dialog
      .getByRole("group", { name: say("discard.question") })
      .getByRole("button", { name: say("discard.discard") })
      .click();
    await expect(dialog).toBeHidden();
    await decide.click();
    await expect(additionIn(dialog, say)).toHaveValue("");
    await expect(noteIn(dialog, say)).toHaveValue("");
  });

  await dialog.getByRole("radio", { name: say("kyc.reprove") }).check();
  await page.keyboard.press("1");
  await expect(reasonsIn(dialog, say).getByRole("radio").first()).toBeChecked();
  await expect(reasonsIn(dialog, say).getByRole("radio").first()).toBeFocused();
  await additionIn(dialog, say).fill("Comunicado ao C.O.A.F. ontem.");
  await expect(additionIn(dialog, say)).toHaveAccessibleDescription(/“COAF”/);
  await expect(dialog.getByRole("figure", { name: say("kyc.told") }).getByText("C.O.A.F")).toBeVisible();
  await dialog.getByRole("button", { name: say("kyc.submitReprove") }).click();
  await expect(additionIn(dialog, say)).toBeFocused();
  expect(await provider.caseStatus(kycUUID)).toBe("PENDING");

  await additionIn(dialog, say).fill("Verso cortado.");
  await noteIn(dialog, say).fill("COAF comunicado ontem.");
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toBeHidden();
  await expect(factOf(page, say("kyc.columns.status"))).toHaveText(say("kyc.status.REPROVED"));
  await expect(page.getByRole("button", { name: say("kyc.askReview") })).toBeVisible();
  expect(await provider.caseStatus(kycUUID)).toBe("REPROVED");
});

test(
  "a case that changed while its dialog was open is not decided",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const kycUUID = await provider.openCase(inventCpf().digits);
    const page = await signedInAs("compliance");
    const dialog = await openDialog(page, say, kycUUID);
    await fillDecision(dialog, say, { addition: "Conferido." });
    await provider.steerCase(kycUUID, "REPROVED");
    await page.getByRole("dialog").locator("button[type=submit]").click();
    const changed = page.getByRole("dialog").getByRole("row", { name: new RegExp(`^${say("kyc.columns.status")}`) });
    await expect(changed).toContainText(say("kyc.status.PENDING"));
    await expect(changed).toContainText(say("kyc.status.REPROVED"));
    await expect(additionIn(page.getByRole("dialog"), say)).toHaveValue("Conferido.");
    await expect(page.getByRole("dialog").getByRole("radio", { name: say("kyc.approve") })).toBeChecked();
    await expect(page.getByRole("dialog").getByRole("radio", { name: say("kyc.reprove") })).toHaveCount(0);
    expect(await provider.caseStatus(kycUUID)).toBe("REPROVED");
  },
);
