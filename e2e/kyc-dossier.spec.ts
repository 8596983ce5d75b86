import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Download, Locator, Page, TestInfo } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { fillDecision, noteIn } from "./support/decide";
import { inventCpf } from "./support/invent";
import { all, readPage, textsOf } from "./support/markup";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const NOTE = "Conferi com João Ångström e Жуков";

/** Runs the repository's command with only this product's keys. */
function verify(home: Record<string, string>, file: string): Promise<{ code: number; said: string }> {
  const program = ["--conditions=react-server", "scripts/launch.mjs", "ops/commands/dossier-verify.ts", file];
  const env = { PATH: process.env["PATH"], ...home, NODE_ENV: "production" as const };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, program, { env }, (_, out, complaint) =>
      resolve({ code: child.exitCode ?? -1, said: `${out}${complaint}` }),
    );
  });
}

async function decideAndNote(page: Page, say: Words, kycUUID: string): Promise<void> {
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  const dialog = page.getByRole("dialog", { name: say("kyc.dialogTitle") });
  await fillDecision(dialog, say, { decision: "REPROVED", addition: "Venceu em 2024." });
  await noteIn(dialog, say).fill(NOTE);
  await dialog.getByRole("button", { name: say("kyc.submitReprove") }).click();
  await expect(dialog).toBeHidden();
}

type Wanted = { dossiers: Locator; kycUUID: string; say: Words; format: "pdf" | "json"; info: TestInfo };

/** Downloads the only dossier through the dialog. */
async function take(page: Page, { dossiers, kycUUID, say, format, info }: Wanted): Promise<string> {
  const saved = new Promise<Download>((come) => page.once("download", come));
  await dossiers.getByRole("button", { name: new RegExp(`${say(`dossiers.${format}Button`)}$`) }).click();
  const why = page.getByRole("dialog");
  await why.getByLabel(say("privacy.reasons.authority")).check();
  await why.getByLabel(say("privacy.note")).fill("Ofício 417/2026 do Banco Central");
  await why.getByRole("button", { name: say("privacy.file.submit") }).click();
  await expect(why).toBeHidden();
  // Each step has its own timeout, so that a failure names the step.
  await expect(dossiers.getByRole("alert")).toBeHidden();
  await expect(page.getByText(say("dossiers.done", { name: `dossier-kyc-${kycUUID}.${format}` }))).toBeVisible();
  const download = await saved;
  const file = info.outputPath(download.suggestedFilename());
  await download.saveAs(file);
  return file;
}

/** The command accepts the dossier with the product's own key. */
async function expectValid(home: Record<string, string>, kycUUID: string, files: readonly string[]): Promise<void> {
  for (const { code, said } of await Promise.all(files.map((file) => verify(home, file)))) {
    expect(said).toContain(": valid");
    expect(said).toContain(`kyc:${kycUUID}: REPROVED, DONE`);
    expect(code).toBe(0);
  }
}

test(
  "a decision's sealed dossier is exported by two people and verified offline",
  { tag: "@long" },
  async ({ signedInAs, provider, product, say }, info) => {
    test.slow();
    const cpf = inventCpf();
    const kycUUID = await provider.openCase(cpf.digits);
    const page = await signedInAs("compliance");
    await decideAndNote(page, say, kycUUID);

    const dossiers = page.getByRole("region", { name: say("kycCase.decisions") });
    const sealed = dossiers.getByRole("listitem");
    await expect(sealed).toContainText(say("kycCase.decidedBy", { decision: "REPROVED", name: "Rafael Tavares" }));
    await expect(sealed).toContainText(say("dossiers.ends.DONE"));
    await expectAccessible(page, "the case with its dossier");
    const json = await take(page, { dossiers, kycUUID, say, format: "json", info });
    const pdf = await take(page, { dossiers, kycUUID, say, format: "pdf", info });

    const text = readFileSync(json, "utf8");
    for (const part of [kycUUID, cpf.masked, "Venceu em 2024.", NOTE, "before-sending"]) expect(text).toContain(part);
    expect(text).not.toContain(cpf.digits);
    await expectValid(product.home, kycUUID, [json, pdf]);

    const auditor = await signedInAs("auditor");
    await auditor.goto(`/kyc/${kycUUID}`);
    const theirs = auditor.getByRole("region", { name: say("kycCase.decisions") });
    const again = await take(auditor, { dossiers: theirs, kycUUID, say, format: "json", info });
    expect(readFileSync(again, "utf8")).toBe(text);
    const trail = await readPage(auditor.request, `/audit?code=personal-data.file&search=kyc:${kycUUID}`);
    const rows = all(trail, "table", { "aria-label": say("audit.title") }).flatMap(textsOf);
    const taken = rows.filter((words) => words === say("audit.codes.personal-data.file"));
    expect(taken).toHaveLength(3);

    const support = await signedInAs("support");
    await support.goto(`/kyc/${kycUUID}`);
    const denied = support.getByRole("region", { name: say("kycCase.decisions") });
    await denied.getByRole("button", { name: say("dossiers.pdfButton"), exact: true }).focus();
    await expect(support.getByRole("tooltip").filter({ hasText: say("roles.auditor") })).toBeVisible();
  },
);
