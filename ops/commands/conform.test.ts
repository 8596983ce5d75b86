import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { freePort } from "@/test/support/temporary-product.mjs";
import { reportOf } from "./conform";

const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-conform-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

function run(args: readonly string[], baseUrl: string) {
  const program = ["--conditions=react-server", "scripts/launch.mjs", "ops/commands/conform.ts", ...args];
  const own = { BANK_BASE_URL: baseUrl, BANK_CLIENT_ID: "aurora", BANK_CLIENT_SECRET: "secret" };
  const env = { PATH: process.env["PATH"], DATA_DIR: dataDir, NODE_ENV: "test" as const, ...own };
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { env, encoding: "utf8" });
  return { status, stdout, stderr };
}

it("prints what differs, what does not and what was not compared", () => {
  const plain = { compared: 2, differences: [], why: null };
  const operations = [
    { operation: "GET /a", ...plain },
    { operation: "GET /b", ...plain, differences: ["x is missing (documented: string)", "y is unknown (string)"] },
    { operation: "GET /c", ...plain, compared: 0, why: "the interface does not show its answer" },
  ];
  expect(reportOf(operations)).toEqual({
    lines: [
      "ok      GET /a: 2 compared",
      "differs GET /b: x is missing (documented: string)",
      "differs GET /b: y is unknown (string)",
      "-       GET /c: the interface does not show its answer",
      "2 differences in 2 operations; 1 not compared",
    ],
    exitCode: 1,
  });
  expect(reportOf(operations.slice(0, 1)).exitCode).toBe(0);
});

it("ends with 2 when the provider does not answer, and with 1 for a wrong argument", async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const silent = run(["--base-url", nowhere], "https://bank.example");
  expect(silent.stderr).toContain(`The provider at ${nowhere} could not be asked`);
  expect(silent.status).toBe(2);
  const plain = run(["--base-url", "http://bank.example"], "https://bank.example");
  expect(plain.stderr).toContain("--base-url must be https");
  expect(plain.status).toBe(1);
  expect(run(["--tenant", "boreal"], nowhere).stderr).toContain("boreal is the Client_ID of no tenant");
});
