// @ts-check
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createGuard } from "./guard.mjs";

/** @typedef {(request: import("node:http").IncomingMessage, answer: import("node:http").ServerResponse) => unknown} Handler */

/** @type {Record<string, string>} */
const NODES_REFUSALS = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * An HTTP server, not yet listening, that lets through to `handle` what the guard admits; an HTTPS one with a certificate.
 * @param {import("./policy.mjs").Setting} setting @param {Handler} handle
 * @param {import("./certificate.mjs").Certificate | null} [certificate]
 */
export function createDoor(setting, handle, certificate = null) {
  const guard = createGuard(setting);
  /** @type {import("node:http").RequestListener} */
  const answerTo = (request, answer) => {
    if (guard.admit(request, answer)) void handle(request, answer);
  };
  // The guard says it instead, with its headers.
  const options = { requireHostHeader: false };
  const server =
    certificate === null
      ? createServer(options, answerTo)
      : createSecureServer({ ...options, ...certificate, minVersion: "TLSv1.2" }, answerTo);
  server.on("checkExpectation", (request, answer) => {
    if (guard.admit(request, answer)) guard.tell(request, answer, { status: 417 });
  });
  server.on("clientError", (/** @type {NodeJS.ErrnoException} */ error, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
    socket.end(guard.bareAnswer(NODES_REFUSALS[error.code ?? ""] ?? "400 Bad Request"));
  });
  return server;
}
