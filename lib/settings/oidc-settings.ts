import { z } from "zod";
import { isRole, type Role, ROLES } from "@/lib/permission/permission";
import { isLoopback } from "@/lib/text/safe-link";
import { HttpUrl, SettingError } from "./setting";
import { readSecretFile } from "./tenants-file";

/** When the provider's second factor counts: by its `amr`, always, or never. */
const MFA_TRUST = ["amr", "always", "never"] as const;
type MfaTrust = (typeof MFA_TRUST)[number];

const EMAIL_TRUST = ["claim", "always"] as const;

const TOKEN_ALGORITHMS = ["RS256", "PS256", "ES256"] as const;
type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number];

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, { error: `must be one of ${names.join(", ")}` }).optional();

/** Roles at every tenant, or by Client_ID. */
type RoleGrant = Role[] | Record<string, Role[]>;

export type Oidc = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  rolesClaim: string;
  roleMap: Readonly<Record<string, RoleGrant>>;
  trustsMfa: MfaTrust;
  /** Whether an e-mail counts as verified when the provider does not say. */
  trustsEmail: boolean;
  tokenAlgorithm: TokenAlgorithm;
};

export type OidcSettings = { oidc: Oidc | null };

const Roles = z
  .union([z.string(), z.array(z.string()).min(1)], { error: "must name roles" })
  .transform((named) => (typeof named === "string" ? [named] : named))
  .refine((named) => named.every(isRole), { error: `must be of ${ROLES.join(", ")}` })
  .transform((named) => named.filter(isRole));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const ROLE_MAP_FORM = 'must be a JSON object such as {"desk-admins": "admin", "boreal": {"<Client_ID>": ["support"]}}';

const Grant = z.union([Roles, z.record(z.string().min(1), Roles)]);
const RoleMap = z
  .string()
  .transform(parseJson)
  .pipe(
    z
      .record(z.string().min(1), Grant, { error: ROLE_MAP_FORM })
      .refine((map) => Object.keys(map).length > 0, { error: "lets nobody in: it names no role" }),
  );

const Issuer = HttpUrl.refine((url) => url.protocol === "https:" || isLoopback(url.hostname), {
  error: "must be https: who signs in there is believed",
})
  .refine((url) => url.username === "" && url.search === "" && url.hash === "", {
    error: "must have neither credentials nor query",
  })
  .transform((url) => url.href.replace(/\/+$/, ""));

const Text = z.string().min(1).optional();

export const OIDC_SETTINGS = {
  OIDC_ISSUER: Issuer.optional(),
  OIDC_CLIENT_ID: Text,
  OIDC_CLIENT_SECRET: Text,
  OIDC_CLIENT_SECRET_FILE: Text,
  OIDC_ROLES_CLAIM: Text,
  OIDC_ROLE_MAP: RoleMap.optional(),
  OIDC_TRUST_MFA: oneOf(MFA_TRUST),
  OIDC_TRUST_EMAIL: oneOf(EMAIL_TRUST),
  OIDC_TOKEN_ALGORITHM: oneOf(TOKEN_ALGORITHMS),
};

type OidcInput = { [Name in keyof typeof OIDC_SETTINGS]?: z.output<(typeof OIDC_SETTINGS)[Name]> };

function required<Name extends keyof OidcInput>(given: OidcInput, name: Name): NonNullable<OidcInput[Name]> {
  const value = given[name];
  if (value === undefined || value === null) throw new SettingError(`${name}: is required with OIDC_ISSUER`);
  return value;
}

function clientSecretOf(given: OidcInput): string {
  const { OIDC_CLIENT_SECRET: secret, OIDC_CLIENT_SECRET_FILE: file } = given;
  if (file === undefined) return secret ?? required(given, "OIDC_CLIENT_SECRET");
  if (secret !== undefined) throw new SettingError("OIDC_CLIENT_SECRET_FILE: is set beside OIDC_CLIENT_SECRET");
  return readSecretFile("OIDC_CLIENT_SECRET_FILE", file);
}

/** All or none. Throws `SettingError`. */
export function oidcSettingsOf(given: OidcInput): OidcSettings {
  const { OIDC_ISSUER: issuer } = given;
  if (issuer === undefined) {
    const alone = Object.entries(given).find(([name, value]) => name.startsWith("OIDC_") && value !== undefined);
    if (alone !== undefined) throw new SettingError(`${alone[0]}: is set without OIDC_ISSUER`);
    return { oidc: null };
  }
  return {
    oidc: {
      issuer,
      clientId: required(given, "OIDC_CLIENT_ID"),
      clientSecret: clientSecretOf(given),
      rolesClaim: given.OIDC_ROLES_CLAIM ?? "roles",
      roleMap: required(given, "OIDC_ROLE_MAP"),
      trustsMfa: given.OIDC_TRUST_MFA ?? "amr",
      trustsEmail: given.OIDC_TRUST_EMAIL === "always",
      tokenAlgorithm: given.OIDC_TOKEN_ALGORITHM ?? "RS256",
    },
  };
}

/** Roles for a misspelt tenant would silently let nobody in. */
export function requireKnownTenants({ oidc }: OidcSettings, clientIds: readonly string[]): void {
  const named = Object.values(oidc?.roleMap ?? {}).flatMap((grant) => (Array.isArray(grant) ? [] : Object.keys(grant)));
  const unknown = named.find((clientId) => !clientIds.includes(clientId));
  if (unknown !== undefined) throw new SettingError(`OIDC_ROLE_MAP: ${unknown} is the Client_ID of no tenant`);
}
