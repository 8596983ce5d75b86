import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Token } from "@/lib/contract/auth";
import { root } from "@/scripts/program.mjs";

/** Ends a program when this process is gone. */
const withParent = new URL("../../scripts/with-parent.mjs", import.meta.url).href;

type Launch = { file: string; environment?: Record<string, string>; stderr?: "inherit" | "pipe" };

/** Starts a TypeScript program of this repository with only the given settings. */
export const launch = ({ file, environment = {}, stderr = "inherit" }: Launch): ChildProcess =>
  spawn(process.execPath, ["--import", withParent, "--import", "tsx", file], {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", RETAGUARDA_STARTER: `${process.pid}`, ...environment },
    stdio: ["ignore", "pipe", stderr, "ipc"],
  });

/** The service; `ready` resolves with its address, or rejects with its output when it ends first. */
export function launchService(environment: Record<string, string>) {
  const child = launch({ file: "service/main.ts", environment, stderr: "pipe" });
  let out = "";
  let err = "";
  child.stderr?.on("data", (chunk: Buffer) => (err = (err + chunk.toString()).slice(-4_000)));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      const [, origin] = / ready (http:\S+)\n/.exec(out) ?? [];
      if (origin) resolve(origin);
    });
    child.once("close", () => reject(new Error(`the service ended with code ${child.exitCode}: ${err}`)));
  });
  return { child, ready };
}

export const tenantOf = (clientId: string, own: object = {}) => ({
  clientId,
  clientSecret: randomBytes(24).toString("hex"),
  name: clientId,
  enabledProducts: ["BANKING", "CRYPTO", "KYC"],
  allowedOperations: null,
  billingStatus: "ACTIVE",
  webhook: null,
  ...own,
});
export type Tenant = ReturnType<typeof tenantOf>;

const controlToken = randomBytes(24).toString("hex");
export const CONTROL = { Authorization: `Bearer ${controlToken}` };
const JSON_BODY = { "Content-Type": "application/json" };

/** Creates a folder and settings for a service of these tenants, without a rate limit. */
export function furnish(tenants: readonly Tenant[], databaseUrl?: string) {
  const directory = mkdtempSync(join(tmpdir(), "retaguarda-bench-"));
  const tenantsFile = join(directory, "tenants.json");
  writeFileSync(tenantsFile, JSON.stringify({ tenants }), { mode: 0o600 });
  const environment: Record<string, string> = {
    SERVICE_PORT: "0",
    SERVICE_DATA_DIR: join(directory, "data"),
    SERVICE_TENANTS_FILE: tenantsFile,
    SERVICE_CONTROL_TOKEN: controlToken,
    SERVICE_PROVIDER_DELAY_MS: "manual",
    SERVICE_RATE_LIMIT_PER_MINUTE: "1000000000",
    SERVICE_LOG_LEVEL: "error",
    ...(databaseUrl !== undefined && { SERVICE_DATABASE_URL: databaseUrl }),
  };
  return { environment, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** The answer's JSON; throws for a failure. */
async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

export const basic = ({ clientId, clientSecret }: Tenant) => ({
  Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
});

/** A tenant's headers with the token in this answer. */
export const bearer = (tenant: Tenant, answer: unknown): Record<string, string> => ({
  Authorization: `Bearer ${Token.parse(answer).access_token}`,
  "x-client-id": tenant.clientId,
});

export const TOKEN_PATH = "/v1/authentication/oauth/access-token";

/** Starts the service as `npm run service` does, on that PostgreSQL database, else on the embedded one. */
export async function startService(databaseUrl?: string) {
  const tenant = tenantOf("bench");
  const { environment, remove } = furnish([tenant], databaseUrl);
  const { child, ready } = launchService(environment);
  const origin = await ready;
  const signedIn = await fetch(origin + TOKEN_PATH, { method: "POST", headers: basic(tenant) });
  const headers = bearer(tenant, await answerOf(signedIn));
  return {
    origin,
    tenant,
    read: async (path: string) => answerOf(await fetch(origin + path, { headers })),
    post: async (path: string, body: unknown) => {
      const own = { ...headers, ...JSON_BODY, "Idempotency-Key": randomUUID() };
      return answerOf(await fetch(origin + path, { method: "POST", headers: own, body: JSON.stringify(body) }));
    },
    /** Controls the simulated provider. */
    control: async (path: string, body: unknown) => {
      const own = { ...CONTROL, ...JSON_BODY };
      return answerOf(await fetch(origin + path, { method: "POST", headers: own, body: JSON.stringify(body) }));
    },
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      remove();
    },
  };
}
/** The running service over an empty database, and its client functions. */
export type Service = Awaited<ReturnType<typeof startService>>;
