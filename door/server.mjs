// @ts-check
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { limitConnections } from "./addresses.mjs";
import { CountedRequest } from "./body.mjs";
import { createGuard } from "./guard.mjs";

/** @typedef {(request: import("node:http").IncomingMessage, answer: import("node:http").ServerResponse) => unknown} Handler */

/** @type {Record<string, string>} */
const NODES_REFUSALS = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

const LIMITS = {
  total: 4_096,
  perAddress: 512,
  gatheredBytes: 64 * 1024 * 1024,
  headersMs: 15_000,
  bodyMs: 30_000,
  requestMs: 180_000,
  // Longer than nginx and the clouds' balancers keep one (60 s), or they send into a closing connection.
  idleMs: 75_000,
};

/**
 * An HTTP server, not yet listening, that lets through to `handle` what the guard admits; an HTTPS one with a certificate.
 * @param {import("./policy.mjs").Setting} setting @param {Handler} handle
 * @param {import("./certificate.mjs").Certificate | null} [certificate] @param {Partial<typeof LIMITS>} [others] for tests
 */
export function createDoor(setting, handle, certificate = null, others = {}) {
  const limits = { ...LIMITS, ...others };
  const guard = createGuard(setting, limits);
  /** @param {CountedRequest} request @param {import("node:http").ServerResponse} answer */
  const answerTo = (request, answer) => guard.admit(request, answer, () => void handle(request, answer));
  const options = {
    IncomingMessage: CountedRequest,
    // The guard says it instead, with its headers.
    requireHostHeader: false,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 5_000),
  };
  const server =
    certificate === null
      ? createServer(options, answerTo)
      : createSecureServer({ ...options, ...certificate, handshakeTimeout: 10_000 }, answerTo);
  limitConnections(server, limits, { trusted: setting.trusted, onRefused: () => guard.count("connections") });
  server.on("checkExpectation", (request, answer) => {
    if (!(request instanceof CountedRequest)) return;
    guard.admit(request, answer, () => guard.turnAway(request, answer, { status: 417 }));
  });
  server.on("clientError", (/** @type {NodeJS.ErrnoException} */ error, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
    socket.end(guard.bareAnswer(NODES_REFUSALS[error.code ?? ""] ?? "400 Bad Request"));
  });
  return server;
}
