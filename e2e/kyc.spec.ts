import type { Page } from "@playwright/test";
import { additionIn, fillDecision, noteIn, reasonsIn } from "./support/decide";
import { inventCpf } from "./support/invent";
import { isAction } from "./support/server-action";
import { expectRow, factOf, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

/** Opens the case's screen once the watch has seen it, and the dialog on it. */
async function openDialog(page: Page, say: Words, kycUUID: string) {
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  return page.getByRole("dialog", { name: say("kyc.dialogTitle") });
}

test("compliance approves a case from the queue and the provider's list says so", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const page = await signedInAs("compliance");
  await page.goto("/kyc?sort=arrival");
  const kycUUID = await provider.openCase(cpf.digits);
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.getByRole("button", { name: say("common.refresh") }).click();
  const queue = page.getByRole("table", { name: say("kyc.title") });
  await expectRow(queue, [cpf.masked, say("kyc.status.PENDING"), say("kyc.type.PF")]);

  await queue.getByRole("button", { name: `${say("kyc.decide")}: ${cpf.masked}` }).click();
  const dialog = page.getByRole("dialog", { name: say("kyc.dialogTitle") });
  await fillDecision(dialog, say, { addition: "Confere com a base oficial." });
  const told = dialog.getByRole("figure", { name: say("kyc.told") });
  await expect(told).toContainText(/^.+\. Confere com a base oficial\.$/);
  await noteIn(dialog, say).fill("Uma nota que fica.");
  await dialog.getByRole("button", { name: say("kyc.submitApprove") }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(say("kyc.approvedDone", { document: cpf.masked }))).toBeVisible();
  expect(await provider.caseStatus(kycUUID)).toBe("APPROVED");

  await expect(rowWith(queue, [cpf.masked])).toHaveCount(0);
  await page.goto(`/kyc/${kycUUID}`);
  await expect(factOf(page, say("kyc.columns.status"))).toHaveText(say("kyc.status.APPROVED"));
  const decisions = page.getByRole("region", { name: say("kycCase.decisions") });
  const decided = say("kycCase.decidedBy", { decision: "APPROVED", name: "Rafael Tavares" });
  await expect(decisions.getByRole("listitem").filter({ hasText: decided })).toContainText(
    "Confere com a base oficial.",
  );
});

test("compliance reproves a case on its own screen", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const page = await signedInAs("compliance");
  const dialog = await openDialog(page, say, kycUUID);
  await fillDecision(dialog, say, { decision: "REPROVED", addition: "Fotografia de outra pessoa." });
  await dialog.getByRole("button", { name: say("kyc.submitReprove") }).click();
  await expect(dialog).toBeHidden();
  await expect(factOf(page, say("kyc.columns.status"))).toHaveText(say("kyc.status.REPROVED"));
  await expect(page.getByRole("button", { name: say("kyc.askReview") })).toBeVisible();
  expect(await provider.caseStatus(kycUUID)).toBe("REPROVED");
});

test("the dialog says beside each field what is missing, and sends nothing", async ({ signedInAs, provider, say }) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  const dialog = await openDialog(page, say, kycUUID);
  await expect(dialog.getByRole("radio", { name: say("kyc.approve") })).toBeVisible();
  const writes: string[] = [];
  page.on("request", (request) => isAction(request) && writes.push(request.url()));
  await dialog.getByRole("button", { name: say("kyc.submitNone") }).click();
  await expect(dialog.getByRole("group", { name: say("kyc.choice") })).toHaveAccessibleDescription(
    say("kyc.chooseFirst"),
  );
  await dialog.getByRole("radio", { name: say("kyc.approve") }).check();
  await expect(reasonsIn(dialog, say)).toHaveAccessibleDescription(say("kyc.reasonFirst"));
  await dialog.getByRole("button", { name: say("kyc.submitApprove") }).click();
  await expect(reasonsIn(dialog, say).getByRole("radio").first()).toBeFocused();
  await reasonsIn(dialog, say).getByRole("radio").first().check();
  await dialog.getByRole("button", { name: say("kyc.submitApprove") }).click();
  const checklist = dialog.getByRole("group", { name: say("kyc.checklist") });
  await expect(checklist).toHaveAccessibleDescription(say("kyc.checkFirst"));
  await expect(checklist.getByRole("checkbox").first()).toBeFocused();
  expect(writes).toEqual([]);
  expect(await provider.caseStatus(kycUUID)).toBe("PENDING");
});

test("a digit chooses the reason and Ctrl+Enter sends from any field", async ({ signedInAs, provider, say }) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  const dialog = await openDialog(page, say, kycUUID);
  await dialog.getByRole("radio", { name: say("kyc.reprove") }).check();
  await page.keyboard.press("1");
  await expect(reasonsIn(dialog, say).getByRole("radio").first()).toBeChecked();
  await expect(reasonsIn(dialog, say).getByRole("radio").first()).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toBeHidden();
  expect(await provider.caseStatus(kycUUID)).toBe("REPROVED");
});

