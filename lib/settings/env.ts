import { readEmail } from "@/lib/text/email-address";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { trustedProxiesOf } from "@/server/addresses.mjs";
import { isLoopback } from "@/lib/text/safe-link";
import { dataKeyFiles, type DataKeys, dataKeysFrom, existingKeyFile, isKey, keyFile } from "./keys";
import { OIDC_SETTINGS, type OidcSettings, oidcSettingsOf, requireKnownTenants } from "./oidc-settings";
import { SecurityContact } from "./security-contact";
import { BankUrl, ClientId, HttpUrl, numberFrom, Port, SettingError } from "./setting";
import {
  CoinBalancesSetting,
  type Credentials,
  type Entry,
  readEmbeddedTenants,
  readSecretFile,
  readTenantsFile,
  type Secrets,
  secretsFrom,
  type Tenant,
  warningOf,
} from "./tenants-file";

type Source = Readonly<Record<string, string | undefined>>;

function parsedBy<Shape>(shape: z.ZodType<Shape>, source: Source): Shape {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const { data, error } = shape.safeParse(given);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw new SettingError(`${issue?.path.join(".") ?? "settings"}: ${issue?.message ?? "are wrong"}`);
}

const KEY_FILE = "audit.key";

const AUDIT_SETTINGS = {
  AUDIT_KEY: z
    .string()
    .refine((text) => isKey(text), { error: "must be 32 bytes in base64" })
    .optional(),
  AUDIT_HEADS_DIR: z.string().min(1).optional(),
};

type AuditSettings = {
  /** Private half of an Ed25519 key, 32 bytes. */
  auditKey: Buffer;
  auditHeadsDir: string;
};

type AuditVariables = {
  AUDIT_KEY?: string | undefined;
  AUDIT_HEADS_DIR?: string | undefined;
  DATABASE_URL?: string | undefined;
  DATA_DIR: string;
};

function keyOf({ AUDIT_KEY, DATABASE_URL, DATA_DIR }: AuditVariables): string {
  if (AUDIT_KEY !== undefined) return AUDIT_KEY;
  if (DATABASE_URL !== undefined) throw new SettingError("AUDIT_KEY: is required with DATABASE_URL");
  return keyFile(resolve(DATA_DIR), KEY_FILE);
}

/** Throws `SettingError`. Made on first start, unless instances share a database. */
const auditSettingsOf = (given: AuditVariables): AuditSettings => ({
  auditKey: Buffer.from(keyOf(given), "base64"),
  auditHeadsDir: resolve(/* turbopackIgnore: true */ given.AUDIT_HEADS_DIR ?? join(given.DATA_DIR, "audit-heads")),
});

const CERTIFICATE_SETTINGS = {
  PUBLIC_URL: HttpUrl.refine((url) => url.href === `${url.origin}/`, {
    error: "must be an origin alone, such as https://desk.example",
  }).optional(),
  TLS_CERT_FILE: z.string().min(1).optional(),
  TLS_KEY_FILE: z.string().min(1).optional(),
};

type CertificateVariables = {
  PORT: number;
  PUBLIC_URL?: URL | undefined;
  TRUSTED_PROXIES?: string | undefined;
  TLS_CERT_FILE?: string | undefined;
  TLS_KEY_FILE?: string | undefined;
};

const FILES = ["TLS_CERT_FILE", "TLS_KEY_FILE"] as const;

