import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { readMarkup, textsOf } from "./support/markup";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const PDF = Buffer.from("%PDF-1.7\n% contrato social\n%%EOF\n");
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const MARKUP = "<img src=x onerror=window.ran=1>";

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const timelineOf = (page: Page, say: Words) => section(page, say("kycTimeline.title"));

async function openCase(page: Page, kycUUID: string) {
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
}

async function writeNote(page: Page, say: Words, text: string) {
  const notes = section(page, say("casework.notes"));
  await notes.getByLabel(say("casework.note"), { exact: true }).fill(text);
  await notes.getByLabel(say("casework.note"), { exact: true }).press("Control+Enter");
  await expect(notes.getByText(say("casework.added"))).toBeVisible();
  return notes;
}

test("an analyst reads a case, writes and withdraws notes, and manages its files", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const other = await provider.openCase(cpf.digits);
  const elsewhere = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", other);
  await openCase(page, kycUUID);

  await expect(section(page, say("kycCase.standing"))).toContainText(say("kycCase.unassigned"));
  await expect(section(page, say("kycCase.known"))).toContainText(say("kycCase.notStartedHere"));
  const related = section(page, say("kycCase.related")).getByRole("listitem").filter({ hasText: cpf.masked });
  await expect(related).toHaveCount(1);
  await expect(related).toContainText(say("kycCase.perhaps"));
  await expect(related.getByRole("link")).toHaveAttribute("href", `/kyc/${other}`);

  await expect(page.getByText(kycUUID)).toHaveCount(0);
  await page.getByRole("button", { name: say("kycCase.technical") }).click();
  await expect(page.getByRole("dialog", { name: say("kycCase.technical") })).toContainText(kycUUID);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: say("kycCase.technical") })).toBeFocused();

  const notes = await writeNote(page, say, `Ligou e confirmou: CPF ${cpf.typed}. ${MARKUP}`);
  const item = notes.getByRole("listitem").filter({ hasText: "Ligou e confirmou" });
  await expect(item).toContainText(cpf.masked);
  await expect(item).toContainText(MARKUP);
  await expect(notes).not.toContainText(cpf.typed);
  await expect(
    timelineOf(page, say).getByText(say("kycTimeline.noted", { name: say("kycTimeline.you") })),
  ).toBeVisible();

  await expectAccessible(page, "a case with a note");
  await item.getByRole("button").click();
  await item.getByRole("button", { name: say("casework.retract"), exact: true }).click();
  await expect(item).toHaveCount(0);
  await expect(notes.getByRole("listitem")).toHaveCount(1);
  await expect(
    timelineOf(page, say).getByText(say("kycTimeline.note-retracted", { name: say("kycTimeline.you") })),
  ).toBeVisible();

  await timelineOf(page, say)
    .getByRole("link", { name: say("kycTimeline.shows.provider"), exact: true })
    .click();
  await expect(timelineOf(page, say).getByText(say("kycTimeline.noted", { name: say("kycTimeline.you") }))).toHaveCount(
    0,
  );
  await expect(timelineOf(page, say).getByRole("listitem").first()).toBeVisible();

  await timelineOf(page, say)
    .getByRole("link", { name: say("kycTimeline.shows.all"), exact: true })
    .click();
  await test.step("files", async () => {
    const files = section(page, say("casework.files"));
    const name = `contrato ${MARKUP} ação.pdf`.replaceAll("/", "");
    await files.locator("input[type=file]").setInputFiles([
      { name, mimeType: "application/pdf", buffer: PDF },
      { name: `rg ${cpf.typed}.png`, mimeType: "image/png", buffer: Buffer.concat([PNG, Buffer.from(cpf.digits)]) },
      { name: "contrato.pdf", mimeType: "application/pdf", buffer: Buffer.from("<html>") },
      { name: "grande.png", mimeType: "image/png", buffer: Buffer.alloc(10 * 1024 * 1024 + 1) },
    ]);
    const stored = files
      .getByRole("list", { name: say("casework.files") })
      .getByRole("listitem")
      .filter({ hasText: "ação.pdf" });
    await expect(stored).toHaveCount(1);
    await expect(files.getByText(say("failures.file-type"))).toBeVisible();
    await expect(files.getByText(say("casework.fileTooLarge"))).toBeVisible();
    await expect(
      timelineOf(page, say).getByText(say("kycTimeline.file-added", { name: say("kycTimeline.you") })),
    ).toHaveCount(2);
    await expect(files.getByText(`rg ${cpf.masked}.png`, { exact: true })).toBeVisible();
    await expect(files).not.toContainText(cpf.typed);

    const link = stored.getByRole("link", { name: say("casework.downloadNamed", { name }) });
    const coming = page.waitForEvent("download");
    await link.click();
    const download = await coming;
    expect(readFileSync(await download.path())).toEqual(PDF);
    const address = (await link.getAttribute("href")) ?? "";
    const answer = await page.request.get(address);
    expect(answer.headers()).toMatchObject({
      "content-disposition": expect.stringMatching(/^attachment; /),
      "content-security-policy": expect.stringContaining("sandbox"),
      "content-type": "application/pdf",
      "x-content-type-options": "nosniff",
    });

    const { request } = await signedInAs("support");
    const sent = await (await request.get(`/kyc/${kycUUID}`)).text();
    expect(textsOf(readMarkup(sent))).toContain(say("casework.filesHidden", { count: 2 }));
    expect(sent).not.toContain("ação.pdf");
    const { pathname } = new URL(address, page.url());
    expect((await request.get(pathname)).status()).not.toBe(200);

    await stored.getByRole("button", { name: say("casework.removeNamed", { name }) }).click();
    const dialog = page.getByRole("dialog", { name: say("casework.removeTitle") });
    await expectAccessible(page, "the removal of a file");
    await dialog.getByRole("button", { name: say("casework.removeSubmit") }).click();
    await expect(dialog.getByText(say("casework.removeFirst"))).toBeVisible();
    await dialog.getByLabel(say("casework.removeReason")).fill("Documento de outra pessoa");
    await dialog.getByRole("button", { name: say("casework.removeSubmit") }).click();
    await expect(dialog).toBeHidden();
    await expect(stored).toContainText("Documento de outra pessoa");
    expect((await page.request.get(address)).status()).toBe(404);
    expect(await page.evaluate(() => Reflect.has(window, "ran"))).toBe(false);
  });

  // The unsent note stays with this case and is absent from the next.
  await notes.getByLabel(say("casework.note"), { exact: true }).fill("Ainda por confirmar");
  await openCase(page, elsewhere);
  const next = section(page, say("casework.notes"));
  await expect(next.getByLabel(say("casework.note"), { exact: true })).toHaveValue("");
  await expect(page.locator("body")).not.toContainText(kycUUID);
  await expect(page.locator("main")).not.toContainText(cpf.masked);
  await page.getByRole("button", { name: say("calls.about") }).click();
  await expect(page.getByText(say("calls.none"))).toBeVisible();
  await expectAccessible(page, "a case's calls");
});
