// @ts-check
/// <reference path="./compression.d.ts" />

import { readFile } from "node:fs/promises";
import { existsSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";
import { constants } from "node:zlib";
import { writeLine } from "./log.mjs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import compression from "compression";
import sirv from "sirv";
import { limitConnections } from "./addresses.mjs";
import { CountedRequest } from "./body.mjs";
import { createGuard } from "./guard.mjs";

/** @typedef {{ certFile: string, keyFile: string }} Files */
/** @typedef {{ cert: Buffer, key: Buffer } & typeof SPOKEN} Certificate */

const POLL_INTERVAL_MS = 10_000;

/** Only forward secrecy and authenticated encryption; a new certificate would reset this without these options. */
const SPOKEN = {
  minVersion: /** @type {const} */ ("TLSv1.2"),
  honorCipherOrder: true,
  ciphers: [
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_GCM_SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
  ].join(":"),
};

/** The certificate's files by the settings; null: the console uses plain http. @param {Record<string, string | undefined>} env */
export function certificateFiles({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }) {
  return certFile && keyFile ? { certFile, keyFile } : null;
}

/** Throws when a file cannot be read, or the key does not match the certificate. @param {Files} files @returns {Promise<Certificate>} */
export async function readCertificate({ certFile, keyFile }) {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  createSecureContext({ cert, key });
  return { cert, key, ...SPOKEN };
}

/** At the start, where a fault ends it with one line. @param {Files} files @returns {Promise<Certificate>} */
export const requireCertificate = (files) =>
  readCertificate(files).catch((error) => {
    process.stderr.write(`console cannot start: TLS_CERT_FILE, TLS_KEY_FILE: ${reasonOf(error)}\n`);
    return process.exit(1);
  });

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Gives new connections the files' current certificate. While the two do not match, as between their writing, the
 * former one stays. Returns whether it changed.
 * @param {import("node:https").Server} server @param {Files} files
 */
export const reloadCertificate = (server, files) =>
  readCertificate(files).then(
    (certificate) => {
      server.setSecureContext(certificate);
      writeLine(30, "the certificate was read anew");
      return true;
    },
    (error) => {
      writeLine(50, "the certificate cannot be read anew: the former one stays", { reason: reasonOf(error) });
      return false;
    },
  );

/** Checks every ten seconds whether a file changed; returns a function that stops it. @param {import("node:https").Server} server @param {Files} files */
export function followCertificate(server, files) {
  const names = [files.certFile, files.keyFile];
  const reload = () => void reloadCertificate(server, files);
  for (const name of names) watchFile(name, { interval: POLL_INTERVAL_MS, persistent: false }, reload);
  return () => {
    for (const name of names) unwatchFile(name, reload);
  };
}

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
  // As long as its route waits for one.
  hookMs: 10_000,
  requestMs: 180_000,
  // Longer than nginx and the clouds' balancers keep one (60 s), or they send into a closing connection.
  idleMs: 75_000,
};

/**
 * An HTTP server, not yet listening, that passes admitted requests to `handle`; an HTTPS one with a certificate.
 * @param {import("./guard.mjs").Setting} setting @param {Handler} handle
 * @param {Certificate | null} [certificate] @param {Partial<typeof LIMITS>} [others] for tests
 */
export function createFrontServer(setting, handle, certificate = null, others = {}) {
  const limits = { ...LIMITS, ...others };
  const guard = createGuard(setting, limits);
  /** @param {CountedRequest} request @param {import("node:http").ServerResponse} answer */
  const answerTo = (request, answer) => guard.admit(request, answer, () => void handle(request, answer));
  const options = {
    IncomingMessage: CountedRequest,
    // The guard refuses it instead, with its headers.
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

/** A page says everything twice, as HTML and as data: gzip's 32 kB reach from one to the other no more. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 18 } };

/** Compresses what `handle` answers, by Brotli where the client takes it. @param {Handler} handle @returns {Handler} */
export function withCompression(handle) {
  const compress = compression({ brotli });
  return (request, answer) => compress(request, answer, () => void handle(request, answer));
}

/** Sends the build's own files as `compressAssets` left them. @param {string} folder @param {Handler} handle @returns {Handler} */
export function withAssets(folder, handle) {
  if (!existsSync(folder)) return handle;
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    setHeaders: (answer) => void answer.setHeader("Cache-Control", "public, max-age=31536000, immutable"),
  });
  return (request, answer) =>
    request.url?.startsWith("/_next/static/") && request.method !== "POST"
      ? serve(request, answer, () => void handle(request, answer))
      : handle(request, answer);
}
