import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inArray } from "drizzle-orm";
import { z } from "zod";
import { WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";
import { readJson } from "@/service/json";
import { type Random, secretText, uuid } from "@/service/random";
import { type Settings, SettingsError } from "@/service/settings";
import { tenantBilling } from "@/service/store/schema";
import type { Db } from "@/service/store/transaction";

export type TenantDirectory = { all: readonly Tenant[]; find: (clientId: string) => Tenant | undefined };

export function createDirectory(tenants: readonly Tenant[]): TenantDirectory {
  const byId = new Map(tenants.map((tenant) => [tenant.clientId, tenant]));
  return { all: tenants, find: (clientId) => byId.get(clientId) };
}

const LOOPBACK = new Set(["localhost", "127.0.0.1"]);

const NOT_A_WEB_ADDRESS = "must be an http(s) URL";

/** Whatever its host resolves to; undefined for a valid URL. */
export function faultOfWebhookUrl(url: string, allowLoopbackHttp: boolean): string | undefined {
  if (!URL.canParse(url)) return NOT_A_WEB_ADDRESS;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") return "must not carry a user or a password";
  if (protocol === "https:") return undefined;
  if (protocol !== "http:" || !LOOPBACK.has(hostname)) return "must be https";
  return allowLoopbackHttp ? undefined : "must be https (SERVICE_ALLOW_LOOPBACK_HTTP=true allows this machine's http)";
}

export const PRODUCT_FAMILIES = ["BANKING", "CRYPTO", "CRYPTO_BRIDGE", "KYC", "SALARY_ADVANCE"] as const;
export type ProductFamily = (typeof PRODUCT_FAMILIES)[number];
export const BillingStatus = z.enum(["ACTIVE", "SUSPENDED", "RESTRICTED"]);
export type BillingStatus = z.infer<typeof BillingStatus>;

const Webhook = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: NOT_A_WEB_ADDRESS }),
  secret: z.string().min(1),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
});

export const Tenant = z.strictObject({
  clientId: z
    .string()
    .regex(/^[!-9;-~]{1,100}$/, { error: "must be 1 to 100 ASCII characters without space or colon" }),
  clientSecret: z.string().min(1),
  name: z.string().min(1),
  enabledProducts: z.array(z.enum(PRODUCT_FAMILIES)),
  allowedOperations: z
    .array(z.string().regex(/^(GET|POST|PUT|DELETE|PATCH) \/v1\/\S+$/, { error: 'must read "METHOD /v1/path"' }))
    .nullable()
    .default(null),
  billingStatus: BillingStatus.default("ACTIVE"),
  webhook: Webhook.nullable().default(null),
});
/** Its Client_ID is its tenant id. */
export type Tenant = z.infer<typeof Tenant>;

function tenantsFile({ allowLoopbackHttp }: Settings) {
  return z.strictObject({ tenants: z.array(Tenant).min(1) }).superRefine(({ tenants }, context) => {
    const seen = new Set<string>();
    for (const [index, { clientId, webhook }] of tenants.entries()) {
      const refuse = (path: string[], message: string) =>
        context.addIssue({ code: "custom", message, path: ["tenants", index, ...path] });
      if (seen.has(clientId)) refuse(["clientId"], "is used twice");
      seen.add(clientId);
      const wrong = webhook && faultOfWebhookUrl(webhook.url, allowLoopbackHttp);
      if (wrong) refuse(["webhook", "url"], wrong);
    }
  });
}

/** Throws `SettingsError` naming the file and each invalid field. */
export function parseTenants(settings: Settings, file: string, content: Uint8Array): Tenant[] {
  const json = readJson(content);
  if (!json) throw new SettingsError(`tenants file ${file}: is not valid JSON`);
  const parsed = tenantsFile(settings).safeParse(json.value);
  if (parsed.success) return parsed.data.tenants;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the whole"}: ${message}`);
  throw new SettingsError(`tenants file ${file}: ${[...new Set(faults)].join("; ")}`);
}

function demoTenant({ allowLoopbackHttp, demoWebhookUrl }: Settings, random: Random): Tenant {
  const clientId = `aurora-${uuid(random).slice(0, 8)}`;
  const url = `${demoWebhookUrl.replace(/\/$/, "")}/${clientId}`;
  const webhook = { url, secret: secretText(random), events: [...WEBHOOK_EVENTS] };
  return {
    clientId,
    clientSecret: secretText(random),
    name: "Aurora Pagamentos",
    enabledProducts: [...PRODUCT_FAMILIES],
    allowedOperations: null,
    billingStatus: "ACTIVE",
    webhook: faultOfWebhookUrl(url, allowLoopbackHttp) === undefined ? webhook : null,
  };
}

/** Readable by its owner alone. */
function writeDemoTenants(settings: Settings, random: Random, file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const content = JSON.stringify({ tenants: [demoTenant(settings, random)] }, null, 2);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${content}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** A demo tenant is made when the file is not set. Throws `SettingsError`. */
export function loadTenants(settings: Settings, random: Random): Tenant[] {
  const file = settings.tenantsFile ?? join(settings.dataDir, "tenants.json");
  if (!existsSync(file)) {
    if (settings.tenantsFile !== undefined) throw new SettingsError(`tenants file ${file}: is not there`);
    writeDemoTenants(settings, random, file);
  }
  return parseTenants(settings, file, readFileSync(file));
}

/** From the tenants file, until a control route changes it. */
export type Billing = {
  statusOf: (tenant: Tenant) => BillingStatus;
  set: (tenant: Tenant, status: BillingStatus) => Promise<void>;
};

export async function openBilling({ db, tenants }: { db: Db; tenants: TenantDirectory }): Promise<Billing> {
  const rows = await db.select().from(tenantBilling);
  const holds = (row: (typeof rows)[number]) => tenants.find(row.clientId)?.billingStatus === row.insteadOf;
  const outdated = rows.filter((row) => !holds(row)).map(({ clientId }) => clientId);
  if (outdated.length > 0) await db.delete(tenantBilling).where(inArray(tenantBilling.clientId, outdated));
  const changed = new Map(rows.filter(holds).map((row) => [row.clientId, row.status]));
  return {
    statusOf: (tenant) => changed.get(tenant.clientId) ?? tenant.billingStatus,
    set: async (tenant, status) => {
      const change = { status, insteadOf: tenant.billingStatus };
      await db
        .insert(tenantBilling)
        .values({ clientId: tenant.clientId, ...change })
        .onConflictDoUpdate({ target: tenantBilling.clientId, set: change });
      changed.set(tenant.clientId, status);
    },
  };
}
