import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import { on } from "node:events";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { Refusal, root, say, seconds, refuse, run } from "./program.mjs";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { get as askPlainly } from "node:http";
import { get as askSecurely } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { loadEnvFile } from "../server/env-file.mjs";
import { earlierStartEnds, forgetStart, noteStart } from "./setup/earlier-start.mjs";
import { setUp } from "./setup/setup.mjs";

function port(env, name, otherwise) {
  const text = env[name] || String(otherwise);
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= 1 && number <= 65_535) return { name, number };
  throw new Refusal(`${name} must be a port number from 1 to 65535; it is "${text}".`);
}

function publicUrlOf(env, number) {
  const text = env.PUBLIC_URL || `${env.TLS_CERT_FILE ? "https" : "http"}://localhost:${number}`;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new Refusal(`PUBLIC_URL must be an http(s) URL; it is "${text}".`);
}

/** The console listens on this machine alone unless HOST says otherwise. Without a provider the embedded service runs. */
export function readSettings(env) {
  const console = port(env, "PORT", 3000);
  const service = port(env, "SERVICE_PORT", 4010);
  const isEmbedded = !env.BANK_BASE_URL && !env.TENANTS_FILE;
  if (isEmbedded && console.number === service.number) {
    throw new Refusal(`PORT and SERVICE_PORT are both ${console.number}; give one of them another number.`);
  }
  return {
    isEmbedded,
    hasDemoData: isEmbedded && (env.SERVICE_DEMO_DATA || "true") === "true",
    isQuiet: isEmbedded && env.START_LOG !== "whole",
    sharesStore: Boolean(env.DATABASE_URL),
    dataDir: resolve(root, env.DATA_DIR || ".data"),
    console: { ...console, host: env.HOST || "127.0.0.1", hostName: "HOST", isSecure: Boolean(env.TLS_CERT_FILE) },
    service: { ...service, host: env.SERVICE_HOST || "127.0.0.1", hostName: "SERVICE_HOST" },
    publicUrl: publicUrlOf(env, console.number),
  };
}

const portRefusals = {
  EADDRINUSE: ({ name, number, host }) =>
    `Port ${number} on ${host} is in use. Stop the program that holds it, or set ${name} to another port.`,
  EACCES: ({ name, number }) => `Port ${number} needs more rights than this user has. Set ${name} to one above 1023.`,
  EADDRNOTAVAIL: ({ hostName, host }) => `This machine has no address ${host}. Set ${hostName} to one it has.`,
  ENOTFOUND: ({ hostName, host }) => `The name ${host} is not known. Set ${hostName} to an address of this machine.`,
};

export async function requirePort(listener) {
  const probe = createServer();
  const code = await new Promise((answer) => {
    probe.once("error", (error) => answer(error.code));
    probe.listen({ port: listener.number, host: listener.host, exclusive: true }, () => probe.close(answer));
  });
  if (code === undefined) return;
  const refusal = portRefusals[code];
  throw new Refusal(
    refusal ? refusal(listener) : `Port ${listener.number} (${listener.name}) cannot be used: ${code}.`,
  );
}

/** Not `recursive`, which never returns under /proc. */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

export function requireWritable(folder) {
  const probe = join(folder, `.writable-${randomBytes(4).toString("hex")}`);
  try {
    makeFolder(folder);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw new Refusal(`DATA_DIR: ${folder} cannot be written (${error.code}).`);
  }
}

const STOP_WITHIN_MS = 15_000;
const LAST_LINES_WITHIN_MS = 500;
const preload = new URL("./with-parent.mjs", import.meta.url).href;

/** A program's children may keep its output open, so the wait is short. */
function endOf(child) {
  return new Promise((done) => {
    child.once("exit", (code, signal) => {
      const how = signal ?? `code ${code}`;
      const late = setTimeout(done, LAST_LINES_WITHIN_MS, how);
      child.once("close", () => {
        clearTimeout(late);
        done(how);
      });
    });
  });
}

const ERROR = 50;

/** For a program run alone, log records would bury what its person must read. */
function isForPeople(line) {
  const [, level] = /^\{"level":(\d+),/.exec(line) ?? [];
  return level === undefined || Number(level) >= ERROR;
}

export function supervise({ name, args, env, isQuiet = false }) {
  // Its own group: Ctrl-C reaches this process alone, which asks each program to stop, once.
  const child = spawn(process.execPath, ["--import", preload, ...args], {
    cwd: root,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env, RETAGUARDA_STARTER: String(process.pid) },
  });
  const program = { name, child, complained: false, ended: endOf(child) };
  const isShown = (line) => !isQuiet || isForPeople(line);
  createInterface({ input: child.stdout }).on("line", (line) => isShown(line) && console.log(`${name} │ ${line}`));
  createInterface({ input: child.stderr }).on("line", (line) => {
    // Only a plain line says why a program gives up.
    if (!line.startsWith("{")) program.complained = true;
    if (isShown(line)) console.error(`${name} │ ${line}`);
  });
  return program;
}

