import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textAnswer, wireTo } from "@/test/support/provider";
import { sendOverHttp } from "@/lib/provider/wire-http";
import { AURORA, startService } from "@/test/support/service/harness";
import { askProvider } from "./doctor";
import { freePort } from "@/test/support/temporary-product.mjs";

const baseUrl = "https://bank.example";
const client = { baseUrl, clientId: AURORA.clientId };
const credentials = { clientSecret: AURORA.clientSecret };
const answering = (status: number, body = "{}") =>
  askProvider({ client, credentials, wire: async () => textAnswer(status, body) });

test("says whether the provider accepts or refuses the credentials", async () => {
  const service = await startService();
  const ask = (clientSecret: string) =>
    askProvider({
      client,
      credentials: { clientSecret },
      wire: wireTo((request) => service.app.request(request)),
    });
  expect(await ask(AURORA.clientSecret)).toBe(`The provider at ${baseUrl} answers and accepts the credentials.`);
  expect(await ask("another secret")).toBe(
    `The provider at ${baseUrl} refuses the credentials (HTTP 401): check the Client_ID and its secret.`,
  );
});

test("says that an unreachable provider does not answer", async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  expect(await askProvider({ client: { ...client, baseUrl: nowhere }, credentials, wire: sendOverHttp })).toBe(
    `The provider at ${nowhere} does not answer; the console goes on trying.`,
  );
});

test("tells a provider in trouble from an address that is no provider's", async () => {
  expect(await answering(503)).toContain("gives no token now (HTTP 503)");
  expect(await answering(200, "<html>")).toContain("something other than a token (HTTP 200, token-not-readable)");
  expect(await answering(302)).toContain("something other than a token (HTTP 302, token-not-readable)");
});

test("checks the provider at npm start without opening the console's database", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-doctor-"));
  const file = join(dataDir, "tenants.json");
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const tenant = {
    name: "Aurora",
    environment: "SANDBOX",
    baseUrl: nowhere,
    clientId: "aurora",
    clientSecret: "secret",
  };
  writeFileSync(file, JSON.stringify([tenant]), { mode: 0o600 });
  const args = ["--conditions=react-server", "scripts/launch.mjs", "ops/commands/doctor.ts", "--providers"];
  const env = { PATH: process.env["PATH"], DATA_DIR: dataDir, TENANTS_FILE: file, NODE_ENV: "production" as const };
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  const line = `The provider at ${nowhere} does not answer; the console goes on trying.\n`;
  expect({ stdout, stderr }).toEqual({ stdout: line, stderr: "" });
  expect(readdirSync(dataDir)).not.toContain("console");
  rmSync(dataDir, { recursive: true });
});
