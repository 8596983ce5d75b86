// @ts-check

import { channel } from "node:diagnostics_channel";
import { randomBytes } from "node:crypto";
import { writeLine } from "./log.mjs";
import { readdirSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { CLIENT_ADDRESS_HEADER, clientAddressOf, isHopUnread } from "./addresses.mjs";
import { createGathering, hasBody, isHook, isUpload, linger, mostBytesAt } from "./body.mjs";

const YEARS_TWO = 63_072_000;
const REPORTS = "/api/csp-reports";

/**
 * The console's own origin, and the proxies whose headers are trusted: `isProxyNamed` says whether the settings name
 * any.
 * @typedef {{ publicUrl: URL, isDevelopment: boolean, trusted: import("node:net").BlockList, isProxyNamed: boolean }} Setting
 */

/** The headers of every answer. @param {Pick<Setting, "publicUrl">} setting @returns {Record<string, string>} */
function commonHeaders({ publicUrl }) {
  return {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
    "Permissions-Policy":
      "camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), serial=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "Reporting-Endpoints": `csp="${REPORTS}"`,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    ...(publicUrl.protocol === "https:" && {
      "Strict-Transport-Security": `max-age=${YEARS_TWO}; includeSubDomains`,
    }),
  };
}

export const makeNonce = () => randomBytes(16).toString("base64");

export function pagePolicy(
  /** @type {string} */ nonce,
  /** @type {Pick<Setting, "publicUrl" | "isDevelopment">} */ { publicUrl, isDevelopment },
) {
  const directives = [
    "default-src 'none'",
    // React's development build rebuilds the server's stacks with eval.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    ...(isDevelopment ? [] : ["require-trusted-types-for 'script'", "trusted-types default nextjs"]),
    ...(publicUrl.protocol === "https:" ? ["upgrade-insecure-requests"] : []),
    `report-uri ${REPORTS}`,
    "report-to csp",
  ];
  return directives.join("; ");
}

/** If a browser shows it as a page, nothing in it may run. */
export const FILE_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'";

/** For data and outside files, which must not even share our origin. */
export const ROUTE_POLICY = `${FILE_POLICY}; sandbox`;

const MINUTE_MS = 60_000;

/**
 * Counts refusals by status or cause and reports them a minute after the first, in one line for any number.
 * @param {(refused: Record<string, number>) => void} report
 */
export function createTally(report) {
  /** @type {Map<number | string, number>} */
  const counts = new Map();

  function notifyAll() {
    report(Object.fromEntries(counts));
    counts.clear();
  }

  return (/** @type {number | string} */ status) => {
    if (counts.size === 0) setTimeout(notifyAll, MINUTE_MS).unref();
    counts.set(status, (counts.get(status) ?? 0) + 1);
  };
}

/** A log line in the console's form. @param {Record<string, number>} refused */
const logRefused = (refused) => writeLine(40, "requests refused", { refused });

/** @typedef {import("node:http").IncomingMessage} Incoming */
/** @typedef {import("./body.mjs").CountedRequest} Request */
/** @typedef {import("node:http").ServerResponse} Answer */
/** @typedef {{ status: number, headers?: Record<string, string> }} Refusal */

const METHODS = ["GET", "HEAD", "POST"];
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

const PUBLIC_FILES = new Set(
  readdirSync(fileURLToPath(new URL("../public", import.meta.url)), { recursive: true })
    .map((name) => `/${String(name).replaceAll("\\", "/")}`)
    .filter((path) => extname(path) !== ""),
);