/** https when it serves its own certificate. Throws `SettingError`. */
export function publicUrlOf(given: CertificateVariables): URL {
  const { PORT, PUBLIC_URL, TRUSTED_PROXIES } = given;
  const set = FILES.filter((name) => given[name] !== undefined);
  if (set.length === 0) {
    if (PUBLIC_URL?.protocol === "https:" && TRUSTED_PROXIES === undefined) {
      throw new SettingError(
        "TRUSTED_PROXIES: is required with an https PUBLIC_URL: name the proxy that ends TLS, TRUSTED_PROXIES=127.0.0.1/32 for one on this machine",
      );
    }
    return PUBLIC_URL ?? new URL(`http://localhost:${PORT}`);
  }
  for (const name of FILES) {
    const file = given[name];
    if (file === undefined) throw new SettingError(`${name}: is required with ${set.join()}`);
    if (statSync(/* turbopackIgnore: true */ file, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new SettingError(`${name}: there is no file ${file}`);
    }
  }
  if (PUBLIC_URL !== undefined && PUBLIC_URL.protocol !== "https:") {
    throw new SettingError("PUBLIC_URL: must be https with TLS_CERT_FILE");
  }
  return PUBLIC_URL ?? new URL(`https://localhost:${PORT}`);
}

const VERIFIED = "names a server elsewhere, whose identity must be checked: end it with ?sslmode=verify-full";

/** On this machine, or over TLS with a verified certificate. */
function isPrivate(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { hostname, searchParams } = new URL(text);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  const isHere = host === "" || host.startsWith("/") || isLoopback(host) || host === "::1";
  return isHere || searchParams.getAll("sslmode").join() === "verify-full";
}

const PostgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: "must start with postgresql://", abort: true })
  .refine(isPrivate, { error: VERIFIED });

const DATABASE_SETTINGS = {
  DATABASE_URL: PostgresUrl.optional(),
  MIGRATION_DATABASE_URL: PostgresUrl.optional(),
  DATA_DIR: z.string().min(1).default(".data"),
};

export type DatabaseSettings = {
  databaseUrl: string | null;
  migrationDatabaseUrl: string | null;
};

type DatabaseVariables = { DATABASE_URL?: string | undefined; MIGRATION_DATABASE_URL?: string | undefined };

function databaseSettingsOf(given: DatabaseVariables): DatabaseSettings {
  const { DATABASE_URL: databaseUrl = null, MIGRATION_DATABASE_URL: migrationDatabaseUrl = null } = given;
  if (databaseUrl === null && migrationDatabaseUrl !== null) {
    throw new SettingError("MIGRATION_DATABASE_URL: is set without DATABASE_URL");
  }
  return { databaseUrl, migrationDatabaseUrl };
}

/** For migrating alone. Throws `SettingError`. */
export function readDatabaseSettings(source: Record<string, string | undefined>): DatabaseSettings {
  return databaseSettingsOf(parsedBy(z.object(DATABASE_SETTINGS), source));
}

const OWN_KEY = z.object({ AUDIT_KEY: AUDIT_SETTINGS.AUDIT_KEY, DATA_DIR: DATABASE_SETTINGS.DATA_DIR });

/** Without any other setting. Throws `SettingError`. */
export function readAuditKey(source: Record<string, string | undefined>): Buffer {
  const { AUDIT_KEY, DATA_DIR } = parsedBy(OWN_KEY, source);
  const key = AUDIT_KEY ?? existingKeyFile(DATA_DIR, KEY_FILE);
  if (key === null) throw new SettingError(`AUDIT_KEY: is not set, and there is no ${DATA_DIR}/keys/${KEY_FILE}`);
  return Buffer.from(key, "base64");
}

const DEMO_SETTINGS = {
  /** The service's own setting, which `npm start` gives to both. */
  SERVICE_DEMO_DATA: z.enum(["true", "false"], { error: "must be true or false" }).default("true"),
  /** Whether the demo's people order and decide something beforehand. */
  DEMO_ACTIVITY: z.enum(["true", "false"], { error: "must be true or false" }).default("true"),
  /** The service's own setting: made anew at each `npm start`. */
  SERVICE_CONTROL_TOKEN: z.string().min(1).optional(),
};

type DemoSettings = {
  isEmbedded: boolean;
  hasDemoData: boolean;
  hasDemoActivity: boolean;
  /** The embedded service's control routes, where `npm start` gave both programs the token; null at any other provider. */
  lab: { baseUrl: string; token: string } | null;
};

type DemoVariables = {
  BANK_BASE_URL?: string | undefined;
  TENANTS_FILE?: string | undefined;
  SERVICE_DEMO_DATA: string;
  DEMO_ACTIVITY: string;
  SERVICE_CONTROL_TOKEN?: string | undefined;
  SERVICE_HOST: string;
  SERVICE_PORT: number;
};

type ServiceVariables = Pick<DemoVariables, "SERVICE_HOST" | "SERVICE_PORT">;

const serviceUrlOf = ({ SERVICE_HOST, SERVICE_PORT }: ServiceVariables) => `http://${SERVICE_HOST}:${SERVICE_PORT}`;

