import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isLoopback } from "@/lib/loopback";

export const ENVIRONMENTS = ["EMBEDDED", "SANDBOX", "PRODUCTION"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** One Client_ID at one base URL. */
export type Tenant = {
  clientId: string;
  clientSecret: string;
  webhookSecret: string | null;
  baseUrl: string;
  name: string;
  environment: Environment;
};

export type Env = {
  tenant: Tenant;
  /** Base URL is the embedded service's: demo staff may sign in. */
  isEmbedded: boolean;
  databaseUrl: string | null;
  dataDir: string;
  /** 32 bytes: encrypts personal data and keys its look-up hashes. */
  dataKey: Buffer;
  authSecret: string;
  publicUrl: URL;
  watchIntervalMs: number;
};

/** A setting that cannot be used; the message is one line that names it. */
export class SettingError extends Error {
  override name = "SettingError";
}

const HttpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), { error: "must be an http(s) URL" })
  .transform((text) => new URL(text));

const BankUrl = HttpUrl.refine((url) => url.username === "" && url.search === "" && url.hash === "", {
  error: "must have neither credentials nor query: they go by their own settings",
}).refine((url) => url.protocol === "https:" || isLoopback(url.hostname), {
  error: "must be https: the credentials travel with every token request",
});

/** One sentence for whatever is wrong: no number at all, or one out of range. */
function numberFrom(least: number, most: number, what: string) {
  const error = `${what} from ${least} to ${most}`;
  return z.coerce.number({ error }).min(least, { error }).max(most, { error });
}

const Port = numberFrom(1, 65_535, "must be a port number").int({ error: "must be a whole number" });

const NotYet = (what: string) => z.undefined({ error: `is not supported yet: ${what}` }).optional();

const Settings = z.object({
  BANK_BASE_URL: BankUrl.optional(),
  BANK_CLIENT_ID: z.string().min(1).optional(),
  BANK_CLIENT_SECRET: z.string().min(1).optional(),
  BANK_WEBHOOK_SECRET: z.string().min(1).optional(),
  BANK_NAME: z.string().min(1).optional(),
  BANK_ENVIRONMENT: z.enum(["SANDBOX", "PRODUCTION"], { error: "must be SANDBOX or PRODUCTION" }).default("PRODUCTION"),
  TENANTS_FILE: NotYet("name one tenant with BANK_BASE_URL"),
  OIDC_ISSUER: NotYet("staff sign in with e-mail and password"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: "must start with postgresql://" })
    .optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  DATA_KEY: z
    .string()
    .refine((text) => isKey(text), { error: "must be 32 bytes in base64" })
    .optional(),
  AUTH_SECRET: z.string().min(32, { error: "must have at least 32 characters" }).optional(),
  PUBLIC_URL: HttpUrl.optional(),
  PORT: Port.default(3000),
  WATCH_INTERVAL_SECONDS: numberFrom(1, 3600, "must be a number of seconds").default(30),
  SERVICE_HOST: z.string().min(1).default("127.0.0.1"),
  SERVICE_PORT: Port.default(4010),
  SERVICE_DATA_DIR: z.string().min(1).optional(),
  SERVICE_TENANTS_FILE: z.string().min(1).optional(),
});
type Settings = z.infer<typeof Settings>;

const EmbeddedTenants = z.object({
  tenants: z
    .array(
      z.object({
        clientId: z.string(),
        clientSecret: z.string(),
        name: z.string(),
        webhook: z.object({ secret: z.string() }).nullish(),
      }),
    )
    .min(1),
});

function required(
  settings: Settings,
  name: "BANK_CLIENT_ID" | "BANK_CLIENT_SECRET" | "DATA_KEY" | "AUTH_SECRET",
  beside: string,
): string {
  const value = settings[name];
  if (value === undefined) throw new SettingError(`${name}: is required with ${beside}`);
  return value;
}

function readTenants(file: string): z.output<typeof EmbeddedTenants>["tenants"] {
  try {
    return EmbeddedTenants.parse(JSON.parse(readFileSync(/* turbopackIgnore: true */ file, "utf8"))).tenants;
  } catch {
    throw new SettingError(`SERVICE_TENANTS_FILE: ${file} cannot be read as a list of tenants`);
  }
}

