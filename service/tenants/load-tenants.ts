import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { WEBHOOK_EVENTS } from "@/lib/contract/webhooks";
import { readJson } from "@/service/json";
import { type Random, secretText, uuid } from "@/service/random";
import { type Settings, SettingsError } from "@/service/settings";
import { PRODUCT_FAMILIES, Tenant } from "./tenant";
import { faultOfWebhookUrl } from "./webhook-url";

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

/** The tenants of the file's content. Throws `SettingsError` naming the file and each field that does not fit. */
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

/** Writes the demo tenants where the console looks for them; its owner alone may read its secrets. */
function writeDemoTenants(settings: Settings, random: Random, file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const content = JSON.stringify({ tenants: [demoTenant(settings, random)] }, null, 2);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${content}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/**
 * Reads the tenants; without SERVICE_TENANTS_FILE a demo tenant with random secrets, made on first start.
 * Throws `SettingsError` when the file is absent or does not fit.
 */
export function loadTenants(settings: Settings, random: Random): Tenant[] {
  const file = settings.tenantsFile ?? join(settings.dataDir, "tenants.json");
  if (!existsSync(file)) {
    if (settings.tenantsFile !== undefined) throw new SettingsError(`tenants file ${file}: is not there`);
    writeDemoTenants(settings, random, file);
  }
  return parseTenants(settings, file, readFileSync(file));
}
