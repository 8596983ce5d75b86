import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type DurablePostgres, startDurablePostgres } from "@/bench/service/durable-postgres";
import { type Service, startService } from "@/bench/service/program";
import { freePort } from "@/scripts/checks/temporary-product.mjs";
import { root } from "@/scripts/program.mjs";

const READY_WITHIN_MS = 120_000;
const PASSWORD = "a password of the bench alone";

/** One instance over the build: `next start`, or the console's own front server before it. */
export type Instance = { origin: string; pid: number; stop: () => Promise<void> };

/** What all instances of one console share: see `consoleEnvironment`. */
type Environment = Record<string, string>;

export const next = join(root, "node_modules/next/dist/bin/next");

const frontServer = join(root, "server/main.mjs");

type Start = { program: string[]; environment: Environment; isServing: (answer: Response) => boolean };

/** Starts that program on a free port and waits until it serves. */
async function startProgram({ program, environment, isServing }: Start): Promise<Instance> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const isHealthy = () => fetch(`${origin}/api/health`).then(isServing, () => false);
  const child = spawn(process.execPath, [...program, "--hostname", "127.0.0.1", "--port", String(port)], {
    cwd: root,
    env: { ...process.env, ...environment, NODE_ENV: "production", PORT: String(port), PUBLIC_URL: origin },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const giveUpAtMs = performance.now() + READY_WITHIN_MS;
  while (!(await isHealthy())) {
    if (child.exitCode !== null || performance.now() > giveUpAtMs) throw new Error(`${origin} did not become healthy`);
    await pause(100);
  }
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
  return { origin, pid: child.pid ?? 0, stop };
}

/** Starts Next alone over the build in that folder. */
export const startNext = (folder: string, environment: Environment): Promise<Instance> =>
  startProgram({ program: [next, "start", folder], environment, isServing: () => true });

/** Starts one instance of the console. */
export const startInstance = (environment: Environment): Promise<Instance> =>
  startProgram({ program: [frontServer], environment, isServing: ({ ok }) => ok });

/** Makes a person with these roles; the password is the bench's. */
export async function addPerson(environment: Environment, email: string, roles: string): Promise<void> {
  const args = ["--conditions=react-server", "scripts/launch.mjs", "scripts/ops/staff.ts", "add", email];
  const child = spawn(process.execPath, [...args, "--name", "Bench", "--role", roles], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(PASSWORD);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${email} could not be added`);
}

const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");

/** Signs in as the form does; returns what the Cookie header must carry. */
export async function signIn(origin: string, email: string, password = PASSWORD): Promise<string> {
  const csrf = await fetch(`${origin}/api/auth/csrf`);
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(await csrf.json());
  const entered = await fetch(`${origin}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(csrf).join("; "), "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  const cookies = cookiesOf(entered).filter((cookie) => cookie.includes("session="));
  if (cookies.length === 0) throw new Error(`${email} could not sign in at ${origin}`);
  return cookies.join("; ");
}

/** Builds the console unless the build is of these sources. */
export async function requireBuild(): Promise<void> {
  const { build, buildIsStale } = await import("@/scripts/setup/build.mjs");
  if (buildIsStale()) await build();
}

const newKey = () => randomBytes(32).toString("base64");

/** A real service, and a PostgreSQL server for the consoles that share a store; both thrown away at the end. */
export type Product = {
  service: Service;
  postgres: DurablePostgres;
  /**
   * The environment of a console process: all of them share one store. `baseUrl` is where it finds the provider: the
   * service, or a proxy in front of it.
   */
  consoleEnvironment: (baseUrl: string) => Record<string, string>;
};

type Wish = { serviceEnvironment?: Record<string, string> };

/** Runs `measure` beside a product of its own, and leaves nothing behind. */
export async function withProduct<Measured>(
  { serviceEnvironment = {} }: Wish,
  measure: (product: Product, onClose: (close: () => Promise<void>) => void) => Promise<Measured>,
): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-bench-"));
  const closing: (() => Promise<void>)[] = [async () => rmSync(dataDir, { recursive: true, force: true })];
  const onClose = (close: () => Promise<void>) => void closing.unshift(close);
  try {
    const postgres = await startDurablePostgres();
    onClose(postgres.stop);
    const service = await startService({
      databaseUrl: await postgres.createDatabase("service"),
      environment: serviceEnvironment,
    });
    onClose(service.stop);
    const databaseUrl = await postgres.createDatabase("console");
    const keys = { DATA_KEY: newKey(), AUTH_SECRET: newKey(), AUDIT_KEY: newKey() };
    const consoleEnvironment = (baseUrl: string) => ({
      BANK_BASE_URL: baseUrl,
      BANK_CLIENT_ID: service.tenant.clientId,
      BANK_CLIENT_SECRET: service.tenant.clientSecret,
      BANK_ENVIRONMENT: "SANDBOX",
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ...keys,
    });
    return await measure({ service, postgres, consoleEnvironment }, onClose);
  } finally {
    for (const close of closing) await close();
  }
}
