import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Token } from "@/lib/contract/auth";
import { root } from "@/scripts/program.mjs";

/** A program of this repository that runs beside the bench. */
export type Program = { child: ChildProcess; stop: () => Promise<void> };

type Launch = { file: string; environment?: Record<string, string> };

/** Starts a TypeScript program of this repository, with no settings but those given; it inherits standard error. */
export function launch({ file, environment = {} }: Launch): Program {
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...environment },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { child, stop };
}

/** Rejects when the program ends; whoever stops it itself does not care. */
export function whenEnded({ child }: Program): Promise<never> {
  const ended = once(child, "exit").then(() => {
    throw new Error(`${child.spawnargs.join(" ")} ended with code ${child.exitCode}`);
  });
  ended.catch(() => undefined);
  return ended;
}

/** Starts a server and waits until it prints `… ready URL`. */
export async function startServer(how: Launch) {
  const program = launch(how);
  let said = "";
  const ready = new Promise<string>((resolve) => {
    program.child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, origin] = / ready (http:\S+)\n/.exec(said) ?? [];
      if (origin) resolve(origin);
    });
  });
  return { ...program, origin: await Promise.race([ready, whenEnded(program)]) };
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

/** A folder for a service of these tenants and the settings it starts with, its rate limit out of the way. */
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

/** The answer's JSON; throws when it is no success. */
async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

export const basic = ({ clientId, clientSecret }: Tenant) => ({
  Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
});

/** How a tenant asks with the token that this answer holds. */
export const bearer = (tenant: Tenant, answer: unknown): Record<string, string> => ({
  Authorization: `Bearer ${Token.parse(answer).access_token}`,
  "x-client-id": tenant.clientId,
});

export const TOKEN_PATH = "/v1/authentication/oauth/access-token";

/** Starts the service as `npm run service` does, on that PostgreSQL database, else on the embedded one. */
export async function startService(databaseUrl?: string) {
  const tenant = tenantOf("bench");
  const { environment, remove } = furnish([tenant], databaseUrl);
  const { origin, stop } = await startServer({ file: "service/main.ts", environment });
  const signedIn = await fetch(origin + TOKEN_PATH, { method: "POST", headers: basic(tenant) });
  const headers = bearer(tenant, await answerOf(signedIn));
  return {
    origin,
    tenant,
    headers,
    read: async (path: string) => answerOf(await fetch(origin + path, { headers })),
    post: async (path: string, body: unknown) => {
      const own = { ...headers, ...JSON_BODY, "Idempotency-Key": randomUUID() };
      return answerOf(await fetch(origin + path, { method: "POST", headers: own, body: JSON.stringify(body) }));
    },
    /** Steers the simulated provider. */
    control: async (path: string, body: unknown) => {
      const own = { ...CONTROL, ...JSON_BODY };
      return answerOf(await fetch(origin + path, { method: "POST", headers: own, body: JSON.stringify(body) }));
    },
    /** What it says of itself. */
    inspect: async (path: string) => answerOf(await fetch(origin + path, { headers: CONTROL })),
    stop: async () => {
      await stop();
      remove();
    },
  };
}
/** The service at work over an empty database, and what it takes to speak to it. */
export type Service = Awaited<ReturnType<typeof startService>>;
