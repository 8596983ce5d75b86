import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { formatDocument, isCnpj } from "@/lib/contract/document";
import { normaliseDocument } from "@/lib/contract/fold";
import { log } from "@/lib/log/log";
import { BankUrl, ClientId, SettingError } from "./setting";

export type Environment = "EMBEDDED" | "SANDBOX" | "PRODUCTION";

export type Company = {
  name: string;
  cnpj?: string | undefined;
  customerService?: string | undefined;
  logoFile?: string | undefined;
  /** The bank that keeps the accounts, for OFX. */
  bankId?: string | undefined;
};

/** The unit of a provider's coin balances: coins, as the interface says, or the smallest units of each. */
export const COIN_BALANCES = ["units", "smallest"] as const;
export type CoinBalances = (typeof COIN_BALANCES)[number];

export type Tenant = {
  clientId: string;
  name: string;
  environment: Environment;
  baseUrl: string;
  company?: Company;
  coinBalances?: CoinBalances;
};

/** During a secret's change, the provider may still want the previous one. */
export type Credentials = { clientSecret: string; previousClientSecret?: string };
export type Secrets = {
  credentials: Credentials;
  /** The current one first, then the previous. None: no webhooks. */
  webhookSecrets: readonly string[];
};

export type Entry = { tenant: Tenant; secrets: Secrets };

const Text = z
  .string({ error: ({ input }) => (input === undefined ? "is missing" : "must be a text") })
  .min(1, { error: "must not be empty" });

const onlyKnown = {
  error: (issue: { code?: string; keys?: string[] }) =>
    issue.code === "unrecognized_keys" ? `has no field ${issue.keys?.join(", ")}` : "must be an object",
};

export const CoinBalancesSetting = z.enum(COIN_BALANCES, { error: "must be units or smallest" });

const CompanyOfTenant = z.strictObject(
  {
    name: Text,
    cnpj: Text.refine((typed) => isCnpj(normaliseDocument(typed)), { error: "must be a CNPJ" })
      .transform((typed) => formatDocument(normaliseDocument(typed)))
      .optional(),
    customerService: Text.optional(),
    bankId: Text.regex(/^(?:\d{3}|\d{8})$/, {
      error: "must be the three digits of a bank, or the eight of its ISPB",
    }).optional(),
    logoFile: Text.regex(/\.(?:png|jpe?g)$/i, { error: "must be a PNG or JPEG file" }).optional(),
  },
  onlyKnown,
);

const Named = z.strictObject(
  {
    name: Text,
    company: CompanyOfTenant.optional(),
    environment: z.enum(["SANDBOX", "PRODUCTION"], { error: "must be SANDBOX or PRODUCTION" }),
    baseUrl: Text.pipe(BankUrl),
    coinBalances: CoinBalancesSetting.optional(),
    clientId: Text.pipe(ClientId),
    clientSecret: Text,
    previousClientSecret: Text.optional(),
    webhookSecret: Text.optional(),
    previousWebhookSecret: Text.optional(),
  },
  onlyKnown,
);

const NamedTenants = z
  .array(Named, { error: "must be a list" })
  .min(1, { error: "names no tenant" })
  .superRefine((entries, context) => {
    const clientIds = entries.map(({ clientId }) => clientId);
    const twice = clientIds.findIndex((clientId, index) => clientIds.indexOf(clientId) < index);
    if (twice >= 0) context.addIssue({ code: "custom", message: "is used twice", path: [twice, "clientId"] });
    const alone = entries.findIndex(
      (one) => one.previousWebhookSecret !== undefined && one.webhookSecret === undefined,
    );
    if (alone >= 0)
      context.addIssue({
        code: "custom",
        message: "is set without webhookSecret",
        path: [alone, "previousWebhookSecret"],
      });
  });

function toEntry(named: z.output<typeof Named>): Entry {
  const { clientSecret, previousClientSecret, webhookSecret, previousWebhookSecret, ...rest } = named;
  const { company, coinBalances, ...tenant } = rest;
  return {
    tenant: {
      ...tenant,
      ...(company !== undefined && { company }),
      ...(coinBalances !== undefined && { coinBalances }),
    },
    secrets: {
      credentials: { clientSecret, ...(previousClientSecret !== undefined && { previousClientSecret }) },
      webhookSecrets: [webhookSecret ?? [], previousWebhookSecret ?? []].flat(),
    },
  };
}

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

function readText(setting: string, file: string): string {
  try {
    return readFileSync(/* turbopackIgnore: true */ file, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new SettingError(`${setting}: ${file} cannot be read (${why})`);
  }
}

function readJson(setting: string, file: string): unknown {
  const text = readText(setting, file);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote a secret.
    throw new SettingError(`${setting}: ${file} is not valid JSON`);
  }
}

function pathOf(json: unknown, [index, ...field]: readonly PropertyKey[]): string {
  if (typeof index !== "number") return "";
  const entry: unknown = Array.isArray(json) ? json[index] : undefined;
  const { data } = z.object({ name: z.string() }).safeParse(entry);
  const name = data === undefined ? "" : ` (${JSON.stringify(data.name)})`;
  return `: entry ${index + 1}${name}${field.length > 0 ? `, ${field.join(".")}` : ""}:`;
}

/** Throws `SettingError` with one line that names the entry and the field. */
export function readTenantsFile(file: string): Entry[] {
  const json = readJson("TENANTS_FILE", file);
  const parsed = NamedTenants.safeParse(json);
  if (parsed.success) return parsed.data.map(toEntry);
  const [issue] = parsed.error.issues;
  throw new SettingError(`TENANTS_FILE: ${file}${pathOf(json, issue?.path ?? [])} ${issue?.message ?? "is wrong"}`);
}

export function readEmbeddedTenants(file: string, baseUrl: string): Entry[] {
  const parsed = EmbeddedTenants.safeParse(readJson("SERVICE_TENANTS_FILE", file));
  if (!parsed.success) throw new SettingError(`SERVICE_TENANTS_FILE: ${file} does not hold a list of tenants`);
  return parsed.data.tenants.map(({ clientId, name, clientSecret, webhook }) => ({
    tenant: { clientId, name, environment: "EMBEDDED", baseUrl },
    secrets: { credentials: { clientSecret }, webhookSecrets: webhook ? [webhook.secret] : [] },
  }));
}

export function readSecretFile(setting: string, file: string): string {
  const secret = readText(setting, file).trim();
  if (secret === "") throw new SettingError(`${setting}: ${file} is empty`);
  return secret;
}

/** When other users of the machine can read it. */
export function warningOf(setting: string, file: string): string | null {
  const mode = statSync(/* turbopackIgnore: true */ file).mode & 0o777;
  const isOpen = (mode & 0o004) !== 0;
  return isOpen ? `${setting}: every user of this machine may read ${file}; chmod 600 it` : null;
}

/** Read again each time, so that secrets change without a restart; if that fails, the last known ones stay. */
export function secretsFrom(read: () => readonly Entry[]): (clientId: string) => Secrets {
  const known = new Map(read().map(({ tenant, secrets }) => [tenant.clientId, secrets]));
  return (clientId) => {
    try {
      for (const { tenant, secrets } of read()) known.set(tenant.clientId, secrets);
    } catch (error) {
      log.warn({ reason: String(error) }, "secrets not read again: the last known ones hold");
    }
    const secrets = known.get(clientId);
    if (secrets === undefined) throw new SettingError(`${clientId} is the Client_ID of no tenant`);
    return secrets;
  };
}