function demoSettingsOf(settings: DemoVariables): DemoSettings {
  const isEmbedded = settings.BANK_BASE_URL === undefined && settings.TENANTS_FILE === undefined;
  const hasDemoData = isEmbedded && settings.SERVICE_DEMO_DATA === "true";
  const { SERVICE_CONTROL_TOKEN: token } = settings;
  return {
    isEmbedded,
    hasDemoData,
    hasDemoActivity: hasDemoData && settings.DEMO_ACTIVITY === "true",
    lab: isEmbedded && token !== undefined ? { baseUrl: serviceUrlOf(settings), token } : null,
  };
}

const SmtpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "", {
    error: "must be an smtp:// or smtps:// URL",
  })
  .transform((text) => new URL(text));

const Sender = z
  .string()
  .max(320)
  .regex(/^([^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, {
    error: "must be an address, or a name and an address in angle brackets",
  })
  .refine((text) => "email" in readEmail(text), { error: "names no e-mail address" });

export const MAIL_SETTINGS = { SMTP_URL: SmtpUrl.optional(), MAIL_FROM: Sender.optional() };

type MailServer = { server: URL; from: string };

type MailVariables = { SMTP_URL?: URL | undefined; MAIL_FROM?: string | undefined };

/** Null without a mail server: people hand over links. */
export function mailServerOf({ SMTP_URL: server, MAIL_FROM: from }: MailVariables): MailServer | null {
  if (server === undefined && from === undefined) return null;
  if (from === undefined) throw new SettingError("MAIL_FROM: is required with SMTP_URL");
  if (server === undefined) throw new SettingError("SMTP_URL: is required with MAIL_FROM");
  return { server, from };
}

const Years = numberFrom(1, 100, "must be a number of years").int({ error: "must be a whole number" });

const Days = numberFrom(31, 3_660, "must be a number of days").int({ error: "must be a whole number" });

const RETENTION_SETTINGS = { RETENTION_YEARS: Years.default(10), ENTRIES_DAYS: Days.default(366) };

type RetentionSettings = {
  retentionYears: number;
  /** Entries of statements are kept so long. */
  entriesDays: number;
};

type RetentionVariables = { RETENTION_YEARS: number; ENTRIES_DAYS: number };

const retentionSettingsOf = ({ RETENTION_YEARS, ENTRIES_DAYS }: RetentionVariables): RetentionSettings => ({
  retentionYears: RETENTION_YEARS,
  entriesDays: ENTRIES_DAYS,
});

export type ScannerAddress = { path: string } | { host: string; port: number };

const error = "must be the path of clamd's socket, or host:port of this machine";

const Address = z.string().transform((text, context): ScannerAddress => {
  if (text.startsWith("/")) return { path: text };
  const [, host = "", port = ""] = /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  // Sent in clear, so only to this machine.
  if (isLoopback(host) && Number(port) >= 1 && Number(port) <= 65_535) {
    return { host: host.replaceAll(/^\[|\]$/g, ""), port: Number(port) };
  }
  context.addIssue({ code: "custom", message: error });
  return z.NEVER;
});

export const SCANNER_SETTINGS = { CLAMD_ADDRESS: Address.optional() };

const METRICS_SETTINGS = { METRICS_PORT: Port.optional(), METRICS_HOST: z.string().min(1).optional() };

type MetricsSettings = { host: string; port: number };

type MetricsVariables = { PORT: number; METRICS_PORT?: number | undefined; METRICS_HOST?: string | undefined };

/** Null without a port: nobody is told. */
function metricsSettingsOf({ PORT, METRICS_PORT: port, METRICS_HOST: host }: MetricsVariables): MetricsSettings | null {
  if (port === undefined && host !== undefined) throw new SettingError("METRICS_HOST: is set without METRICS_PORT");
  if (port === PORT) throw new SettingError("METRICS_PORT: must differ from PORT, which everybody reaches");
  return port === undefined ? null : { host: host ?? "127.0.0.1", port };
}

const SESSION_SETTINGS = {
  SESSION_IDLE_MINUTES: numberFrom(0.1, 720, "must be a number of minutes").default(30),
  STEP_UP_MINUTES: numberFrom(0.05, 60, "must be a number of minutes").default(5),
  SECOND_FACTOR_FOR: z.enum(["everyone", "critical-roles"], { error: "must be everyone or critical-roles" }).optional(),
  TRUSTED_PROXIES: z
    .string()
    .refine((text) => trustedProxiesOf(text) !== null, {
      error: "must be addresses or networks with commas between them, such as 127.0.0.1/32, or none",
    })
    .optional(),
};

type SessionSettings = {
  sessionIdleMs: number;
  stepUpMs: number;
  secondFactorFor: "everyone" | "critical-roles";
};

type SessionVariables = {
  SESSION_IDLE_MINUTES: number;
  STEP_UP_MINUTES: number;
  SECOND_FACTOR_FOR?: SessionSettings["secondFactorFor"] | undefined;
};

const sessionSettingsOf = (settings: SessionVariables, { isEmbedded }: { isEmbedded: boolean }): SessionSettings => ({
  sessionIdleMs: settings.SESSION_IDLE_MINUTES * 60_000,
  stepUpMs: settings.STEP_UP_MINUTES * 60_000,
  secondFactorFor: settings.SECOND_FACTOR_FOR ?? (isEmbedded ? "critical-roles" : "everyone"),
});

const Secret = z.string().min(1).optional();

const WEBHOOK_SETTINGS = { BANK_WEBHOOK_SECRET: Secret, BANK_WEBHOOK_SECRET_PREVIOUS: Secret };

type WebhookVariables = { BANK_WEBHOOK_SECRET?: string | undefined; BANK_WEBHOOK_SECRET_PREVIOUS?: string | undefined };

/** The current one first. Throws `SettingError` for a previous one alone. */
export function webhookSecretsOf({
  BANK_WEBHOOK_SECRET: secret,
  BANK_WEBHOOK_SECRET_PREVIOUS: previous,
}: WebhookVariables): string[] {
  if (secret === undefined && previous !== undefined)
    throw new SettingError("BANK_WEBHOOK_SECRET_PREVIOUS: is set without BANK_WEBHOOK_SECRET");
  return [secret ?? [], previous ?? []].flat();
}

export type Env = RetentionSettings &
  DatabaseSettings &
  AuditSettings &
  SessionSettings &
  DemoSettings &
  OidcSettings & {
    /** The first is where people start. */
    tenants: readonly [Tenant, ...Tenant[]];
    readSecrets: (clientId: string) => Secrets;
    dataDir: string;
    dataKeys: DataKeys;
    /** Keys are files in `dataDir`, where the next one may be made; otherwise the settings give them. */
    hasKeyFiles: boolean;
    authSecret: string;
    publicUrl: URL;
    watchIntervalMs: number;
    /** An event that has not come so long after its change was seen is missing. */
    webhookGraceMs: number;
    mail: MailServer | null;
    scanner: ScannerAddress | null;
    metrics: MetricsSettings | null;
    securityContact: string | null;
    callsPerMinute: number;
    warnings: string[];
  };

/** The provider allows about 200 (interface: Limits); a tenth stays free for others at our IP address. */
const CallsPerMinute = numberFrom(18, 1_000_000, "must be a number of calls").int({ error: "must be a whole number" });

const Settings = z.object({
  BANK_BASE_URL: BankUrl.optional(),
  BANK_CLIENT_ID: ClientId.optional(),
  BANK_CLIENT_SECRET: z.string().min(1).optional(),
  BANK_CLIENT_SECRET_FILE: z.string().min(1).optional(),
  ...WEBHOOK_SETTINGS,
  BANK_NAME: z.string().min(1).optional(),
  BANK_CALLS_PER_MINUTE: CallsPerMinute.default(180),
  BANK_ENVIRONMENT: z.enum(["SANDBOX", "PRODUCTION"], { error: "must be SANDBOX or PRODUCTION" }).optional(),
  BANK_COIN_BALANCES: CoinBalancesSetting.optional(),
  TENANTS_FILE: z.string().min(1).optional(),
  ...OIDC_SETTINGS,
  ...DATABASE_SETTINGS,
  ...DEMO_SETTINGS,
  DATA_KEY: z
    .string()
    .refine((text) => isKey(text), { error: "must be 32 bytes in base64" })
    .optional(),
  DATA_KEYS_OTHER: z
    .string()
    .transform((text) => text.split(",").map((key) => key.trim()))
    .refine((keys) => keys.every(isKey), { error: "must be keys of 32 bytes in base64, with commas between them" })
    .optional(),
  AUTH_SECRET: z.string().min(32, { error: "must have at least 32 characters" }).optional(),
  ...CERTIFICATE_SETTINGS,
  PORT: Port.default(3000),
  WATCH_INTERVAL_SECONDS: numberFrom(1, 3600, "must be a number of seconds").default(30),
  WEBHOOK_GRACE_SECONDS: numberFrom(1, 86_400, "must be a number of seconds").default(600),
  ...RETENTION_SETTINGS,
  ...SESSION_SETTINGS,
  ...AUDIT_SETTINGS,
  ...MAIL_SETTINGS,
  ...SCANNER_SETTINGS,
  ...METRICS_SETTINGS,
  SECURITY_CONTACT: SecurityContact.optional(),
  SERVICE_HOST: z.string().min(1).default("127.0.0.1"),
  SERVICE_PORT: Port.default(4010),
  SERVICE_DATA_DIR: z.string().min(1).optional(),
  SERVICE_TENANTS_FILE: z.string().min(1).optional(),
});
type Settings = z.infer<typeof Settings>;

function required(
  settings: Settings,
  name: "BANK_CLIENT_ID" | "BANK_CLIENT_SECRET" | "DATA_KEY" | "AUTH_SECRET",
  beside: string,
): string {
  const value = settings[name];
  if (value === undefined) throw new SettingError(`${name}: is required with ${beside}`);
  return value;
}

function clientSecretOf(settings: Settings): string {
  const { BANK_CLIENT_SECRET: secret, BANK_CLIENT_SECRET_FILE: file } = settings;
  if (file === undefined) return secret ?? required(settings, "BANK_CLIENT_SECRET", "BANK_BASE_URL");
  if (secret !== undefined) throw new SettingError("BANK_CLIENT_SECRET_FILE: is set beside BANK_CLIENT_SECRET");
  return readSecretFile("BANK_CLIENT_SECRET_FILE", file);
}

function namedTenant(settings: Settings, baseUrl: string): Entry {
  const clientId = required(settings, "BANK_CLIENT_ID", "BANK_BASE_URL");
  const { BANK_NAME: name = clientId, BANK_ENVIRONMENT: environment = "PRODUCTION" } = settings;
  const { BANK_COIN_BALANCES: coinBalances } = settings;
  return {
    tenant: { clientId, name, environment, baseUrl, ...(coinBalances !== undefined && { coinBalances }) },
    secrets: {
      credentials: { clientSecret: clientSecretOf(settings) },
      webhookSecrets: webhookSecretsOf(settings),
    },
  };
}

function readEmbedded(settings: Settings): Entry[] {
  const directory = settings.SERVICE_DATA_DIR ?? join(settings.DATA_DIR, "service");
  const file = settings.SERVICE_TENANTS_FILE ?? join(directory, "tenants.json");
  if (!existsSync(/* turbopackIgnore: true */ file)) {
    throw new SettingError(
      `BANK_BASE_URL: is not set, and the embedded service was never started here (no ${file}); use npm start`,
    );
  }
  return readEmbeddedTenants(file, serviceUrlOf(settings));
}

function tenantReader(settings: Settings): () => Entry[] {
  const { TENANTS_FILE: file, BANK_BASE_URL: baseUrl } = settings;
  const { BANK_CALLS_PER_MINUTE: _, ...others } = settings;
  const alone = Object.keys(others).find((name) => name.startsWith("BANK_"));
  if (file !== undefined) {
    if (alone !== undefined) throw new SettingError(`TENANTS_FILE: is set beside ${alone}; name every tenant in it`);
    return () => readTenantsFile(file);
  }
  return baseUrl === undefined ? () => readEmbedded(settings) : () => [namedTenant(settings, baseUrl)];
}

function tenantsOf(settings: Settings): Pick<Env, "tenants" | "readSecrets" | "warnings"> {
  const read = tenantReader(settings);
  const tenants = read().map(({ tenant }) => tenant);
  const [first, ...others] = tenants;
  if (first === undefined) throw new SettingError("TENANTS_FILE: names no tenant");
  const warnings = (["TENANTS_FILE", "BANK_CLIENT_SECRET_FILE"] as const).flatMap((name) => {
    const file = settings[name];
    return (file === undefined ? null : warningOf(name, file)) ?? [];
  });
  const logos = tenants.flatMap(({ company }) => company?.logoFile ?? []);
  for (const logo of logos) {
    if (!existsSync(/* turbopackIgnore: true */ logo)) warnings.push(`TENANTS_FILE: the logo ${logo} is no file`);
  }
  return { tenants: [first, ...others], readSecrets: secretsFrom(read), warnings };
}

/** Made on first start; instances that share a database must be given the same one. */
function authSecretOf(settings: Settings): string {
  if (settings.DATABASE_URL !== undefined) return required(settings, "AUTH_SECRET", "DATABASE_URL");
  return settings.AUTH_SECRET ?? keyFile(resolve(settings.DATA_DIR), "auth.key");
}

function dataKeysOf(settings: Settings): Pick<Env, "dataKeys" | "hasKeyFiles"> {
  const { DATABASE_URL, DATA_KEY, DATA_KEYS_OTHER } = settings;
  if (DATABASE_URL !== undefined) required(settings, "DATA_KEY", "DATABASE_URL");
  if (DATA_KEY !== undefined) return { dataKeys: dataKeysFrom(DATA_KEY, DATA_KEYS_OTHER ?? []), hasKeyFiles: false };
  if (DATA_KEYS_OTHER !== undefined) throw new SettingError("DATA_KEYS_OTHER: is set without DATA_KEY");
  return { dataKeys: dataKeyFiles(resolve(settings.DATA_DIR)), hasKeyFiles: true };
}

const keysOf = (settings: Settings) => ({
  ...dataKeysOf(settings),
  authSecret: authSecretOf(settings),
  ...auditSettingsOf(settings),
});

/** Throws `SettingError` with one line for the first wrong one. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const settings = parsedBy(Settings, source);
  const named = tenantsOf(settings);
  const signOn = oidcSettingsOf(settings);
  const demo = demoSettingsOf(settings);
  requireKnownTenants(
    signOn,
    named.tenants.map(({ clientId }) => clientId),
  );
  return {
    ...keysOf(settings),
    ...named,
    ...signOn,
    ...demo,
    ...databaseSettingsOf(settings),
    dataDir: resolve(settings.DATA_DIR),
    publicUrl: publicUrlOf(settings),
    watchIntervalMs: settings.WATCH_INTERVAL_SECONDS * 1000,
    webhookGraceMs: settings.WEBHOOK_GRACE_SECONDS * 1000,
    callsPerMinute: settings.BANK_CALLS_PER_MINUTE,
    ...retentionSettingsOf(settings),
    ...sessionSettingsOf(settings, demo),
    mail: mailServerOf(settings),
    scanner: settings.CLAMD_ADDRESS ?? null,
    metrics: metricsSettingsOf(settings),
    securityContact: settings.SECURITY_CONTACT ?? null,
  };
}

/** Like `readEnv`, without the embedded service's tenants: its own first start writes them. */
export function checkEnv(source: Record<string, string | undefined>): void {
  const settings = parsedBy(Settings, source);
  databaseSettingsOf(settings);
  publicUrlOf(settings);
  keysOf(settings);
  oidcSettingsOf(settings);
  metricsSettingsOf(settings);
  if (!demoSettingsOf(settings).isEmbedded) tenantsOf(settings);
}

declare global {
  var retaguardaEnv: Env | undefined;
}

export function env(): Env {
  globalThis.retaguardaEnv ??= readEnv(process.env);
  return globalThis.retaguardaEnv;
}

export function takeEnv(settings: Env): void {
  globalThis.retaguardaEnv = settings;
}

export function tenantOf(clientId: string): Tenant | undefined {
  return env().tenants.find((tenant) => tenant.clientId === clientId);
}

/** Throws `SettingError` for an unknown Client_ID. */
export const readCredentials = (clientId: string): Credentials => env().readSecrets(clientId).credentials;

export const readTestDatabaseUrl = (): string | undefined => process.env["TEST_DATABASE_URL"] || undefined;
