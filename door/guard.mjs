// @ts-check
import { FILE_POLICY, makeNonce, pagePolicy, ROUTE_POLICY, standingHeaders } from "./policy.mjs";
import { createTally, logRefused } from "./tally.mjs";

/** @typedef {import("node:http").IncomingMessage} Request */
/** @typedef {import("node:http").ServerResponse} Answer */
/** @typedef {{ status: number, headers?: Record<string, string> }} Refusal */

const METHODS = ["GET", "HEAD", "POST"];
const MOST_BYTES = 1024 * 1024;
/** What anybody may send, signed in or not. @type {[path: string, mostBytes: number][]} */
const OPEN_TO_ALL = [
  ["/api/auth/", 16 * 1024],
  ["/api/csp-reports", 64 * 1024],
];
/** Where a file of a case is sent, and what the console takes of one. */
const FILES = /^\/api\/kyc\/[^/]+\/files$/;
const MOST_FILE_BYTES = 10 * MOST_BYTES;
/** What a delivery of the provider's may say that it is long; one that does not say is counted by its route. */
const MOST_HOOK_BYTES = 256 * 1024;
/** How much of a refused body is still read, so that whoever sends it gets to hear why. */
const LINGER_BYTES = 8 * MOST_BYTES;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

const pathOf = (/** @type {string} */ target) => target.split(/[?#]/, 1)[0] ?? "";
/** The provider may send without a length, and signs all it sends: its route counts and reads the bytes itself. */
const isHook = (/** @type {string} */ path) => /^\/api\/hooks(\/|$)/.test(path);
/** Browsers report without the page's `Origin`, and change nothing by it. */
const isReport = (/** @type {string} */ path) => path === "/api/csp-reports";

/** @param {string} path @param {import("./policy.mjs").Setting} setting */
function policyOf(path, setting) {
  if (path.startsWith("/_next/")) return FILE_POLICY;
  // Signing in and out may come to a page.
  const isRoute = path.startsWith("/api/") && !path.startsWith("/api/auth/");
  return isRoute ? ROUTE_POLICY : pagePolicy(makeNonce(), setting);
}

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

/** Whether a browser says that another site's page sends this. @param {Request} request @param {URL} publicUrl */
function comesFromElsewhere({ headers }, publicUrl) {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  return headers.origin !== undefined && !isOwn(headers.origin, publicUrl);
}

/** @param {Request} request @param {string} path @returns {Refusal | null} */
function refuseBody({ headers }, path) {
  if (isHook(path)) return Number(headers["content-length"] ?? 0) > MOST_HOOK_BYTES ? { status: 413 } : null;
  // Next counts what an action brings by itself, and sends one without a length to itself when another page offers it.
  const isCounted = headers["next-action"] !== undefined;
  if (headers["transfer-encoding"] !== undefined) return isCounted ? null : { status: 411 };
  const [, usual = MOST_BYTES] = OPEN_TO_ALL.find(([open]) => path.startsWith(open)) ?? [];
  const most = FILES.test(path) ? MOST_FILE_BYTES : usual;
  return Number(headers["content-length"] ?? 0) > most ? { status: 413 } : null;
}

/** Why this request does not reach the console at all, or null. @param {Request} request @param {URL} publicUrl */
export function refuse(request, publicUrl) {
  const { method = "", url = "", httpVersion, headers } = request;
  if (!METHODS.includes(method)) return { status: 405, headers: { Allow: METHODS.join(", ") } };
  if (!isReadable(url) || (httpVersion === "1.1" && headers.host === undefined)) return { status: 400 };
  const path = pathOf(url);
  const isWrite = method === "POST" && !isHook(path) && !isReport(path);
  if (isWrite && comesFromElsewhere(request, publicUrl)) return { status: 403 };
  return refuseBody(request, path);
}

/** Reads what is still under way, up to a bound. */
function drain(/** @type {Request} */ request) {
  let bytes = 0;
  request.on("data", (/** @type {Buffer} */ chunk) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) request.destroy();
  });
}

/** @param {Request} request @param {Answer} answer @param {Refusal} refusal */
function tell(request, answer, { status, headers = {} }) {
  answer.writeHead(status, { ...headers, "Cache-Control": "no-store", "Content-Length": "0" }).end();
  drain(request);
}

/**
 * What stands before Next and sees every request: gives each answer its headers and each page its nonce, and refuses what
 * no screen, write or route takes. Returns whether the request may go on.
 * @param {import("./policy.mjs").Setting} setting
 */
export function createGuard(setting) {
  const standing = Object.entries(standingHeaders(setting));
  const count = createTally(logRefused);

  /** @param {Request} request @param {Answer} answer */
  function admit(request, answer) {
    for (const [name, value] of standing) answer.setHeader(name, value);
    const policy = policyOf(pathOf(request.url ?? ""), setting);
    answer.setHeader("Content-Security-Policy", policy);
    // Next reads the nonce of its scripts here; what a browser sent under this name must never be taken for it.
    request.headers["content-security-policy"] = policy;
    delete request.headers["content-security-policy-report-only"];
    // Where somebody comes back to who is led to the sign-in: pages are not told their own address.
    request.headers["x-retaguarda-address"] = request.url ?? "";
    const refusal = refuse(request, setting.publicUrl);
    if (refusal === null) return true;
    count(refusal.status);
    tell(request, answer, refusal);
    return false;
  }

  /** What Node itself refuses, before there is a request. @param {string} status */
  const bareAnswer = (status) => {
    const headers = [
      ...standing,
      ["Content-Security-Policy", FILE_POLICY],
      ["Connection", "close"],
      ["Content-Length", "0"],
    ];
    return `HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  };

  return { admit, tell, bareAnswer };
}
