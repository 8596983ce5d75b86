import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { startTemporaryProduct } from "@/test/support/temporary-product.mjs";
import { completeCpf, formatDocument } from "@/lib/contract/document";
import { note } from "./canary";
import { copyDatabases } from "./made-databases";
import { gathering, putDown } from "./seen.mjs";

type Settings = Record<string, string>;

/** The holder whom the embedded service names in its log for people to try the demo. */
const ADVERTISED = completeCpf("417205638");
/** Records the console's answers in its own process. */
const ANSWERS = pathToFileURL(resolve("e2e/support/answers.mjs")).href;
const SECRET_SETTINGS = ["AUTH_SECRET", "DATA_KEY", "AUDIT_KEY", "OIDC_CLIENT_SECRET"];
const Tenants = z.object({
  tenants: z.array(z.object({ clientSecret: z.string(), webhook: z.object({ secret: z.string() }).nullable() })),
});

/**
 * Under E2E_DATABASE_URL, a superuser's, both programs get their own databases there, and the console its mandatory
 * keys. Explicit data settings stay.
 */
export async function placeFor(given: Settings): Promise<{ settings: Settings; drop: () => Promise<void> }> {
  const server = process.env["E2E_DATABASE_URL"];
  if (server === undefined || "DATA_DIR" in given || "DATABASE_URL" in given)
    return { settings: given, drop: async () => undefined };
  const names = [0, 1].map(() => `retaguarda_story_${randomBytes(6).toString("hex")}`);
  const { Client } = await import("pg");
  const administer = async (statement: (name: string) => string) => {
    const client = new Client({ connectionString: server });
    await client.connect();
    for (const name of names) await client.query(statement(name));
    await client.end();
  };
  await administer((name) => `CREATE DATABASE ${name}`);
  const [console = "", service = ""] = names.map((name) => {
    const place = new URL(server);
    place.pathname = `/${name}`;
    return place.href;
  });
  const [auth = "", data = "", audit = ""] = [0, 1, 2].map(() => randomBytes(32).toString("base64"));
  const keys = { AUTH_SECRET: auth, DATA_KEY: data, AUDIT_KEY: audit };
  const places = { DATABASE_URL: console, SERVICE_DATABASE_URL: service };
  return { settings: { ...keys, ...given, ...places }, drop: () => administer((name) => `DROP DATABASE ${name}`) };
}

/** A key in each usual encoding of bytes. */
const written = (key: string) =>
  /^[\w+/]{43}=$/.test(key)
    ? [key, Buffer.from(key, "base64").toString("base64url"), Buffer.from(key, "base64").toString("hex")]
    : [key];

/** Every secret given to or made by the product is a canary, as nobody else has it. */
function noteSecrets(settings: Settings, { dataDir, controlToken }: { dataDir: string; controlToken: string }): void {
  const keys = join(dataDir, "keys");
  const made = existsSync(keys) ? readdirSync(keys).map((name) => readFileSync(join(keys, name), "utf8").trim()) : [];
  const given = SECRET_SETTINGS.map((name) => settings[name] ?? "");
  note("secret", controlToken, ...[...made, ...given].filter((secret) => secret.length >= 8).flatMap(written));
  const file = settings["SERVICE_TENANTS_FILE"] ?? join(dataDir, "service/tenants.json");
  if (!existsSync(file)) return;
  for (const { clientSecret, webhook } of Tenants.parse(JSON.parse(readFileSync(file, "utf8"))).tenants) {
    note("secret", clientSecret, ...(webhook ? [webhook.secret] : []));
  }
}

const Customer = z.object({ document_number: z.string().optional(), vat_number: z.string().optional() });

/** The console may show none of the provider's customers in clear, the demo's included. */
function noteCustomer(row: string): void {
  const { document_number: held, vat_number: checked } = Customer.parse(JSON.parse(row));
  for (const document of [held, checked]) {
    if (document === undefined || document.length < 11) continue;
    note(document === ADVERTISED ? "advertised document" : "document", document, formatDocument(document));
  }
}

/** Records everything the product leaves: its log and every row of both databases. */
async function putDownRemains(settings: Settings, { dataDir, log }: { dataDir: string; log: string }): Promise<void> {
  for (const line of readFileSync(log, "utf8").split("\n")) putDown("log", line);
  const { dump } = await import("./database-dump");
  const places = {
    "console database": settings["DATABASE_URL"] || join(dataDir, "console"),
    "service database": settings["SERVICE_DATABASE_URL"] || join(dataDir, "service"),
  };
  for (const [name, where] of Object.entries(places)) {
    if (!where.startsWith("postgres") && !existsSync(where)) continue;
    for await (const { table, row } of dump(where)) {
      putDown(`${name}: ${table}`, row);
      if (name === "service database") noteCustomer(row);
    }
  }
}

/** Records the build's public files, once for a run as all products share them. */
export async function putDownBuild(): Promise<void> {
  const { filesUnder } = await import("./database-dump");
  const built = resolve(process.env["NEXT_DIST_DIR"] ?? ".next", "static");
  for (const [name, text] of filesUnder(built)) putDown(`built file ${name}`, text);
}

/**
 * `startTemporaryProduct` with its secrets noted as canaries and its remains recorded. A new data directory starts with
 * this run's databases.
 */
export async function startProduct(given: Settings = {}) {
  const { settings, drop } = await placeFor(given);
  const furnish = settings["DATABASE_URL"] ? undefined : copyDatabases;
  const isGathered = gathering() !== undefined;
  const watched = { ...settings, ...(isGathered && { NODE_OPTIONS: `--import ${ANSWERS}` }) };
  const product = await startTemporaryProduct(watched, furnish);
  /** The settings with which a command belongs to this product. */
  const home = { ...settings, DATA_DIR: product.dataDir };
  if (isGathered) noteSecrets(settings, product);
  const stop = async () => {
    await product.halt();
    if (isGathered) await putDownRemains(settings, product);
    await product.stop();
    await drop();
  };
  return { ...product, home, stop };
}