const pathOf = (/** @type {string} */ target) => target.split(/[?#]/, 1)[0] ?? "";
/** Browsers report without the page's `Origin`. */
const isReport = (/** @type {string} */ path) => path === "/api/csp-reports";

/** @param {string} path @param {Setting} setting */
function policyOf(path, setting) {
  if (path.startsWith("/_next/") || PUBLIC_FILES.has(path)) return FILE_POLICY;
  // Signing in and out may lead to a page.
  const isRoute = /^\/(api\/(?!auth\/)|\.well-known\/)/.test(path);
  return isRoute ? ROUTE_POLICY : pagePolicy(makeNonce(), setting);
}

const refusedDeliveries = channel("retaguarda:delivery-refused");

/** @type {Record<number, string>} */
const DELIVERY_FAULTS = { 408: "too-slow", 413: "too-large", 503: "no-room" };

/** The console's own code, bundled apart, counts them for their tenants. @param {Incoming} request @param {string | undefined} why */
function noteDelivery({ method, url = "", headers }, why) {
  const clientId = /^\/api\/hooks\/([^/]+)$/.exec(pathOf(url))?.[1];
  if (method !== "POST" || clientId === undefined || why === undefined) return;
  refusedDeliveries.publish({ clientId: decodeURIComponent(clientId), why, headers });
}

/** Next would redirect it, and webhook senders follow no redirect. @param {string} target */
const withoutFinalSlash = (target) => target.replace(/^(\/api\/hooks\/[^/?#]+)\/+(?=$|[?#])/, "$1");

function isReadable(/** @type {string} */ target) {
  if (!target.startsWith("/")) return false;
  try {
    return !decodeURIComponent(pathOf(target)).includes("\0");
  } catch {
    return false;
  }
}

/** A page of ours says so in `Origin`; the same rule as for writes. @param {string} origin @param {URL} publicUrl */
function isOwn(origin, publicUrl) {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (from.origin === publicUrl.origin) return true;
  return LOOPBACK.has(from.hostname) && LOOPBACK.has(publicUrl.hostname) && from.port === publicUrl.port;
}

/** A form sent without a script. Its `Origin` is null, as our pages send no referrer. @param {Incoming} request */
const isBareForm = ({ method, headers }) =>
  method === "POST" &&
  headers.origin === "null" &&
  headers["sec-fetch-site"] === "same-origin" &&
  headers["sec-fetch-mode"] === "navigate";

/** Such a form is a multipart server action, or a sign-in. @param {Incoming} request @param {string} path */
const actsByItself = ({ headers }, path) =>
  path === "/api/auth/callback/credentials" || (headers["content-type"] ?? "").startsWith("multipart/form-data");

/** Whether the browser says that another site's page sent this. @param {Incoming} request @param {URL} publicUrl */
function comesFromElsewhere(request, publicUrl) {
  const { headers } = request;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  if (isBareForm(request)) return false;
  return headers.origin !== undefined && !isOwn(headers.origin, publicUrl);
}

/** @param {Request} request @param {string} path @returns {Refusal | null} */
function refuseBody({ method = "", headers }, path) {
  // An upload streams, so its length must be announced.
  if (isUpload(path) && headers["transfer-encoding"] !== undefined) return { status: 411 };
  return Number(headers["content-length"] ?? 0) > mostBytesAt(method, path) ? { status: 413 } : null;
}

/** Why this request is refused before the console, or null. @param {Request} request @param {URL} publicUrl */
function refuse(request, publicUrl) {
  const { method = "", url = "", httpVersion, headers } = request;
  if (!METHODS.includes(method)) return { status: 405, headers: { Allow: METHODS.join(", ") } };
  if (!isReadable(url) || (httpVersion === "1.1" && headers.host === undefined)) return { status: 400 };
  const path = pathOf(url);
  const isWrite = method === "POST" && !isHook(path) && !isReport(path);
  // After an answer without content the browser stays on its page, with all text.
  if (isBareForm(request) && !actsByItself(request, path)) return { status: 204 };
  if (isWrite && comesFromElsewhere(request, publicUrl)) return { status: 403 };
  return refuseBody(request, path);
}

/**
 * Sets the host that Next compares `Origin` with: behind a proxy `Host` may name the console's own machine, and anybody
 * can write the forwarded headers. @param {Request} request @param {URL} publicUrl
 */
function nameHost({ headers }, publicUrl) {
  const asked = `${publicUrl.protocol}//${headers.host}`;
  const host = isOwn(asked, publicUrl) ? new URL(asked).host : publicUrl.host;
  headers.host = host;
  headers["x-forwarded-host"] = host;
  headers["x-forwarded-proto"] = publicUrl.protocol.slice(0, -1);
}

/** @param {Request} request @param {Answer} answer @param {Refusal} refusal */
function reply(request, answer, { status, headers = {} }) {
  const bare = { ...headers, "Cache-Control": "no-store", ...(status !== 204 && { "Content-Length": "0" }) };
  if (!hasBody(request)) {
    answer.writeHead(status, bare).end();
    return;
  }
  answer.writeHead(status, { ...bare, Connection: "close" }).flushHeaders();
  linger(request, () => void answer.end());
}

/**
 * Sees every request before Next: gives each answer its headers and each page its nonce, and refuses what no screen,
 * write or route accepts. A body is buffered whole before its request is handled, except a file of a case.
 * @param {Setting} setting @param {{ gatheredBytes: number, bodyMs: number, hookMs: number }} limits
 */
export function createGuard(setting, limits) {
  const standing = Object.entries(commonHeaders(setting));
  const count = createTally(logRefused);
  const { gather, stream } = createGathering(limits);
  let hasWarned = false;

  function nameClient(/** @type {Request} */ request) {
    const { headers } = request;
    const { trusted, isProxyNamed } = setting;
    headers[CLIENT_ADDRESS_HEADER] = clientAddressOf(request, trusted) ?? undefined;
    if (hasWarned || headers["x-forwarded-for"] === undefined || (isProxyNamed && !isHopUnread(headers))) return;
    hasWarned = true;
    writeLine(
      40,
      isProxyNamed
        ? "X-Forwarded-For came with what is no address: whoever it stands for counts as the proxy"
        : "X-Forwarded-For came and TRUSTED_PROXIES names no proxy: behind one, everybody counts as one address",
    );
  }

  /** @param {Request} request @param {Answer} answer @param {Refusal} refusal */
  function turnAway(request, answer, refusal) {
    count(refusal.status);
    noteDelivery(request, DELIVERY_FAULTS[refusal.status]);
    reply(request, answer, refusal);
  }

  /** Calls `go` when the request may go on. @param {Request} request @param {Answer} answer @param {() => void} go */
  function admit(request, answer, go) {
    for (const [name, value] of standing) answer.setHeader(name, value);
    const policy = policyOf(pathOf(request.url ?? ""), setting);
    answer.setHeader("Content-Security-Policy", policy);
    // Next reads the nonce of its scripts here, so a browser's own must be overwritten.
    request.headers["content-security-policy"] = policy;
    delete request.headers["content-security-policy-report-only"];
    // For the return after a sign-in, as pages do not know their own URL.
    request.headers["x-retaguarda-address"] = request.url ?? "";
    nameClient(request);
    request.url = withoutFinalSlash(request.url ?? "");
    const refusal = refuse(request, setting.publicUrl);
    if (refusal !== null) return turnAway(request, answer, refusal);
    nameHost(request, setting.publicUrl);
    const path = pathOf(request.url ?? "");
    if (!hasBody(request)) return go();
    const refuseBy = (/** @type {number} */ status) =>
      turnAway(request, answer, { status, headers: status === 503 ? { "Retry-After": "5" } : {} });
    if (isUpload(path)) return stream(request, answer) ? go() : refuseBy(503);
    gather(request, path, { go, refuse: refuseBy, lose: () => noteDelivery(request, "cut") });
  }

  /** For requests that Node itself refuses before parsing them. @param {string} status */
  const bareAnswer = (status) => {
    const headers = [
      ...standing,
      ["Content-Security-Policy", FILE_POLICY],
      ["Connection", "close"],
      ["Content-Length", "0"],
    ];
    return `HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  };

  return { admit, turnAway, bareAnswer, count };
}
