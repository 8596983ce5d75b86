import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { Refusal, root } from "./program.mjs";

function port(env, name, otherwise) {
  const text = env[name] || String(otherwise);
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= 1 && number <= 65_535) return { name, number };
  throw new Refusal(`${name} must be a port number from 1 to 65535; it is "${text}".`);
}

function publicUrlOf(env, number) {
  const text = env.PUBLIC_URL || `${env.TLS_CERT_FILE ? "https" : "http"}://localhost:${number}`;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new Refusal(`PUBLIC_URL must be an http(s) URL; it is "${text}".`);
}

/** The console listens on this machine alone unless HOST says otherwise. Without a provider the embedded service runs. */
export function readSettings(env) {
  const console = port(env, "PORT", 3000);
  const service = port(env, "SERVICE_PORT", 4010);
  const isEmbedded = !env.BANK_BASE_URL && !env.TENANTS_FILE;
  if (isEmbedded && console.number === service.number) {
    throw new Refusal(`PORT and SERVICE_PORT are both ${console.number}; give one of them another number.`);
  }
  return {
    isEmbedded,
    hasDemoData: isEmbedded && (env.SERVICE_DEMO_DATA || "true") === "true",
    sharesStore: Boolean(env.DATABASE_URL),
    dataDir: resolve(root, env.DATA_DIR || ".data"),
    console: { ...console, host: env.HOST || "127.0.0.1", hostName: "HOST", isSecure: Boolean(env.TLS_CERT_FILE) },
    service: { ...service, host: env.SERVICE_HOST || "127.0.0.1", hostName: "SERVICE_HOST" },
    publicUrl: publicUrlOf(env, console.number),
  };
}

const portRefusals = {
  EADDRINUSE: ({ name, number, host }) =>
    `Port ${number} on ${host} is in use. Stop the program that holds it, or set ${name} to another port.`,
  EACCES: ({ name, number }) => `Port ${number} needs more rights than this user has. Set ${name} to one above 1023.`,
  EADDRNOTAVAIL: ({ hostName, host }) => `This machine has no address ${host}. Set ${hostName} to one it has.`,
  ENOTFOUND: ({ hostName, host }) => `The name ${host} is not known. Set ${hostName} to an address of this machine.`,
};

/** Throws one line. */
export async function requirePort(listener) {
  const probe = createServer();
  const code = await new Promise((answer) => {
    probe.once("error", (error) => answer(error.code));
    probe.listen({ port: listener.number, host: listener.host, exclusive: true }, () => answer(undefined));
  });
  if (code === undefined) return new Promise((closed) => probe.close(() => closed()));
  const refusal = portRefusals[code];
  throw new Refusal(
    refusal ? refusal(listener) : `Port ${listener.number} (${listener.name}) cannot be used: ${code}.`,
  );
}

/** Not `recursive`: that never returns under /proc. */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Throws one line. */
export function requireWritable(folder) {
  const probe = join(folder, `.writable-${randomBytes(4).toString("hex")}`);
  try {
    makeFolder(folder);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw new Refusal(`DATA_DIR: ${folder} cannot be written (${error.code}).`);
  }
}
