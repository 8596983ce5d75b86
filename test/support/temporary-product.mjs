import { spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/program.mjs";

/** Below the range that Linux, macOS and Windows use for outgoing connections, so nobody takes it first. */
const PORTS = { from: 20_000, to: 32_000 };

/** @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** A port that is free now. @returns {Promise<number>} */
export async function freePort() {
  const port = randomInt(PORTS.from, PORTS.to);
  return (await isFree(port)) ? port : freePort();
}

/** A developer's own `.env` or shell must not reach a product under test, nor may demo activity. */
const forgotten = {
  BANK_BASE_URL: "",
  TENANTS_FILE: "",
  DATABASE_URL: "",
  DATA_KEY: "",
  AUTH_SECRET: "",
  AUDIT_KEY: "",
  AUDIT_HEADS_DIR: "",
  HOST: "",
  PUBLIC_URL: "",
  SESSION_IDLE_MINUTES: "",
  STEP_UP_MINUTES: "",
  SECOND_FACTOR_FOR: "",
  TRUSTED_PROXIES: "",
  SERVICE_HOST: "",
  SERVICE_DATA_DIR: "",
  SERVICE_DATABASE_URL: "",
  SERVICE_TENANTS_FILE: "",
  DEMO_ACTIVITY: "false",
};

async function untilReady({ child, ended, log }) {
  const gone = ended.then((code) => {
    throw new Error(`npm start ended with code ${code}:\n${readFileSync(log, "utf8")}`);
  });
  const ready = new Promise((resolve) => {
    child.stdout.on("data", (chunk) => String(chunk).includes("is ready on") && resolve());
  });
  gone.catch(() => undefined);
  await Promise.race([ready, gone]);
}

/**
 * Starts the product as `npm start` does, on free ports and its own empty data directory, with the service's control
 * routes. `log` is the file with every line it printed. `halt` ends it, `stop` removes its data as well.
 * @param {Record<string, string>} [env] settings that differ from the defaults
 * @param {(dataDir: string) => unknown} [furnish] puts something into its data directory before it starts
 */
export async function startTemporaryProduct(env = {}, furnish = () => undefined) {
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-"));
  const dataDir = env.DATA_DIR || join(folder, "data");
  const log = join(folder, "product.log");
  await furnish(dataDir);
  const controlToken = randomBytes(24).toString("hex");
  const port = Number(env.PORT || (await freePort()));
  const servicePort = Number(env.SERVICE_PORT || (await freePort()));
  const child = spawn(process.execPath, [join(root, "scripts/start.mjs")], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...forgotten,
      DATA_DIR: dataDir,
      SERVICE_CONTROL_TOKEN: controlToken,
      START_LOG: "whole",
      ...env,
      PORT: String(port),
      SERVICE_PORT: String(servicePort),
    },
  });
  const lines = createWriteStream(log);
  child.stdout.pipe(lines, { end: false });
  child.stderr.pipe(lines, { end: false });

  // Only once its last line is in the file.
  const ended = new Promise((resolve) => child.once("close", (code) => lines.end(() => resolve(code))));
  const halt = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  const stop = async () => {
    await halt();
    rmSync(folder, { recursive: true, force: true });
  };
  await untilReady({ child, ended, log }).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    url: `http://localhost:${port}`,
    serviceUrl: `http://127.0.0.1:${servicePort}`,
    controlToken,
    pid: child.pid,
    dataDir,
    log,
    halt,
    stop,
  };
}
