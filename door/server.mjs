// @ts-check
import { createServer } from "node:http";
import { createGuard } from "./guard.mjs";

/** @typedef {(request: import("node:http").IncomingMessage, answer: import("node:http").ServerResponse) => unknown} Handler */

/** @type {Record<string, string>} */
const NODES_REFUSALS = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * An HTTP server, not yet listening, that lets through to `handle` what the guard admits.
 * @param {import("./policy.mjs").Setting} setting @param {Handler} handle
 */
export function createDoor(setting, handle) {
  const guard = createGuard(setting);
  // The guard says it instead, with its headers.
  const server = createServer({ requireHostHeader: false }, (request, answer) => {
    if (guard.admit(request, answer)) void handle(request, answer);
  });
  server.on("checkExpectation", (request, answer) => {
    if (guard.admit(request, answer)) guard.tell(request, answer, { status: 417 });
  });
  server.on("clientError", (/** @type {NodeJS.ErrnoException} */ error, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
    socket.end(guard.bareAnswer(NODES_REFUSALS[error.code ?? ""] ?? "400 Bad Request"));
  });
  return server;
}
