import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

const NAMED = ["--key", "ours.pem"];

function run(content: string, named = NAMED, settings: Record<string, string> = {}) {
  const file = join(folder, "movements.csv");
  writeFileSync(file, content);
  const program = ["--conditions=react-server", "scripts/launch.mjs", "ops/commands/export-verify.ts"];
  const env = { PATH: process.env["PATH"], NODE_ENV: "test" as const, DATA_DIR: join(folder, "data"), ...settings };
  const args = [...program, file, ...named.map((one) => (one.endsWith(".pem") ? join(folder, one) : one))];
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

it("needs the key alone to check a file of its own installation", () => {
  const key = Buffer.alloc(32, 9).toString("base64");
  expect(run(whole, [], { AUDIT_KEY: key })).toMatchObject({ status: 0, said: expect.stringContaining(": valid") });
  mkdirSync(join(folder, "data", "keys"), { recursive: true });
  writeFileSync(join(folder, "data", "keys", "audit.key"), key);
  expect(run(whole, []).status).toBe(0);
  expect(run("", ["--public-key"]).said.trim()).toBe(publicKeyText(OUR_KEY).trim());
});

it("names the one missing setting where it has no key, and makes none", () => {
  const nowhere = join(folder, "nowhere");
  const { status, said } = run(whole, [], { DATA_DIR: nowhere });
  expect(said).toBe(
    `AUDIT_KEY: is not set, and there is no ${join(nowhere, "keys", "audit.key")}. ` +
      "Set AUDIT_KEY to that of the desk, or name its public key with --key.\n",
  );
  expect([status, existsSync(nowhere)]).toEqual([1, false]);
});