function embeddedTenant(settings: Settings): Tenant {
  const directory = settings.SERVICE_DATA_DIR ?? join(settings.DATA_DIR, "service");
  const file = settings.SERVICE_TENANTS_FILE ?? join(directory, "tenants.json");
  if (!existsSync(/* turbopackIgnore: true */ file)) {
    throw new SettingError(
      `BANK_BASE_URL: is not set, and the embedded service was never started here (no ${file}); use npm start`,
    );
  }
  const [tenant] = readTenants(file);
  if (tenant === undefined) throw new SettingError(`SERVICE_TENANTS_FILE: ${file} names no tenant`);
  return {
    clientId: tenant.clientId,
    clientSecret: tenant.clientSecret,
    webhookSecret: tenant.webhook?.secret ?? null,
    baseUrl: `http://${settings.SERVICE_HOST}:${settings.SERVICE_PORT}`,
    name: tenant.name,
    environment: "EMBEDDED",
  };
}

function tenantOf(settings: Settings): Tenant {
  if (settings.BANK_BASE_URL === undefined) return embeddedTenant(settings);
  const clientId = required(settings, "BANK_CLIENT_ID", "BANK_BASE_URL");
  return {
    clientId,
    clientSecret: required(settings, "BANK_CLIENT_SECRET", "BANK_BASE_URL"),
    webhookSecret: settings.BANK_WEBHOOK_SECRET ?? null,
    baseUrl: settings.BANK_BASE_URL.href.replace(/\/+$/, ""),
    name: settings.BANK_NAME ?? clientId,
    environment: settings.BANK_ENVIRONMENT,
  };
}

const isKey = (text: string) => Buffer.from(text, "base64").length === 32;

/** Reads the key, made on first start; a link appears whole or not at all, so two first starts agree on one key. */
function keyFile(dataDir: string, name: string): string {
  const directory = join(dataDir, "keys");
  const file = join(directory, name);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!existsSync(/* turbopackIgnore: true */ file)) {
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, randomBytes(32).toString("base64"), { mode: 0o600 });
      if (!existsSync(file)) linkSync(draft, file);
      rmSync(draft);
    }
    const key = readFileSync(file, "utf8").trim();
    if (!isKey(key)) throw new SettingError(`DATA_DIR: ${file} holds no key; bring it back from a backup`);
    return key;
  } catch (error) {
    if (error instanceof SettingError) throw error;
    throw new SettingError(
      `DATA_DIR: ${dataDir} cannot be written (${error instanceof Error ? error.message : "unknown"})`,
    );
  }
}

function parseSettings(source: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SettingError(`${issue?.path.join(".") ?? "settings"}: ${issue?.message ?? "are wrong"}`);
  }
  return parsed.data;
}

/** A key of this instance alone is made on first start; instances that share a database must be given the same one. */
function keyOf(settings: Settings, name: "DATA_KEY" | "AUTH_SECRET", file: string): string {
  if (settings.DATABASE_URL !== undefined) return required(settings, name, "DATABASE_URL");
  return settings[name] ?? keyFile(resolve(settings.DATA_DIR), file);
}

const keysOf = (settings: Settings) => ({
  dataKey: Buffer.from(keyOf(settings, "DATA_KEY", "data.key"), "base64"),
  authSecret: keyOf(settings, "AUTH_SECRET", "auth.key"),
});

/** Checks every setting; throws `SettingError` with one line that names the first wrong one. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const settings = parseSettings(source);
  return {
    ...keysOf(settings),
    tenant: tenantOf(settings),
    isEmbedded: settings.BANK_BASE_URL === undefined,
    databaseUrl: settings.DATABASE_URL ?? null,
    dataDir: resolve(settings.DATA_DIR),
    publicUrl: settings.PUBLIC_URL ?? new URL(`http://localhost:${settings.PORT}`),
    watchIntervalMs: settings.WATCH_INTERVAL_SECONDS * 1000,
  };
}

/** Throws what `readEnv` would, but for the embedded service's tenants: its own first start writes them. */
export function checkEnv(source: Record<string, string | undefined>): void {
  const settings = parseSettings(source);
  keysOf(settings);
  if (settings.BANK_BASE_URL !== undefined) tenantOf(settings);
}

let read: Env | undefined;

/** The settings of this process, checked once. */
export function env(): Env {
  read ??= readEnv(process.env);
  return read;
}

/** Takes these settings instead of the environment's; for tests. */
export function takeEnv(settings: Env): void {
  read = settings;
}

/** A PostgreSQL server for the tests to run on, instead of the embedded one. */
export const readTestDatabaseUrl = (): string | undefined => process.env["TEST_DATABASE_URL"] || undefined;
