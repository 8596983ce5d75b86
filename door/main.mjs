// @ts-check
// Next's own request handler behind the front server. `--dev` for hot reload.
import { once } from "node:events";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { trustedProxiesOf } from "./addresses.mjs";
import { certificateFiles, followCertificate, requireCertificate } from "./certificate.mjs";
import { loadEnvFile } from "./env-file.mjs";
import { logWhatIsPrinted } from "./log.mjs";
import { createDoor } from "./server.mjs";

// Next reads it too, but only after what is decided here.
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
const door = createDoor(
  { publicUrl, isDevelopment: dev, trusted, isProxyNamed: proxies !== null },
  (request, answer) => handle(request, answer),
  certificate,
);
if (files !== null && "setSecureContext" in door) followCertificate(door, files);
const app = next({ dev, dir, hostname, port, httpServer: dev ? door : createServer() });

const ENDED_WITHIN_MS = 12_000;

/** @type {Promise<never> | undefined} */
let ending;
async function end(/** @type {number} */ code) {
  // A silent database must not keep the process alive.
  setTimeout(() => process.exit(code), ENDED_WITHIN_MS).unref();
  const closed = once(door.close(), "close");
  if (dev) door.closeAllConnections();
  await closed;
  await app.close();
  process.exit(code);
}
// Before Next is prepared, so that the console's own end comes first.
process.on("SIGTERM", () => void (ending ??= end(143)));
process.on("SIGINT", () => void (ending ??= end(130)));

await app.prepare();
handle = app.getRequestHandler();
door.listen(port, hostname);
