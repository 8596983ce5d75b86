// @ts-check
import { readFile } from "node:fs/promises";
import { unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";
import { writeLine } from "./log.mjs";

/** @typedef {{ certFile: string, keyFile: string }} Files */
/** @typedef {{ cert: Buffer, key: Buffer } & typeof SPOKEN} Certificate */

const LOOK_EVERY_MS = 10_000;

/** Nothing without forward secrecy and authenticated encryption; a new certificate would forget it, were it not given along. */
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

/** Where the certificate stands by the settings; null: the console speaks plain http. @param {Record<string, string | undefined>} env */
export function certificateFiles({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }) {
  return certFile && keyFile ? { certFile, keyFile } : null;
}

/** Throws when one cannot be read, or the key is not that of the certificate. @param {Files} files @returns {Promise<Certificate>} */
export async function readCertificate({ certFile, keyFile }) {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  createSecureContext({ cert, key });
  return { cert, key, ...SPOKEN };
}

/** As the console starts: what is wrong with it ends the start with one line. @param {Files} files @returns {Promise<Certificate>} */
export async function requireCertificate(files) {
  const [read] = await Promise.allSettled([readCertificate(files)]);
  if (read.status === "fulfilled") return read.value;
  process.stderr.write(`console cannot start: TLS_CERT_FILE, TLS_KEY_FILE: ${reasonOf(read)}\n`);
  return process.exit(1);
}

/** @param {PromiseRejectedResult} rejected */
const reasonOf = ({ reason }) => (reason instanceof Error ? reason.message : String(reason));

/**
 * Lets new connections see what the files hold by now. While they do not fit together, as between the writing of one and of the
 * other, the former certificate stays. Returns whether it was exchanged.
 * @param {import("node:https").Server} server @param {Files} files
 */
export async function reloadCertificate(server, files) {
  const [read] = await Promise.allSettled([readCertificate(files)]);
  if (read.status === "fulfilled") {
    server.setSecureContext(read.value);
    writeLine(30, "the certificate was read anew");
    return true;
  }
  writeLine(50, "the certificate cannot be read anew: the former one stays", { reason: reasonOf(read) });
  return false;
}

/** Looks every ten seconds whether a file was exchanged, by whatever means; returns what ends it. @param {import("node:https").Server} server @param {Files} files */
export function followCertificate(server, files) {
  const names = [files.certFile, files.keyFile];
  const look = () => void reloadCertificate(server, files);
  for (const name of names) watchFile(name, { interval: LOOK_EVERY_MS, persistent: false }, look);
  return () => {
    for (const name of names) unwatchFile(name, look);
  };
}
