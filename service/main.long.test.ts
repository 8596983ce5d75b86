import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { KycList, KycStarted } from "@/lib/contract/kyc";
import { Token } from "@/lib/contract/auth";
import { dumpFile } from "@/test/support/service/store-dump";
import { unpackDump } from "@/test/support/service/store";

vi.setConfig({ testTimeout: 300_000 });

const CONTROL_TOKEN = "control";
const File = z.object({ tenants: z.array(z.object({ clientId: z.string(), clientSecret: z.string() })) });

let directory = "";
let running: ChildProcess[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "service-"));
  unpackDump(dumpFile(), join(directory, "pg"));
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map(kill));
  rmSync(directory, { recursive: true, force: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

function launch(environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["scripts/launch.mjs", "service/main.ts"], {
    env: {
      NODE_ENV: "production",
      PATH: process.env["PATH"],
      SERVICE_DATA_DIR: directory,
      SERVICE_PORT: "0",
      SERVICE_CONTROL_TOKEN: CONTROL_TOKEN,
      SERVICE_LOG_LEVEL: "debug",
      ...environment,
    },
  });
  running.push(child);
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const exited = once(child, "exit").then(() => ({ code: child.exitCode, out, err }));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const [, url] = /^service ready (http:\S+)\n/m.exec(out) ?? [];
      if (url) resolve(url);
    });
    void exited.then(() => reject(new Error(`it ended: ${err}`)));
  });
  // A caller that only waits for the end ignores a failed start.
  ready.catch(() => undefined);
  return { child, ready, exited };
}

async function signIn(url: string) {
  const [tenant] = File.parse(JSON.parse(readFileSync(join(directory, "tenants.json"), "utf8"))).tenants;
  const { clientId, clientSecret } = tenant ?? { clientId: "", clientSecret: "" };
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const headers = { Authorization: `Basic ${basic}` };
  const response = await fetch(`${url}/v1/authentication/oauth/access-token`, { method: "POST", headers });
  const { access_token: token } = Token.parse(await response.json());
  return {
    secrets: [clientSecret, basic, token],
    headers: { Authorization: `Bearer ${token}`, "x-client-id": clientId },
  };
}

const person = {
  backgroundcheckModel: "BASIC",
  vatNumber: "12345678909",
  name: "Maria",
  birthDate: "07-09-1984",
  motherName: "Josefa",
};

const startKyc = (url: string, headers: Record<string, string>) =>
  fetch(`${url}/v1/kyc/person`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(person),
  });

const planFault = (url: string, fault: Record<string, unknown>) =>
  fetch(`${url}/sandbox/faults`, {
    method: "POST",
    headers: { Authorization: `Bearer ${CONTROL_TOKEN}` },
    body: JSON.stringify({ method: "GET", path: "/v1/kyc/list", times: 1, ...fault }),
  });

async function refusal(environment: Record<string, string>): Promise<string> {
  const { code, out, err } = await launch(environment).exited;
  expect([code, out]).toEqual([1, ""]);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  return err;
}

test("loses no acknowledged write, token or planned work in a kill -9", async () => {
  const first = launch({ SERVICE_PROVIDER_DELAY_MS: "1500" });
  const url = await first.ready;
  const { headers, secrets } = await signIn(url);
  const { data } = KycStarted.parse(await (await startKyc(url, headers)).json());
  await kill(first.child);
  const { err } = await first.exited;
  for (const secret of [...secrets, person.vatNumber]) expect(err).not.toContain(secret);

  const next = await launch().ready;
  const list = async () => KycList.parse(await (await fetch(`${next}/v1/kyc/list`, { headers })).json()).result;
  expect((await list()).map((record) => record.kycUUID)).toEqual([data.kycUUID]);
  const status = async () => (await list())[0]?.status;
  await expect.poll(status, { timeout: 20_000 }).toBe("APPROVED");
});

test("locks the data directory, drops on demand and drains on SIGTERM", async () => {
  const { child, ready, exited } = launch();
  const url = await ready;
  expect(await refusal({})).toContain(`in use by process ${child.pid}`);

  await planFault(url, { drop: true });
  await expect(fetch(`${url}/v1/kyc/list`)).rejects.toThrow("fetch failed");

  await planFault(url, { status: 200, delayMs: 700 });
  const inFlight = fetch(`${url}/v1/kyc/list`);
  await fetch(`${url}/healthz`);
  child.kill("SIGTERM");
  expect((await inFlight).status).toBe(200);
  expect(await exited).toMatchObject({ code: 0 });
});

/** A connection that has sent exactly this, and discards the answer. */
async function opened(url: string, text: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  await once(socket, "connect");
  if (text !== "") await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

test("closes idle connections on SIGTERM before requests in flight finish", async () => {
  const { child, ready, exited } = launch();
  const url = await ready;
  const heads = ["", "GET /healthz HTTP/1.1\r\nHost: x\r\n"];
  const sockets = await Promise.all(heads.map((head) => opened(url, head)));
  await planFault(url, { status: 200, delayMs: 4_000 });
  const ended: string[] = [];
  const inFlight = fetch(`${url}/v1/kyc/list`).then(({ status }) => ended.push(`answered ${status}`));
  const closed = sockets.map(async (socket) => {
    await once(socket.resume(), "close");
    ended.push("closed");
  });
  await fetch(`${url}/healthz`);
  child.kill("SIGTERM");
  await Promise.all([inFlight, ...closed]);
  expect(ended).toEqual(["closed", "closed", "answered 200"]);
  expect(await exited).toMatchObject({ code: 0 });
});

test("waits a few seconds on SIGTERM for an unfinished body", async () => {
  const { child, ready, exited } = launch();
  const url = await ready;
  const { headers } = await signIn(url);
  const lines = Object.entries({ ...headers, Host: "x", "Content-Length": "100", Expect: "100-continue" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const socket = await opened(url, `POST /v1/kyc/person HTTP/1.1\r\n${head}\r\n`);
  await once(socket, "data");
  socket.resume().write("{");
  child.kill("SIGTERM");
  expect(await exited).toMatchObject({ code: 0 });
});

test("reports a port in use in one line, with the setting that changes it", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address ? String(address.port) : "";
  expect(await refusal({ SERVICE_PORT: port })).toMatch(new RegExp(`port ${port} .* SERVICE_PORT`));
  other.close();
});

test("reports an invalid setting, tenants file or database in one line", async () => {
  const [setting, tenants, database] = await Promise.all([
    refusal({ SERVICE_PROVIDER_DELAY_MS: "soon" }),
    refusal({ SERVICE_TENANTS_FILE: "/nowhere.json" }),
    refusal({ SERVICE_DATABASE_URL: "postgres://127.0.0.1:1/x" }),
  ]);
  expect(setting).toContain("SERVICE_PROVIDER_DELAY_MS: ");
  expect(tenants).toContain("/nowhere.json: is not there");
  expect(database).toContain("ECONNREFUSED");
});
