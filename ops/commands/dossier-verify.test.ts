import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTranslator } from "next-intl";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publicKeyText } from "@/lib/audit/head";
import { Sections } from "@/lib/dossiers/contents";
import { sealFile } from "@/lib/dossiers/file";
import { printCase } from "@/lib/dossiers/pdf";
import { CONTENTS, OTHER_KEY, OUR_KEY } from "@/test/support/dossiers";
import messages from "@/messages/en.json";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dossiers-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sealed = sealFile(Sections.parse(CONTENTS), OUR_KEY);

function put(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const keyFile = (name: string, key = OUR_KEY) => put(name, publicKeyText(key));

/** The command in an empty folder without settings. */
function run(...args: string[]) {
  const program = ["--conditions=react-server", "scripts/launch.mjs", "ops/commands/dossier-verify.ts", ...args];
  const env = { PATH: process.env["PATH"], NODE_ENV: "test" as const, DATA_DIR: join(folder, "data") };
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { env, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
}

it("confirms offline that a dossier is valid, with its subject and deciders", async () => {
  const key = keyFile("ours.pem");
  const say = createTranslator({ locale: "en", messages, namespace: "dossiers" });
  const given = { text: sealed.text, say, locale: "en", printedAt: new Date(), key: OUR_KEY } as const;
  const files = [put("dossier.json", sealed.text), put("dossier.pdf", await printCase(given))];
  for (const file of files) {
    const { status, said } = run(file, "--key", key);
    expect(status).toBe(0);
    expect(said).toContain(": valid");
    expect(said).toContain("kyc:case-1: REPROVED, DONE");
    expect(said).toContain("Ana Prado (proposer), Bruna Reis (authoriser)");
    expect(said).toContain(sealed.sha256);
  }
});

it("names the altered section and exits with 1", () => {
  const file = put("altered.json", sealed.text.replace("Liguei para", "Escrevi a"));
  const { status, said } = run(file, "--key", keyFile("ours.pem"));
  expect(said).toBe("altered.json: altered: not as it was sealed: notes\n");
  expect(status).toBe(1);
});

it("tells an unknown signing key from an altered dossier, and exits with 2", () => {
  const { status, said } = run(put("dossier.json", sealed.text), "--key", keyFile("other.pem", OTHER_KEY));
  expect(said).toContain("signed by an unknown key");
  expect(status).toBe(2);
});

it("says what is wrong with its input", () => {
  const key = keyFile("ours.pem");
  expect(run("--key", key)).toMatchObject({ status: 1, said: expect.stringContaining("name one file\nusage:") });
  expect(run(join(folder, "none.json"), "--key", key).said).toContain("none.json cannot be read");
  expect(run(put("dossier.json", sealed.text), "--key", put("no.pem", "no")).said).toContain("holds no public key");
  const cut = run(put("cut.json", sealed.text.slice(0, 900)), "--key", key);
  expect(cut).toEqual({ status: 1, said: "cut.json: altered: it was cut short, or is no dossier\n" });
});

it("names the one missing setting where it has no key", () => {
  const { status, said } = run(put("dossier.json", sealed.text));
  expect([status, said.trim().split("\n").length]).toEqual([1, 1]);
  expect(said).toMatch(/^AUDIT_KEY: is not set/);
});