export async function saysLine({ child }, pattern) {
  for await (const [line] of on(createInterface({ input: child.stdout }), "line")) if (pattern.test(line)) return;
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

export async function stopAll(programs) {
  for (const { child, ended } of programs.toReversed()) {
    child.kill("SIGTERM");
    const insist = setTimeout(() => signalGroup(child, "SIGKILL"), STOP_WITHIN_MS);
    await ended;
    clearTimeout(insist);
    signalGroup(child, "SIGKILL");
  }
}

export const DEMO_PASSWORD = "retaguarda-demo";

export const DEMO_STAFF = {
  "compliance@retaguarda.demo": "decides KYC cases, follows onboardings, may reveal a document",
  "support@retaguarda.demo": "looks accounts up with balance and statement, moves money, follows onboardings",
  "finance@retaguarda.demo": "watches crypto wallets and balances, reads accounts",
  "approver@retaguarda.demo": "authorises or refuses what others propose",
  "auditor@retaguarda.demo": "reads the audit trail, who looked at whom, and every call to the provider",
  "admin@retaguarda.demo": "invites staff, sets approval policies, reads the audit trail",
  "admin2@retaguarda.demo": "another administrator, who authorises what the first one may not do alone",
};

export const KNOWN_HOLDER = { fullName: "Mariana Alves Ribeiro", cpf: "417.205.638-53" };
export const KNOWN_TRADE = "5b0f6a52-8c1d-4e7b-9d43-2f6e81c07a19";

export function welcome({ publicUrl, isEmbedded, hasDemoData }, tookMs) {
  say(`\nRetaguarda is ready on ${publicUrl} (${seconds(tookMs)})\n`);
  if (isEmbedded) {
    say(`Demo sign-ins, all with the password ${DEMO_PASSWORD}:`);
    for (const [email, work] of Object.entries(DEMO_STAFF)) say(`  ${email.padEnd(28)}${work}`);
    if (hasDemoData) {
      say(`An account to look up: ${KNOWN_HOLDER.fullName}, CPF ${KNOWN_HOLDER.cpf}`);
      say(`An OTC trade to look up: ${KNOWN_TRADE}`);
    }
  } else {
    say("Make an account with: npm run staff -- add EMAIL --name NAME --role admin");
  }
  say("\nCtrl-C stops it.");
}

const READY_WITHIN_MS = 180_000;

const launched = (program) => ["scripts/launch.mjs", program];

/** Both programs of one start know it, and nobody else; a given one serves those who steer the service themselves. */
const madeToken = randomBytes(24).toString("hex");
const controlToken = () => process.env.SERVICE_CONTROL_TOKEN || madeToken;

function serviceProgram({ service, dataDir, publicUrl }, dev) {
  const main = "service/main.ts";
  return {
    name: "service",
    args: dev ? ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false", main] : launched(main),
    env: {
      SERVICE_PORT: String(service.number),
      SERVICE_HOST: service.host,
      SERVICE_DATA_DIR: process.env.SERVICE_DATA_DIR || join(dataDir, "service"),
      SERVICE_DEMO_DATA: process.env.SERVICE_DEMO_DATA || "true",
      SERVICE_DEMO_WEBHOOK_URL: process.env.SERVICE_DEMO_WEBHOOK_URL || new URL("/api/hooks", publicUrl).href,
      SERVICE_CONTROL_TOKEN: controlToken(),
      SERVICE_ALLOW_LOOPBACK_HTTP: process.env.SERVICE_ALLOW_LOOPBACK_HTTP || "true",
    },
  };
}

function consoleProgram({ console, dataDir, publicUrl, isEmbedded }, dev) {
  return {
    name: "console",
    args: ["server/main.mjs", ...(dev ? ["--dev"] : []), "--hostname", console.host, "--port", String(console.number)],
    env: {
      PORT: String(console.number),
      DATA_DIR: dataDir,
      PUBLIC_URL: publicUrl,
      NEXT_TELEMETRY_DISABLED: "1",
      SERVICE_CONTROL_TOKEN: isEmbedded ? controlToken() : "",
    },
  };
}

function origin({ host, number, isSecure = false }) {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `${isSecure ? "https" : "http"}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${number}`;
}

/** Why it is not ready, or null. The certificate is for the public host, so only its presence counts. */
function troubleAt(url) {
  const ask = url.startsWith("https:") ? askSecurely : askPlainly;
  return new Promise((done) => {
    const asking = ask(url, { rejectUnauthorized: false, signal: AbortSignal.timeout(30_000) }, (answer) => {
      answer.resume();
      done(answer.statusCode === 200 ? null : `it answered ${answer.statusCode}`);
    });
    asking.once("error", ({ code, message }) => done(code ?? message));
  });
}

const saysReady = (program) => saysLine(program, /service ready http/);

function becomesHealthy(settings) {
  const url = `${origin(settings.console)}/api/health`;
  return async (_, signal, note) => {
    for (let trouble = await troubleAt(url); trouble !== null && !signal.aborted; trouble = await troubleAt(url)) {
      note(`${url}: ${trouble}`);
      await pause(100);
    }
  };
}

async function untilReady(program, ready) {
  const done = new AbortController();
  let last = "";
  const died = program.ended.then((how) => {
    throw new Refusal(program.complained ? "" : `The ${program.name} stopped before it was ready (${how}).`);
  });
  const late = pause(READY_WITHIN_MS, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Refusal(
      `The ${program.name} was not ready within ${seconds(READY_WITHIN_MS)}.${last && ` Last heard of ${last}`}`,
    );
  });
  late.catch(() => undefined);
  await Promise.race([ready(program, done.signal, (heard) => (last = heard)), died, late]).finally(() => done.abort());
}