test("501 characters stay as typed and are not sent; 500, the reason's own among them, are", async ({
  signedInAs,
  provider,
  say,
}) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  const dialog = await openDialog(page, say, kycUUID);
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
  await dialog.getByRole("button", { name: say("kyc.submitApprove") }).click();
  await expect(additionIn(dialog, say)).toHaveValue(addition);
  expect(await provider.caseStatus(kycUUID)).toBe("PENDING");

  await additionIn(dialog, say).press("End");
  await additionIn(dialog, say).press("Backspace");
  await expect(dialog.getByText("500/500")).toBeVisible();
  await expect(dialog.getByText(say("kyc.reasonCount", { used: 500, limit: 500 }))).toBeAttached();
  await dialog.getByRole("button", { name: say("kyc.submitApprove") }).click();
  await expect(dialog).toBeHidden();
  expect(await provider.caseStatus(kycUUID)).toBe("APPROVED");
});

test("a word that would tip the client off is named while it is typed, and never leaves", async ({
  signedInAs,
  provider,
  say,
}) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  const dialog = await openDialog(page, say, kycUUID);
  await fillDecision(dialog, say, { decision: "REPROVED", addition: "Comunicado ao C.O.A.F. ontem." });
  await expect(additionIn(dialog, say)).toHaveAccessibleDescription(/“COAF”/);
  await expect(dialog.getByRole("figure", { name: say("kyc.told") }).getByText("C.O.A.F")).toBeVisible();
  await dialog.getByRole("button", { name: say("kyc.submitReprove") }).click();
  await expect(additionIn(dialog, say)).toBeFocused();
  expect(await provider.caseStatus(kycUUID)).toBe("PENDING");

  await additionIn(dialog, say).fill("Verso cortado.");
  await noteIn(dialog, say).fill("COAF comunicado ontem.");
  await dialog.getByRole("button", { name: say("kyc.submitReprove") }).click();
  await expect(dialog).toBeHidden();
  expect(await provider.caseStatus(kycUUID)).toBe("REPROVED");
});

test("a case that changed while its dialog was open is not decided", async ({ signedInAs, provider, say }) => {
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
  await expect(page.getByRole("dialog").getByRole("radio", { name: say("kyc.approve") })).not.toBeChecked();
  expect(await provider.caseStatus(kycUUID)).toBe("REPROVED");
});

test("a decided case warns what a new decision would overrule", async ({ signedInAs, provider, say }) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  await provider.steerCase(kycUUID, "APPROVED");
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=APPROVED", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("kyc.askReview") }).click();
  await expect(page.getByRole("dialog", { name: say("kyc.reviewTitle") })).toContainText(say("kyc.reviewBody"));
  await expect(page.getByText(say("kyc.overwrites", { status: say("kyc.status.APPROVED") }))).toBeVisible();
});

test("the queue is filtered by status and by kind of person, in the address", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto("/kyc?sort=arrival");
  const statuses = page.getByRole("navigation", { name: say("kyc.filterStatus") });
  const queue = page.getByRole("table", { name: say("kyc.title") });
  await statuses.getByRole("link", { name: new RegExp(`^${say("kyc.filters.PENDING")}`) }).click();
  await expect(page).toHaveURL("/kyc?status=PENDING&sort=arrival");
  await expectRow(queue, [cpf.masked]);
  await page.getByRole("button", { name: say("kycQueue.filters"), exact: true }).click();
  await page.getByLabel(say("kyc.filterType"), { exact: true }).selectOption("PJ");
  await expect(page).toHaveURL("/kyc?status=PENDING&type=PJ&sort=arrival");
  await expect(rowWith(queue, [cpf.masked])).toHaveCount(0);
  await expect(page.getByLabel(say("kyc.filterType"), { exact: true })).toHaveValue("PJ");
});

test("a bad filter in the address becomes the default", async ({ signedInAs, say }) => {
  const page = await signedInAs("compliance");
  await page.goto("/kyc?status=nonsense&type=XX&page=-3");
  const statuses = page.getByRole("navigation", { name: say("kyc.filterStatus") });
  const open = statuses.getByRole("link", { name: new RegExp(`^${say("kyc.filters.open")}`) });
  await expect(open).toHaveAttribute("aria-current", "true");
});

test("a reason that was typed is not dropped without asking", async ({ signedInAs, provider, say }) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  const dialog = await openDialog(page, say, kycUUID);
  const reason = additionIn(dialog, say);
  await reason.fill("Um motivo escrito com cuidado.");
  await page.keyboard.press("Escape");
  const question = dialog.getByRole("group", { name: say("discard.question") });
  await expect(question.getByRole("button", { name: say("discard.keep") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(question).toHaveCount(0);
  await expect(reason).toBeFocused();
  await expect(reason).toHaveValue("Um motivo escrito com cuidado.");
  await dialog.getByRole("button", { name: say("common.cancel") }).click();
  await question.getByRole("button", { name: say("discard.discard") }).click();
  await expect(dialog).toBeHidden();
  expect(await provider.caseStatus(kycUUID)).toBe("PENDING");
});

test("after a decision in the queue the focus goes to another row", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf();
  const page = await signedInAs("compliance");
  const kycUUID = await provider.openCase(cpf.digits);
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto("/kyc?sort=arrival");
  const queue = page.getByRole("table", { name: say("kyc.title") });
  await queue.getByRole("button", { name: `${say("kyc.decide")}: ${cpf.masked}` }).press("Enter");
  const dialog = page.getByRole("dialog", { name: say("kyc.dialogTitle") });
  await fillDecision(dialog, say);
  await dialog.getByRole("button", { name: say("kyc.submitApprove") }).press("Enter");
  await expect(rowWith(queue, [cpf.masked])).toHaveCount(0);
  await expect(queue.locator(":focus")).toHaveAccessibleName(new RegExp(`^${say("kyc.decide")}: `));
});
