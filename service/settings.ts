import { z } from "zod";

const Port = z.coerce.number({ error: "must be a port number" }).int().min(0).max(65_535);
const Flag = z.enum(["true", "false"], { error: "must be true or false" }).transform((text) => text === "true");
const Delay = z.union(
  [
    z.literal("manual"),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ],
  { error: 'must be milliseconds or "manual"' },
);

const reais = z.string().regex(/^\d{1,15}(\.\d{1,2})?$/, { error: "must be an amount in reais, like 10000.00" });
const coins = z.string().regex(/^\d{1,15}(\.\d{1,6})?$/, { error: "must be an amount of coins, like 10" });

const Environment = z.object({
  SERVICE_HOST: z.string().min(1).default("127.0.0.1"),
  SERVICE_PORT: Port.default(4010),
  SERVICE_PUBLIC_URL: z.url({ protocol: /^https?$/, error: "must be an http(s) URL" }).optional(),
  SERVICE_DATA_DIR: z.string().min(1).default(".data/service"),
  SERVICE_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }).optional(),
  SERVICE_TENANTS_FILE: z.string().min(1).optional(),
  SERVICE_CONTROL_TOKEN: z.string().min(1).optional(),
  SERVICE_DEMO_DATA: Flag.default(false),
  SERVICE_DEMO_WEBHOOK_URL: z.string().min(1).default("http://localhost:3000/api/hooks"),
  SERVICE_RATE_LIMIT_PER_MINUTE: z.coerce.number({ error: "must be a number" }).int().min(1).default(200),
  SERVICE_PROVIDER_DELAY_MS: Delay.default(4_000),
  SERVICE_ALLOW_LOOPBACK_HTTP: Flag.default(false),
  SERVICE_WEBHOOK_HOSTS: z
    .string()
    .default("localhost,127.0.0.1")
    .transform((hosts) => hosts.split(",").map((host) => host.trim())),
  SERVICE_HOLD_FROM_REAIS: reais.default("10000.00"),
  SERVICE_BLOCK_FROM_REAIS: reais.default("1000000.00"),
  SERVICE_HOLD_FROM_COINS: coins.default("10"),
  SERVICE_BLOCK_FROM_COINS: coins.default("1000"),
  SERVICE_LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
});

/** One line that names the setting. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

const ANYWHERE = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

export function originOf(host: string, port: number): string {
  const reachable = ANYWHERE.get(host) ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Throws `SettingsError` naming each invalid one. */
export function readSettings(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new SettingsError(faults.join("; "));
  }
  const env = parsed.data;
  return {
    host: env.SERVICE_HOST,
    port: env.SERVICE_PORT,
    /** Where browsers reach the simulated providers' pages. */
    publicUrl: (env.SERVICE_PUBLIC_URL ?? originOf(env.SERVICE_HOST, env.SERVICE_PORT)).replace(/\/$/, ""),
    dataDir: env.SERVICE_DATA_DIR,
    databaseUrl: env.SERVICE_DATABASE_URL,
    tenantsFile: env.SERVICE_TENANTS_FILE,
    controlToken: env.SERVICE_CONTROL_TOKEN,
    demoData: env.SERVICE_DEMO_DATA,
    demoWebhookUrl: env.SERVICE_DEMO_WEBHOOK_URL,
    rateLimitPerMinute: env.SERVICE_RATE_LIMIT_PER_MINUTE,
    /** `manual` leaves every outcome to the control routes. */
    providerDelayMs: env.SERVICE_PROVIDER_DELAY_MS,
    allowLoopbackHttp: env.SERVICE_ALLOW_LOOPBACK_HTTP,
    webhookHosts: env.SERVICE_WEBHOOK_HOSTS,
    antifraud: {
      reais: { holdFrom: env.SERVICE_HOLD_FROM_REAIS, blockFrom: env.SERVICE_BLOCK_FROM_REAIS },
      coins: { holdFrom: env.SERVICE_HOLD_FROM_COINS, blockFrom: env.SERVICE_BLOCK_FROM_COINS },
    },
    logLevel: env.SERVICE_LOG_LEVEL,
  };
}

export type Settings = ReturnType<typeof readSettings>;

export const readEnvironment = (): Settings => readSettings(process.env);

export const readTestDatabaseUrl = (): string | undefined => process.env["TEST_DATABASE_URL"] || undefined;
