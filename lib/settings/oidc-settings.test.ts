import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OIDC_SETTINGS, oidcSettingsOf, requireKnownTenants } from "./oidc-settings";

const whole = {
  OIDC_ISSUER: "https://login.aurora.example/realms/desk/",
  OIDC_CLIENT_ID: "retaguarda",
  OIDC_CLIENT_SECRET: "a secret",
  OIDC_ROLE_MAP: '{"desk-admins": ["admin", "auditor"], "boreal": {"boreal": "support"}}',
};
const Settings = z.object(OIDC_SETTINGS);
const read = (changes: Record<string, string | undefined> = {}) =>
  oidcSettingsOf(Settings.parse({ ...whole, ...changes }));

describe("the settings of single sign-on", () => {
  it("reads no single sign-on, or these settings", () => {
    expect(oidcSettingsOf(Settings.parse({}))).toEqual({ oidc: null });
    expect(read().oidc).toEqual({
      issuer: "https://login.aurora.example/realms/desk",
      clientId: "retaguarda",
      clientSecret: "a secret",
      rolesClaim: "roles",
      roleMap: { "desk-admins": ["admin", "auditor"], boreal: { boreal: ["support"] } },
      trustsMfa: "amr",
      trustsEmail: false,
      tokenAlgorithm: "RS256",
    });
  });

  it.each(["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ROLE_MAP"])("refuses single sign-on without %s", (name) => {
    expect(() => read({ [name]: undefined })).toThrow(`${name}: is required with OIDC_ISSUER`);
  });

  it("refuses single sign-on without the issuer", () => {
    expect(() => read({ OIDC_ISSUER: undefined })).toThrow("OIDC_CLIENT_ID: is set without OIDC_ISSUER");
  });

  it.each([
    ["OIDC_ISSUER", "http://login.aurora.example"],
    ["OIDC_ISSUER", "https://me:secret@login.aurora.example"],
    ["OIDC_ROLE_MAP", "admin"],
    ["OIDC_ROLE_MAP", "[]"],
    ["OIDC_ROLE_MAP", "{}"],
    ["OIDC_ROLE_MAP", '{"desk-admins": "root"}'],
    ["OIDC_ROLE_MAP", '{"desk-admins": []}'],
    ["OIDC_ROLE_MAP", '{"desk-admins": {"boreal": "root"}}'],
    ["OIDC_TRUST_MFA", "sometimes"],
  ])("refuses single sign-on with %s=%s", (name, value) => {
    expect(Settings.safeParse({ ...whole, [name]: value }).error?.issues[0]?.path[0]).toBe(name);
  });

  it("allows plain http for single sign-on on this machine", () => {
    expect(read({ OIDC_ISSUER: "http://127.0.0.1:9000" }).oidc?.issuer).toBe("http://127.0.0.1:9000");
  });

  it("refuses roles at an unknown tenant", () => {
    expect(() => requireKnownTenants(read(), ["aurora", "boreal"])).not.toThrow();
    expect(() => requireKnownTenants(read(), ["aurora"])).toThrow(
      "OIDC_ROLE_MAP: boreal is the Client_ID of no tenant",
    );
  });
});
