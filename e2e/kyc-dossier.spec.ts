import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { Download, Locator, Page, TestInfo } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { fillDecision, noteIn } from "./support/decide";
import { inventCpf } from "./support/invent";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const NOTE = "Conferi com João Ångström e Жуков";

/** The command of the repository, with the keys of this product and nothing else of it. */
function verify(home: Record<string, string>, ...args: string[]): Promise<{ code: number; said: string }> {
  const program = ["--conditions=react-server", "scripts/launch.mjs", "scripts/ops/dossier-verify.ts", ...args];
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

/** Takes the only dossier there is, as somebody would, and keeps it. */
async function take(page: Page, { dossiers, kycUUID, say, format, info }: Wanted): Promise<string> {
  const saved = new Promise<Download>((come) => page.once("download", come));
  await dossiers.getByRole("button", { name: new RegExp(`${say(`dossiers.${format}Button`)}$`) }).click();
  // Each step has a limit of its own: one that does not come is named, and not the whole story's end.
  await expect(dossiers.getByRole("alert")).toBeHidden();
  await expect(page.getByText(say("dossiers.done", { name: `dossier-kyc-${kycUUID}.${format}` }))).toBeVisible();
  const download = await saved;
  const file = info.outputPath(download.suggestedFilename());
  await download.saveAs(file);
  return file;
}

type Checked = { home: Record<string, string>; json: string; pdf: string; kycUUID: string; info: TestInfo };

/** The command finds both files valid, what somebody forged of them altered, and another key unknown. */
async function expectChecked({ home, json, pdf, kycUUID, info }: Checked): Promise<void> {
  const [forged, torn, stranger] = [
    info.outputPath("forged.json"),
    info.outputPath("forged.pdf"),
    info.outputPath("stranger.pem"),
  ];
  writeFileSync(forged, readFileSync(json, "utf8").replace("Venceu em 2024.", "Venceu em 2025."));
  const pages = readFileSync(pdf);
  pages.writeUInt8(pages.readUInt8(600) ^ 1, 600);
  writeFileSync(torn, pages);
  const { publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(stranger, publicKey.export({ format: "pem", type: "spki" }));
  const [ofJson, ofPdf, ofForged, ofTorn, ofStranger] = await Promise.all([
    verify(home, json),
    verify(home, pdf),
    verify(home, forged),
    verify(home, torn),
    verify(home, json, "--key", stranger),
  ]);
  for (const { code, said } of [ofJson, ofPdf]) {
    expect(said).toContain(": valid");
    expect(said).toContain(`kyc:${kycUUID}: REPROVED, DONE`);
    expect(code).toBe(0);
  }
  expect(ofForged).toEqual({ code: 1, said: "forged.json: altered: not as it was sealed: decision\n" });
  expect(ofTorn).toMatchObject({ code: 1 });
  expect(ofStranger).toMatchObject({ code: 2 });
}

test("what was in sight of a decision is sealed, taken out by two people and checked without the product", async ({
  signedInAs,
  provider,
  product,
  say,
}, info) => {
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
  await expectChecked({ home: product.home, json, pdf, kycUUID, info });

  const auditor = await signedInAs("auditor");
  await auditor.goto(`/kyc/${kycUUID}`);
  const theirs = auditor.getByRole("region", { name: say("kycCase.decisions") });
  const again = await take(auditor, { dossiers: theirs, kycUUID, say, format: "json", info });
  expect(readFileSync(again, "utf8")).toBe(text);
  await auditor.goto(`/audit?code=personal-data.export&sought=kyc:${kycUUID}`);
  const trail = auditor.getByRole("table", { name: say("audit.title") });
  await expect(trail.getByRole("row").filter({ hasText: say("audit.codes.personal-data.export") })).toHaveCount(3);

  const support = await signedInAs("support");
  await support.goto(`/kyc/${kycUUID}`);
  const denied = support.getByRole("region", { name: say("kycCase.decisions") });
  await denied.getByRole("button", { name: say("dossiers.pdfButton"), exact: true }).focus();
  await expect(support.getByRole("tooltip").filter({ hasText: say("roles.auditor") })).toBeVisible();
});
