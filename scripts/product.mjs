import { existsSync, readFileSync } from "node:fs";
import { get as askPlainly } from "node:http";
import { get as askSecurely } from "node:https";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { loadEnvFile } from "../door/env-file.mjs";
import { Refusal, refuse, run, say, seconds } from "./program.mjs";
import { earlierStartEnds, forgetStart, noteStart } from "./setup/earlier-start.mjs";
import { readSettings, requirePort, requireWritable } from "./settings.mjs";
import { welcome } from "./welcome.mjs";
import { setUp } from "./setup/setup.mjs";
import { killAll, saysLine, stopAll, supervise } from "./supervisor.mjs";

const READY_WITHIN_MS = 180_000;

const tsx = (program) => ["--import", "tsx", program];

function serviceProgram({ service, dataDir, publicUrl }, dev) {
  const main = "service/main.ts";
  return {
    name: "service",
    args: dev ? ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false", main] : tsx(main),
    env: {
      SERVICE_PORT: String(service.number),
      SERVICE_HOST: service.host,
      SERVICE_DATA_DIR: process.env.SERVICE_DATA_DIR || join(dataDir, "service"),
      SERVICE_DEMO_DATA: process.env.SERVICE_DEMO_DATA || "true",
      SERVICE_DEMO_WEBHOOK_URL: process.env.SERVICE_DEMO_WEBHOOK_URL || new URL("/api/hooks", publicUrl).href,
      SERVICE_ALLOW_LOOPBACK_HTTP: process.env.SERVICE_ALLOW_LOOPBACK_HTTP || "true",
    },
  };
}

function consoleProgram({ console, dataDir, publicUrl }, dev) {
  return {
    name: "console",
    args: ["door/main.mjs", ...(dev ? ["--dev"] : []), "--hostname", console.host, "--port", String(console.number)],
    env: {
      PORT: String(console.number),
      DATA_DIR: dataDir,
      PUBLIC_URL: publicUrl,
      NEXT_TELEMETRY_DISABLED: "1",
    },
  };
}

function origin({ host, number, isSecure = false }) {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `${isSecure ? "https" : "http"}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${number}`;
}

/** The certificate is of the public host: nothing is sent here, and only its presence is believed. */
function isHealthy(url) {
  const ask = url.startsWith("https:") ? askSecurely : askPlainly;
  return new Promise((resolve) => {
    const asking = ask(url, { rejectUnauthorized: false, signal: AbortSignal.timeout(30_000) }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asking.once("error", () => resolve(false));
  });
}

const saysReady = (program) => saysLine(program, /service ready http/);

function becomesHealthy(settings) {
  const url = `${origin(settings.console)}/api/health`;
  return async (_, signal) => {
    while (!signal.aborted && !(await isHealthy(url))) await pause(100);
  };
}

/** A program that ends or hangs first is refused in one line. */
async function untilReady(program, ready) {
  const done = new AbortController();
  const died = program.ended.then((how) => {
    throw new Refusal(program.complained ? "" : `The ${program.name} stopped before it was ready (${how}).`);
  });
  const late = pause(READY_WITHIN_MS, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Refusal(`The ${program.name} was not ready within ${seconds(READY_WITHIN_MS)}.`);
  });
  late.catch(() => undefined);
  await Promise.race([ready(program, done.signal), died, late]).finally(() => done.abort());
}

/** The service's first start writes the demo's tenants, and the console reads them at its own. */
function hasTenants({ dataDir }) {
  const folder = process.env.SERVICE_DATA_DIR || join(dataDir, "service");
  return existsSync(process.env.SERVICE_TENANTS_FILE || join(folder, "tenants.json"));
}

async function startPrograms(settings, dev, started) {
  const start = (program) => {
    const running = supervise(program);
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

/** An empty screen would not tell why. */
function askProvider({ isEmbedded, dataDir }) {
  if (isEmbedded) return undefined;
  return run(process.execPath, ["--conditions=react-server", ...tsx("scripts/ops/ask-provider.ts")], {
    quiet: true,
    env: { DATA_DIR: dataDir },
  });
}

/** npm puts a shell between itself and its program. Linux tells the second. */
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

/** A second request ends it at once. */
function askedToStop(started) {
  return new Promise((resolve) => {
    let asked = false;
    const stop = () => {
      if (asked) {
        killAll(started);
        process.exit(1);
      }
      asked = true;
      resolve();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
    process.on("SIGHUP", stop);
    whenNpmIsGone(() => asked || stop());
  });
}

async function requireGoodSettings({ dataDir, publicUrl, console }) {
  const env = { DATA_DIR: dataDir, PUBLIC_URL: publicUrl, PORT: String(console.number) };
  const { ok } = await run(process.execPath, tsx("scripts/checks/check-settings.ts"), { env });
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
  await setUp({ build: !dev });
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
  noteStart(settings, started, { isStopping: true });
  await stopAll(started);
  forgetStart(settings);
  if (failure) refuse(failure);
  process.exit(0);
}
