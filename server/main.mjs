// @ts-check

// Next's own request handler behind the front server. `--dev` for hot reload.
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { trustedProxiesOf } from "./addresses.mjs";
import {
  createFrontServer,
  certificateFiles,
  followCertificate,
  requireCertificate,
  withAssets,
  withCompression,
} from "./server.mjs";
import { loadEnvFile } from "./env-file.mjs";
import { logWhatIsPrinted, writeLine } from "./log.mjs";
import { withStore } from "./store.mjs";

// Next reads it too, but only after the decisions here.
loadEnvFile();
const { values } = parseArgs({
  options: {
    dev: { type: "boolean", default: false },
    dir: { type: "string", default: "." },
    hostname: { type: "string", default: process.env.HOST || "127.0.0.1" },
    port: { type: "string", default: process.env.PORT || "3000" },
  },
});
const { dev, dir, hostname } = values;
if (!dev) logWhatIsPrinted();

/** @param {string} why @returns {never} */
function refuse(why) {
  process.stderr.write(`console cannot start: ${why}\n`);
  return process.exit(1);
}

const port = Number(values.port);
const files = certificateFiles(process.env);
const certificate = files && (await requireCertificate(files));
const scheme = files === null ? "http" : "https";
const ownAddress = process.env.PUBLIC_URL || `${scheme}://localhost:${port}`;
if (!URL.canParse(ownAddress) || !/^https?:$/.test(new URL(ownAddress).protocol))
  refuse("PUBLIC_URL: must be an http(s) URL");
const publicUrl = new URL(ownAddress);
const proxies = process.env.TRUSTED_PROXIES || null;
const trusted = trustedProxiesOf(proxies ?? "none") ?? refuse("TRUSTED_PROXIES: must be addresses or networks");

const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[hostname] ?? hostname;
// As `next start` does. After a redirecting write Next fetches the page from this origin, not from a Host header's.
Object.assign(process.env, {
  NODE_ENV: dev ? "development" : "production",
  PORT: String(port),
  __NEXT_PRIVATE_ORIGIN: `${scheme}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`,
});
const { default: next } = await import("next");

/** @type {import("./server.mjs").Handler} */
let handle = () => undefined;
const front = createFrontServer(
  { publicUrl, isDevelopment: dev, trusted, isProxyNamed: proxies !== null },
  (request, answer) => handle(request, answer),
  certificate,
);
if (files !== null && "setSecureContext" in front) followCertificate(front, files);
const app = next({ dev, dir, hostname, port, httpServer: dev ? front : createServer() });

/** Shorter than the ten seconds that Docker, systemd's users and Kubernetes wait. */
const ENDED_WITHIN_MS = 9_500;
const REHEARSED_WITHIN_MS = 5_000;
const SIGNALS = /** @type {const} */ ([
  ["SIGTERM", 143],
  ["SIGINT", 130],
]);

/** @type {Promise<unknown> | undefined} */
let closing;
/** Accepts no new connections while the console ends. */
function shut(/** @type {number} */ code) {
  // A silent database must not keep the process alive.
  setTimeout(() => process.exit(code), ENDED_WITHIN_MS).unref();
  closing = front.listening ? once(front.close(), "close") : Promise.resolve();
  if (dev) front.closeAllConnections();
}

/** @type {Promise<void> | undefined} */
let ending;
async function end(/** @type {number} */ code) {
  if (closing === undefined) shut(code);
  await closing;
  await app.close();
  process.exit(code);
}
// Before Next is prepared, so that the console's own end comes first.
for (const [signal, code] of SIGNALS) process.on(signal, () => void (ending ??= end(code)));

/** Next loads a page at its first request, which should delay neither people nor a load balancer. */
async function rehearse() {
  const stage = createServer((request, answer) => void handle(request, answer)).listen(0, "127.0.0.1");
  await once(stage, "listening");
  const address = stage.address();
  const at = typeof address === "object" && address !== null ? address.port : 0;
  for (const path of ["/api/health/ready", "/sign-in"]) {
    const asked = fetch(`http://127.0.0.1:${at}${path}`)
      // To its end, as a page is streamed.
      .then((answer) => answer.text().then(() => (answer.ok ? null : `status ${answer.status}`)))
      .catch(String);
    // A signal alone may be collected before it fires, and the console would never open.
    const trouble = await Promise.race([asked, pause(REHEARSED_WITHIN_MS, "no answer in time")]);
    if (trouble !== null) writeLine(40, `${path} could not be tried before anybody asks for it: ${trouble}`);
  }
  stage.close();
  stage.closeAllConnections();
}

await app.prepare();
const assets = join(dir, process.env.NEXT_DIST_DIR ?? ".next", "assets");
const answering = withStore(app.getRequestHandler());
handle = dev ? answering : withAssets(assets, withCompression(answering));
// After it, so that the console's end delays nothing here.
for (const [signal, code] of SIGNALS) process.on(signal, () => void (closing ?? shut(code)));
if (!dev) await rehearse();
front.listen(port, hostname);