/** The service's first start writes the demo's tenants, which the console reads at its own. */
function hasTenants({ dataDir }) {
  const folder = process.env.SERVICE_DATA_DIR || join(dataDir, "service");
  return existsSync(process.env.SERVICE_TENANTS_FILE || join(folder, "tenants.json"));
}

async function startPrograms(settings, dev, started) {
  const start = (program) => {
    const running = supervise({ ...program, isQuiet: settings.isQuiet && !dev });
    started.push(running);
    noteStart(settings, started);
    return running;
  };
  const startConsole = () => untilReady(start(consoleProgram(settings, dev)), becomesHealthy(settings));
  if (!settings.isEmbedded) return startConsole();
  const service = untilReady(start(serviceProgram(settings, dev)), saysReady);
  if (!hasTenants(settings)) await service;
  await Promise.all([service, startConsole()]);
}

/** An empty screen would not show the reason. */
function askProvider({ isEmbedded, dataDir }) {
  if (isEmbedded) return undefined;
  return run(process.execPath, ["--conditions=react-server", ...launched("ops/commands/doctor.ts"), "--providers"], {
    quiet: true,
    env: { DATA_DIR: dataDir },
  });
}

/** npm starts a program through a shell, so npm is the grandparent; only Linux names it. */
function lineage() {
  const status = `/proc/${process.ppid}/stat`;
  const [, grandparent] = existsSync(status) ? readFileSync(status, "utf8").split(") ").at(-1).split(" ") : [];
  return `${process.ppid} ${grandparent}`;
}

/** npm passes Ctrl-C and SIGTERM on, but nothing when it is killed. */
function whenNpmIsGone(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const atStart = lineage();
  setInterval(() => lineage() !== atStart && stop(), 1000).unref();
}

function askedToStop(started) {
  return new Promise((done) => {
    let asked = false;
    const stop = () => {
      if (asked) {
        for (const { child } of started) signalGroup(child, "SIGKILL");
        process.exit(1);
      }
      asked = true;
      done();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
    process.on("SIGHUP", stop);
    whenNpmIsGone(() => asked || stop());
  });
}

async function requireGoodSettings({ dataDir, publicUrl, console }) {
  const env = { DATA_DIR: dataDir, PUBLIC_URL: publicUrl, PORT: String(console.number) };
  const { ok } = await run(process.execPath, launched("scripts/checks/check-settings.ts"), { env });
  if (!ok) throw new Refusal("");
}

async function prepare(dev) {
  loadEnvFile();
  const settings = readSettings(process.env);
  requireWritable(settings.dataDir);
  await earlierStartEnds(settings);
  await requirePort(settings.console);
  if (settings.isEmbedded) await requirePort(settings.service);
  await setUp({});
  await requireGoodSettings(settings);
  await setUp({ build: !dev, quiet: true });
  return settings;
}

async function runPrograms(settings, dev, started) {
  const asked = askProvider(settings);
  await startPrograms(settings, dev, started);
  welcome(settings, performance.now());
  void asked?.then(({ output }) => say(`\n${output.trim()}`));
  const { name, how } = await Promise.race(
    started.map(async (program) => ({ name: program.name, how: await program.ended })),
  );
  throw new Refusal(`The ${name} stopped (${how}); stopping the rest.`);
}

export async function startProduct({ dev }) {
  const started = [];
  const settings = await prepare(dev).catch(refuse);
  const failure = await Promise.race([
    runPrograms(settings, dev, started).catch((error) => error),
    askedToStop(started),
  ]);
  if (!failure) say("\nStopping; a second Ctrl-C ends it at once.");
  noteStart(settings, started, { isStopping: true });
  await stopAll(started);
  forgetStart(settings);
  if (failure) refuse(failure);
  say(`Stopped. Its data stay in ${settings.dataDir}.`);
  process.exit(0);
}
