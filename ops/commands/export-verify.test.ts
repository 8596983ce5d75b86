import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publicKeyText } from "@/lib/audit/head";
import { signatureLine } from "@/lib/audit/signed-file";
import { FILE_FORMAT } from "@/lib/movements/format";
import { sha256 } from "@/lib/text/decode";
import { OUR_KEY } from "@/test/support/dossiers";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "exports-"));
  writeFileSync(join(folder, "ours.pem"), publicKeyText(OUR_KEY));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const body = '"account","r","0001","7"\r\n';
const whole = `${body}${signatureLine(FILE_FORMAT, sha256(body), OUR_KEY)}`;

/** The command in an empty folder without settings. */
function run(content: string) {
  const file = join(folder, "movements.csv");
  writeFileSync(file, content);
  const program = ["--conditions=react-server", "scripts/launch.mjs", "ops/commands/export-verify.ts"];
  const env = { PATH: process.env["PATH"], NODE_ENV: "test" as const };
  const args = [...program, file, "--key", join(folder, "ours.pem")];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
}

it("confirms offline that a file is as exported", () => {
  const { status, said } = run(whole);
  expect(said).toContain("movements.csv: valid");
  expect(said).toContain(sha256(whole));
  expect(status).toBe(0);
});

it("refuses a file with one changed character and exits with 1", () => {
  const { status, said } = run(whole.replace("0001", "0002"));
  expect(said).toContain("movements.csv: altered");
  expect(status).toBe(1);
});
