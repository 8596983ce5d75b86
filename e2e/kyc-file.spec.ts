import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { sitDown } from "./support/approvals-page";
import { fillDecision } from "./support/decide";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const page = (contents: number) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents ${contents} 0 R/Resources<</Font<</F1 7 0 R>>>>>>`;
const contents = (text: string) => {
  const drawn = `BT /F1 18 Tf 20 100 Td (${text}) Tj ET`;
  return `<</Length ${drawn.length}>>stream\n${drawn}\nendstream`;
};
const OBJECTS = [
  "<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(window.ran=1;app.alert\\(1\\))>>>>",
  "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>",
  page(5),
  page(6),
  contents("Contrato social"),
  contents("Assinaturas"),
  "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
];
const PDF = Buffer.from(
  `%PDF-1.4\n${OBJECTS.map((one, at) => `${at + 1} 0 obj${one}endobj\n`).join("")}trailer<</Root 1 0 R/Size 8>>\n%%EOF\n`,
);
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

async function attach(desk: Page, say: Words): Promise<void> {
  const files = desk.getByRole("region", { name: say("casework.files"), exact: true });
  await files.locator("input[type=file]").setInputFiles([
    { name: "contrato.pdf", mimeType: "application/pdf", buffer: PDF },
    { name: "frente.png", mimeType: "image/png", buffer: PNG },
    {
      name: "estragado.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7 <script>window.ran=1</script>"),
    },
  ]);
  await expect(files.getByRole("list", { name: say("casework.files") }).getByRole("listitem")).toHaveCount(3);
}

test("an analyst reads a case's files beside it and takes the case as PDF", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const desk = await signedInAs("compliance");
  await untilSeen(desk, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await desk.goto(`/kyc/${kycUUID}`);
  await attach(desk, say);
  const openerOf = (name: string) => desk.getByRole("button", { name: say("casework.openNamed", { name }) });
  const drawnOf = (name: string, number: number, pages: number) =>
    desk.getByRole("img", { name: say("casework.viewer.drawn", { name, page: number, pages }) });

  await test.step("a PDF, by keys alone", async () => {
    await openerOf("contrato.pdf").focus();
    await desk.keyboard.press("Enter");
    const panel = desk.getByRole("complementary", { name: "contrato.pdf" });
    await expect(panel.getByRole("heading", { name: "contrato.pdf" })).toBeFocused();
    await expect(drawnOf("contrato.pdf", 1, 2)).toBeVisible();
    await expect(panel.getByText("Contrato social")).toBeAttached();
    await expect(desk.getByRole("button", { name: say("kyc.decide"), exact: true })).toBeEnabled();
    await expectAccessible(desk, "a case with a file beside it");
    await panel.getByRole("button", { name: say("casework.viewer.next") }).focus();
    await desk.keyboard.press("Enter");
    await expect(drawnOf("contrato.pdf", 2, 2)).toBeVisible();
    await expect(panel.getByText("Assinaturas")).toBeAttached();
    await desk.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await expect(openerOf("contrato.pdf")).toBeFocused();
  });

  await test.step("what is damaged, and a picture in a narrow window", async () => {
    await openerOf("estragado.pdf").click();
    await expect(desk.getByText(say("casework.viewer.undrawn"))).toBeVisible();
    await desk.keyboard.press("Escape");
    await desk.setViewportSize({ width: 390, height: 844 });
    await openerOf("frente.png").click();
    const sheet = desk.getByRole("dialog", { name: "frente.png" });
    await expect(sheet.getByRole("img")).toBeVisible();
    await expectAccessible(desk, "a file over a case, 390 px wide");
    await expectNoSidewaysScroll(desk, "a file over a case");
    await desk.keyboard.press("Escape");
    await expect(openerOf("frente.png")).toBeFocused();
    await desk.setViewportSize({ width: 1350, height: 940 });
    expect(await desk.evaluate(() => Reflect.has(window, "ran"))).toBe(false);
  });

  const coming = desk.waitForEvent("download");
  await desk.getByRole("link", { name: say("kycCase.export") }).click();
  const taken = await coming;
  expect(taken.suggestedFilename()).toBe(`case-kyc-${kycUUID}.pdf`);
  expect(
    readFileSync(await taken.path())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");

  await desk.goto("/kyc?view=all&search=zzz");
  await expect(desk.getByText(say("kycQueue.emptySearchBody"))).toBeVisible();
});

test("a decision about a politically exposed person waits for somebody else", async ({
  signedInAs,
  browser,
  product: { url },
  provider,
  language,
  say,
}) => {
  test.slow();
  const cpf = inventCpf();
  await provider.openAccount(cpf.digits, { isExposed: true });
  const kycUUID = await provider.openCase(cpf.digits);
  const desk = await signedInAs("compliance");
  await untilSeen(desk, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  const standing = desk.getByRole("region", { name: say("kycCase.standing") });
  await desk.goto(`/kyc/${kycUUID}`);
  await expect(standing).toContainText(say("kycCase.exposures.unknown"));

  const admin = await sitDown({ browser, url, role: "admin", language });
  await admin.goto("/settings/approvals");
  const kind = say("writes.kyc.decision");
  await admin.getByRole("button", { name: say("approvalPolicy.changeOf", { kind }) }).click();
  const dialog = admin.getByRole("dialog", { name: say("approvalPolicy.dialogTitle") });
  await dialog.getByLabel(say("approvalPolicy.rules.on-exposed")).check();
  await dialog.getByRole("button", { name: say("approvalPolicy.submit") }).click();
  await expect(dialog).toBeHidden();
  await admin.context().close();

  await lookUp(desk, say, cpf.typed);
  await expect(desk.getByRole("heading", { name: say("accountRecord.holder"), exact: true })).toBeVisible();
  await desk.goto(`/kyc/${kycUUID}`);
  await expect(standing).toContainText(say("kycCase.exposures.perhaps"));
  await desk.goto("/kyc?view=all");
  await expect(desk.getByRole("row").filter({ hasText: cpf.masked })).toContainText(say("kycQueue.exposed.perhaps"));
  await expectAccessible(desk, "a queue with a politically exposed person");

  await desk.goto(`/kyc/${kycUUID}`);
  await desk.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  const deciding = desk.getByRole("dialog", { name: say("kyc.dialogTitle") });
  await expect(deciding.getByText(say("approvals.willPropose"))).toBeVisible();
  await fillDecision(deciding, say, { decision: "REPROVED" });
  await deciding.getByRole("button", { name: say("approvals.submitPropose") }).click();
  await expect(deciding).toBeHidden();
  await expect(desk.getByRole("link", { name: say("approvals.seeProposal") })).toBeVisible();
});
