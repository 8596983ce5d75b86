import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Refusal, refuse, seconds } from "./program.mjs";
import { loadEnvFile, readSettings, requirePort, requireWritable } from "./settings.mjs";
import { welcome } from "./welcome.mjs";
import { setUp } from "./setup.mjs";
import { killAll, saysLine, stopAll, supervise } from "./supervisor.mjs";

const READY_WITHIN_MS = 180_000;

function serviceProgram({ service, dataDir, publicUrl }, dev) {
  const main = "service/main.ts";
  return {
    name: "service",
    args: dev ? ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false", main] : ["--import", "tsx", main],
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
  const next = ["node_modules/next/dist/bin/next", dev ? "dev" : "start"];
  return {
    name: "console",
    args: [...next, "--hostname", console.host, "--port", String(console.number)],
    env: {
      PORT: String(console.number),
      DATA_DIR: dataDir,
      PUBLIC_URL: publicUrl,
      NEXT_TELEMETRY_DISABLED: "1",
    },
  };
}

/** Where this machine reaches a program that listens on that host. */
function origin({ host, number }) {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${number}`;
}

const isHealthy = (url) =>
  fetch(url, { signal: AbortSignal.timeout(30_000) }).then(
    (answer) => answer.ok,
    () => false,
  );

async function becomesHealthy(url, signal) {
  while (!signal.aborted && !(await isHealthy(url))) await pause(100);
}

/** Waits for `ready(signal)`; a program that ends or hangs first is refused in one line, its own when it said one. */
async function untilReady(program, ready) {
  const done = new AbortController();
  const died = program.ended.then((how) => {
    throw new Refusal(program.complained ? "" : `The ${program.name} stopped before it was ready (${how}).`);
  });
  const late = pause(READY_WITHIN_MS, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Refusal(`The ${program.name} was not ready within ${seconds(READY_WITHIN_MS)}.`);
  });
  late.catch(() => undefined);
  await Promise.race([ready(done.signal), died, late]).finally(() => done.abort());
}

async function startPrograms(settings, dev, started) {
  const start = (program) => started[started.push(supervise(program)) - 1];
  if (settings.isEmbedded) {
    const service = start(serviceProgram(settings, dev));
    await untilReady(service, () => saysLine(service, /service ready http/));
  }
  const console = start(consoleProgram(settings, dev));
  await untilReady(console, (signal) => becomesHealthy(`${origin(settings.console)}/api/health`, signal));
}

/** The process that started us, and its own: npm puts a shell between itself and its program. Linux tells the second. */
function lineage() {
  const status = `/proc/${process.ppid}/stat`;
  const [, grandparent] = existsSync(status) ? readFileSync(status, "utf8").split(") ").at(-1).split(" ") : [];
  return `${process.ppid} ${grandparent}`;
}

/** npm passes Ctrl-C and SIGTERM on, but nothing when it is killed: then its program would run on, unseen. */
function whenNpmIsGone(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const atStart = lineage();
  setInterval(() => lineage() !== atStart && stop(), 1000).unref();
}

/** Resolves when the product is asked to stop; a second request ends it at once. */
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

async function prepare(dev) {
  loadEnvFile();
  const settings = readSettings(process.env);
  requireWritable(settings.dataDir);
  await requirePort(settings.console);
  if (settings.isEmbedded) await requirePort(settings.service);
  await setUp({ build: !dev });
  return settings;
}

async function runPrograms(settings, dev, started) {
  await startPrograms(settings, dev, started);
  welcome(settings, performance.now());
  const { name, how } = await Promise.race(
    started.map(async (program) => ({ name: program.name, how: await program.ended })),
  );
  throw new Refusal(`The ${name} stopped (${how}); stopping the rest.`);
}

/** Sets up what is missing, runs the service and the console, and stops both when either ends or we are asked to. */
export async function startProduct({ dev }) {
  const started = [];
  const settings = await prepare(dev).catch(refuse);
  const failure = await Promise.race([
    runPrograms(settings, dev, started).catch((error) => error),
    askedToStop(started),
  ]);
  await stopAll(started);
  if (failure) refuse(failure);
  process.exit(0);
}
