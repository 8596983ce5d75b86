import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { AUDIT_SETTINGS, type AuditSettings, auditSettingsOf } from "@/lib/audit-settings";
import { CERTIFICATE_SETTINGS, publicUrlOf } from "@/lib/certificate-settings";
import { DATABASE_SETTINGS, type DatabaseSettings, databaseSettingsOf } from "@/lib/database-settings";
import { DEMO_SETTINGS, type DemoSettings, demoSettingsOf } from "@/lib/demo-settings";
import { type DataKeys, dataKeyFiles, dataKeysFrom, isKey, keyFile } from "@/lib/keys";
import { MAIL_SETTINGS, type MailServer, mailServerOf } from "@/lib/mail-settings";
import { OIDC_SETTINGS, type OidcSettings, oidcSettingsOf, requireKnownTenants } from "@/lib/oidc-settings";
import { RETENTION_SETTINGS, type RetentionSettings, retentionSettingsOf } from "@/lib/retention-settings";
import { SCANNER_SETTINGS, type ScannerAddress } from "@/lib/scanner-settings";
import { SecurityContact } from "@/lib/security-contact";
import { SESSION_SETTINGS, type SessionSettings, sessionSettingsOf } from "@/lib/session-settings";
import { BankUrl, ClientId, numberFrom, Port, SettingError } from "@/lib/setting";
import {
  type Credentials,
  type Entry,
  readEmbeddedTenants,
  readSecretFile,
  readTenantsFile,
  type Secrets,
  secretsFrom,
  type Tenant,
  warningOf,
} from "@/lib/tenants-file";
import { WEBHOOK_SETTINGS, webhookSecretsOf } from "@/lib/webhook-settings";

export type Env = RetentionSettings &
  DatabaseSettings &
  AuditSettings &
  SessionSettings &
  DemoSettings &
  OidcSettings & {
    /** In the order they are named; the first is where people begin. */
    tenants: readonly [Tenant, ...Tenant[]];
    readSecrets: (clientId: string) => Secrets;
    dataDir: string;
    /** Encrypt personal data and key its look-up hashes. */
    dataKeys: DataKeys;
    /** They are files in `dataDir`, where the next one may be made; else they are the settings'. */
    hasKeyFiles: boolean;
    authSecret: string;
    publicUrl: URL;
    watchIntervalMs: number;
    mail: MailServer | null;
    scanner: ScannerAddress | null;
    /** Where weaknesses of this installation are reported, as a URI. */
    securityContact: string | null;
    /** What all instances together may ask of one provider in any 60 seconds. */
    callsPerMinute: number;
    /** What works but should not stay so: a line each. */
    warnings: string[];
  };

/** The provider lets about 200 pass (interface: Limits); a tenth stays free for whoever shares our address. */
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
  ...RETENTION_SETTINGS,
  ...SESSION_SETTINGS,
  ...AUDIT_SETTINGS,
  ...MAIL_SETTINGS,
  ...SCANNER_SETTINGS,
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
  return {
    tenant: { clientId, name, environment, baseUrl },
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
  return readEmbeddedTenants(file, `http://${settings.SERVICE_HOST}:${settings.SERVICE_PORT}`);
}

/** How this console's tenants are read, now and whenever a secret is wanted. */
function tenantReader(settings: Settings): () => Entry[] {
  const { TENANTS_FILE: file, BANK_BASE_URL: baseUrl } = settings;
  // How often a provider may be called is no matter of one tenant.
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
  const [first, ...others] = read().map(({ tenant }) => tenant);
  if (first === undefined) throw new SettingError("TENANTS_FILE: names no tenant");
  const warnings = (["TENANTS_FILE", "BANK_CLIENT_SECRET_FILE"] as const).flatMap((name) => {
    const file = settings[name];
    return (file === undefined ? null : warningOf(name, file)) ?? [];
  });
  return { tenants: [first, ...others], readSecrets: secretsFrom(read), warnings };
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

/** A secret of this instance alone is made on first start; instances that share a database must be given the same one. */
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

/** Checks every setting; throws `SettingError` with one line that names the first wrong one. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const settings = parseSettings(source);
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
    callsPerMinute: settings.BANK_CALLS_PER_MINUTE,
    ...retentionSettingsOf(settings),
    ...sessionSettingsOf(settings, demo),
    mail: mailServerOf(settings),
    scanner: settings.CLAMD_ADDRESS ?? null,
    securityContact: settings.SECURITY_CONTACT ?? null,
  };
}

/** Throws what `readEnv` would, but for the embedded service's tenants: its own first start writes them. */
export function checkEnv(source: Record<string, string | undefined>): void {
  const settings = parseSettings(source);
  databaseSettingsOf(settings);
  publicUrlOf(settings);
  keysOf(settings);
  oidcSettingsOf(settings);
  if (!demoSettingsOf(settings).isEmbedded) tenantsOf(settings);
}

declare global {
  var retaguardaEnv: Env | undefined;
}

/** The settings of this process, checked once. */
export function env(): Env {
  globalThis.retaguardaEnv ??= readEnv(process.env);
  return globalThis.retaguardaEnv;
}

/** Takes these settings instead of the environment's. */
export function takeEnv(settings: Env): void {
  globalThis.retaguardaEnv = settings;
}

/** The tenant of this Client_ID; undefined when the settings name it no more. */
export function tenantOf(clientId: string): Tenant | undefined {
  return env().tenants.find((tenant) => tenant.clientId === clientId);
}

/** A tenant's credentials as they are now. Throws `SettingError` for a Client_ID that is none of ours. */
export const readCredentials = (clientId: string): Credentials => env().readSecrets(clientId).credentials;

/** A PostgreSQL server for the tests to run on, instead of the embedded one. */
export const readTestDatabaseUrl = (): string | undefined => process.env["TEST_DATABASE_URL"] || undefined;
