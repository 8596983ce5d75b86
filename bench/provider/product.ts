import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright";
import { z } from "zod";
import { startDurablePostgres } from "@/bench/service/postgres";
import { startService } from "@/bench/service/program";
import { freePort } from "@/test/support/temporary-product.mjs";
import { Refusal, root } from "@/scripts/program.mjs";
import { findBrowser } from "@/scripts/setup/browser.mjs";

const READY_WITHIN_MS = 120_000;
const PASSWORD = "a password of the bench alone";

export type Instance = { origin: string; pid: number; stop: () => Promise<void> };

/** Settings shared by all instances of one console. */
type Environment = Record<string, string>;

/** Starts one instance of the console and waits until it serves. */
export async function startInstance(environment: Environment): Promise<Instance> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const isServing = () =>
    fetch(`${origin}/api/health`).then(
      ({ status }) => status < 500,
      () => false,
    );
  const child = spawn(
    process.execPath,
    [join(root, "server/main.mjs"), "--hostname", "127.0.0.1", "--port", String(port)],
    {
      cwd: root,
      env: { ...process.env, ...environment, NODE_ENV: "production", PORT: String(port), PUBLIC_URL: origin },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const giveUpAtMs = performance.now() + READY_WITHIN_MS;
  while (!(await isServing())) {
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

/** Creates a person with these roles and the bench's password. */
export async function addPerson(environment: Environment, email: string, roles: string): Promise<void> {
  const args = ["--conditions=react-server", "scripts/launch.mjs", "ops/commands/staff.ts", "add", email];
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

/** Signs in as the form does; returns the Cookie header. */
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

export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Refusal("There is no Chromium: see npm run e2e");
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** A page signed in with these cookies, in Portuguese. */
export async function openPage(browser: Browser, origin: string, cookies: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, locale: "pt-BR" });
  const pairs = [...cookies.split("; "), "locale=pt-BR"].map((one) => one.split(/=(.*)/s));
  await context.addCookies(pairs.map(([name = "", value = ""]) => ({ name, value, url: origin })));
  return context.newPage();
}

export async function requireBuild(): Promise<void> {
  const { build, buildIsStale } = await import("@/scripts/setup/build.mjs");
  if (buildIsStale()) await build();
}

const newKey = () => randomBytes(32).toString("base64");

/** A real service, and a PostgreSQL server for consoles that share a store. */
async function startAll(onClose: (close: () => Promise<void>) => void) {
  const postgres = await startDurablePostgres();
  onClose(postgres.stop);
  const service = await startService(await postgres.createDatabase("service"));
  onClose(service.stop);
  const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-bench-"));
  onClose(async () => rmSync(dataDir, { recursive: true, force: true }));
  const shared = {
    BANK_CLIENT_ID: service.tenant.clientId,
    BANK_CLIENT_SECRET: service.tenant.clientSecret,
    BANK_ENVIRONMENT: "SANDBOX",
    DATABASE_URL: await postgres.createDatabase("console"),
    DATA_DIR: dataDir,
    DATA_KEY: newKey(),
    AUTH_SECRET: newKey(),
    AUDIT_KEY: newKey(),
  };
  /** Settings of a console whose provider, or a proxy in front of it, is at `BANK_BASE_URL`. */
  const consoleEnvironment = (BANK_BASE_URL: string) => ({ ...shared, BANK_BASE_URL });
  return { service, postgres, consoleEnvironment };
}
export type Product = Awaited<ReturnType<typeof startAll>>;

/** Runs `measure` beside its own product, and leaves nothing behind. */
export async function withProduct<Measured>(
  measure: (product: Product, onClose: (close: () => Promise<void>) => void) => Promise<Measured>,
): Promise<Measured> {
  const closing: (() => Promise<void>)[] = [];
  const onClose = (close: () => Promise<void>) => void closing.unshift(close);
  try {
    return await measure(await startAll(onClose), onClose);
  } finally {
    for (const close of closing) await close();
  }
}
