import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Token } from "@/lib/contract/auth";
import { root } from "@/scripts/program.mjs";

/** A program of this repository that runs beside the bench. */
export type Program = { child: ChildProcess; stop: () => Promise<void> };

/** A server that said where it serves. */
export type Server = Program & { origin: string };

type Launch = { file: string; environment?: Record<string, string>; nodeOptions?: readonly string[] };

/** Starts a TypeScript program of this repository, with no settings but those given; it inherits standard error. */
export function launch({ file, environment = {}, nodeOptions = [] }: Launch): Program {
  const child = spawn(process.execPath, [...nodeOptions, "--import", "tsx", file], {
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
export async function startServer(how: Launch): Promise<Server> {
  const program = launch(how);
  let said = "";
  const ready = new Promise<string>((resolve) => {
    program.child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, origin] = / ready (http:\S+)\n/.exec(said) ?? [];
      if (origin) resolve(origin);
    });
  });
  const origin = await Promise.race([ready, whenEnded(program)]);
  return { ...program, origin };
}

/** The service at work over an empty database, and what it takes to speak to it. */
export type Service = {
  origin: string;
  pid: number;
  tenant: { clientId: string; clientSecret: string };
  headers: Record<string, string>;
  control: (method: "GET" | "POST", path: string, body?: unknown) => Promise<unknown>;
  stop: () => Promise<void>;
};

const tenant = {
  clientId: "bench",
  clientSecret: randomBytes(24).toString("hex"),
  name: "Bench",
  enabledProducts: ["BANKING", "CRYPTO", "KYC"],
  allowedOperations: null,
  billingStatus: "ACTIVE",
  webhook: null,
};

/** The answer's JSON; throws when it is no success. */
export async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

async function signIn(origin: string): Promise<Record<string, string>> {
  const basic = Buffer.from(`${tenant.clientId}:${tenant.clientSecret}`).toString("base64");
  const answer = await fetch(`${origin}/v1/authentication/oauth/access-token`, {
    method: "POST",
    headers: { Authorization: `Basic ${basic}` },
  });
  const { access_token: token } = Token.parse(await answerOf(answer));
  return { Authorization: `Bearer ${token}`, "x-client-id": tenant.clientId };
}

type Start = {
  databaseUrl?: string | undefined;
  nodeOptions?: readonly string[];
  environment?: Record<string, string>;
};

/**
 * Starts the service as `npm run service` does, its rate limit out of the way unless the `environment` sets one.
 * `databaseUrl`: on that PostgreSQL database, else on the embedded one. `stop` ends it and removes its files.
 */
export async function startService({ databaseUrl, nodeOptions = [], environment = {} }: Start): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), "retaguarda-bench-"));
  const tenantsFile = join(directory, "tenants.json");
  writeFileSync(tenantsFile, JSON.stringify({ tenants: [tenant] }), { mode: 0o600 });
  const controlToken = randomBytes(24).toString("hex");
  const server = await startServer({
    file: "service/main.ts",
    nodeOptions,
    environment: {
      SERVICE_PORT: "0",
      SERVICE_DATA_DIR: join(directory, "data"),
      SERVICE_TENANTS_FILE: tenantsFile,
      SERVICE_CONTROL_TOKEN: controlToken,
      SERVICE_PROVIDER_DELAY_MS: "manual",
      SERVICE_RATE_LIMIT_PER_MINUTE: "1000000000",
      SERVICE_LOG_LEVEL: "error",
      ...(databaseUrl !== undefined && { SERVICE_DATABASE_URL: databaseUrl }),
      ...environment,
    },
  });
  const { origin, child } = server;
  return {
    origin,
    pid: child.pid ?? 0,
    tenant,
    headers: await signIn(origin),
    control: async (method, path, body) => {
      const headers = { Authorization: `Bearer ${controlToken}`, "Content-Type": "application/json" };
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      return answerOf(await fetch(origin + path, { method, headers, ...content }));
    },
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
