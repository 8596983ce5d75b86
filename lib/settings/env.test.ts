import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkEnv, readAuditKey, readEnv } from "./env";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "env-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const provider = {
  BANK_BASE_URL: "https://bank.example/",
  BANK_CLIENT_ID: "aurora",
  BANK_CLIENT_SECRET: "secret",
};
const key = Buffer.alloc(32, 7).toString("base64");
const read = (settings: Record<string, string | undefined> = {}) =>
  readEnv({ DATA_DIR: dataDir, ...provider, ...settings });
const check = (settings: Record<string, string>) => checkEnv({ DATA_DIR: dataDir, ...settings });
const modeOf = (file: string) => (statSync(join(dataDir, "keys", file)).mode & 0o777).toString(8);

describe("the settings", () => {
  it("start with these defaults", () => {
    expect(read()).toMatchObject({
      tenants: [{ clientId: "aurora", baseUrl: "https://bank.example", name: "aurora", environment: "PRODUCTION" }],
      isEmbedded: false,
      hasDemoData: false,
      hasDemoActivity: false,
      databaseUrl: null,
      dataDir,
      publicUrl: new URL("http://localhost:3000"),
      watchIntervalMs: 30_000,
      callsPerMinute: 180,
      metrics: null,
      sessionIdleMs: 30 * 60_000,
      stepUpMs: 5 * 60_000,
      secondFactorFor: "everyone",
    });
  });

  it("requires a second factor of everyone, except with the embedded service", () => {
    const file = join(dataDir, "tenants.json");
    writeFileSync(
      file,
      JSON.stringify({ tenants: [{ clientId: "demo", clientSecret: "x", name: "Demo", webhook: null }] }),
    );
    const embedded = { SERVICE_TENANTS_FILE: file, BANK_BASE_URL: "", BANK_CLIENT_ID: "", BANK_CLIENT_SECRET: "" };
    expect(read(embedded)).toMatchObject({ isEmbedded: true, secondFactorFor: "critical-roles" });
    expect(read({ ...embedded, SECOND_FACTOR_FOR: "everyone" }).secondFactorFor).toBe("everyone");
    expect(read({ SECOND_FACTOR_FOR: "critical-roles" }).secondFactorFor).toBe("critical-roles");
    expect(() => read({ SECOND_FACTOR_FOR: "nobody" })).toThrow(/^SECOND_FACTOR_FOR: must be everyone/);
  });

  it("gives the lab to the embedded service of this start, and to no other provider", () => {
    const file = join(dataDir, "tenants.json");
    writeFileSync(
      file,
      JSON.stringify({ tenants: [{ clientId: "demo", clientSecret: "x", name: "Demo", webhook: null }] }),
    );
    const embedded = { SERVICE_TENANTS_FILE: file, BANK_BASE_URL: "", BANK_CLIENT_ID: "", BANK_CLIENT_SECRET: "" };
    const token = { SERVICE_CONTROL_TOKEN: "of this start", SERVICE_PORT: "4711" };
    expect(read({ ...embedded, ...token }).lab).toEqual({ baseUrl: "http://127.0.0.1:4711", token: "of this start" });
    expect(read(embedded).lab).toBeNull();
    expect(read(token).lab).toBeNull();
    expect(read({ ...token, SERVICE_HOST: "127.0.0.1", SERVICE_DEMO_DATA: "true" }).lab).toBeNull();
    const named = { name: "Aurora", environment: "PRODUCTION", baseUrl: "https://bank.example", clientId: "aurora" };
    writeFileSync(file, JSON.stringify([{ ...named, clientSecret: "secret" }]), { mode: 0o600 });
    const several = { BANK_BASE_URL: "", BANK_CLIENT_ID: "", BANK_CLIENT_SECRET: "", TENANTS_FILE: file };
    expect(read({ ...several, ...token }).lab).toBeNull();
  });

  it("requires all settings of single sign-on, for existing tenants", () => {
    const oidc = {
      OIDC_ISSUER: "https://login.aurora.example",
      OIDC_CLIENT_ID: "retaguarda",
      OIDC_CLIENT_SECRET: "secret",
      OIDC_ROLE_MAP: '{"desk": {"aurora": "support"}}',
    };
    expect(read().oidc).toBeNull();
    expect(read(oidc).oidc?.roleMap).toEqual({ desk: { aurora: ["support"] } });
    expect(() => read({ ...oidc, OIDC_ROLE_MAP: '{"desk": {"boreal": "support"}}' })).toThrow(/^OIDC_ROLE_MAP: boreal/);
    expect(() => check({ ...provider, ...oidc, OIDC_CLIENT_SECRET: "" })).toThrow(/^OIDC_CLIENT_SECRET: is required/);
  });

  it("tells metrics where METRICS_PORT says, to this machine alone by default", () => {
    expect(read({ METRICS_PORT: "9464" }).metrics).toEqual({ host: "127.0.0.1", port: 9464 });
    const elsewhere = { METRICS_PORT: "9464", METRICS_HOST: "10.0.0.7" };
    expect(read(elsewhere).metrics).toEqual({ host: "10.0.0.7", port: 9464 });
    expect(() => read({ METRICS_HOST: "10.0.0.7" })).toThrow("METRICS_HOST: is set without METRICS_PORT");
    expect(() => check({ ...provider, METRICS_PORT: "3000" })).toThrow("METRICS_PORT: must differ from PORT");
  });

  it("treats empty settings as absent", () => {
    expect(read({ PORT: "", PUBLIC_URL: "", DATA_KEY: "" }).publicUrl.href).toBe("http://localhost:3000/");
  });

  it("takes PORT into the console's own URL unless PUBLIC_URL names it", () => {
    expect(read({ PORT: "8080" }).publicUrl.origin).toBe("http://localhost:8080");
    expect(read({ PORT: "8080", PUBLIC_URL: "http://desk.example" }).publicUrl.origin).toBe("http://desk.example");
  });

  it.each([
    ["BANK_BASE_URL", "bank.example"],
    ["BANK_CALLS_PER_MINUTE", "3.5"],
    ["BANK_CALLS_PER_MINUTE", "0"],
    ["BANK_BASE_URL", "ftp://bank.example"],
    ["BANK_BASE_URL", "http://bank.example"],
    ["BANK_BASE_URL", "http://localhost.bank.example"],
    ["BANK_BASE_URL", "https://user:password@bank.example"],
    ["BANK_BASE_URL", "https://bank.example/?key=1"],
    ["BANK_CLIENT_ID", ""],
    ["BANK_CLIENT_ID", "a:b"],
    ["BANK_CLIENT_SECRET", ""],
    ["BANK_ENVIRONMENT", "TEST"],
    ["DATABASE_URL", "mysql://localhost/console"],
    ["DATA_KEY", Buffer.alloc(31).toString("base64")],
    ["AUTH_SECRET", "short"],
    ["PUBLIC_URL", "scope.example"],
    ["PUBLIC_URL", "https://desk.example/console"],
    ["PUBLIC_URL", "https://user:password@desk.example"],
    ["TRUSTED_PROXIES", "1"],
    ["TRUSTED_PROXIES", "proxy.example"],
    ["PORT", "http"],
    ["PORT", "70000"],
    ["SESSION_IDLE_MINUTES", "0"],
    ["SESSION_IDLE_MINUTES", "1000"],
    ["STEP_UP_MINUTES", "never"],
    ["TRUSTED_PROXIES", "-1"],
    ["TRUSTED_PROXIES", "1.5"],
    ["WATCH_INTERVAL_SECONDS", "0"],
    ["WATCH_INTERVAL_SECONDS", "soon"],
    ["WEBHOOK_GRACE_SECONDS", "0"],
    ["SERVICE_PORT", "-1"],
  ])("refuses %s=%s in one line that starts with its name", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name}: [^\\n]+$`));
  });

  it.each(["0", "3601", "soon"])(
    "gives the whole range when WATCH_INTERVAL_SECONDS is %s",
    (WATCH_INTERVAL_SECONDS) => {
      expect(() => read({ WATCH_INTERVAL_SECONDS })).toThrow(
        "WATCH_INTERVAL_SECONDS: must be a number of seconds from 1 to 3600",
      );
    },
  );

  it("refuses settings without showing a secret's value", () => {
    expect(() => read({ AUTH_SECRET: "hunter2" })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("hunter2") }),
    );
  });

  it.each(["http://127.0.0.1:4010", "http://localhost:4010", "http://[::1]:4010"])(
    "allows plain http on this machine: %s",
    (url) => expect(read({ BANK_BASE_URL: url }).tenants[0].baseUrl).toBe(url),
  );
});

describe("the keys", () => {
  it("creates keys on first start, readable by this user only", () => {
    const first = read();
    expect([modeOf("data.key"), modeOf("auth.key")]).toEqual(["600", "600"]);
    expect(first.dataKeys.map(({ bytes }) => bytes.length)).toEqual([32]);
    expect(first.authSecret).not.toBe(first.dataKeys[0].bytes.toString("base64"));
    const second = read();
    expect(second.dataKeys).toEqual(first.dataKeys);
    expect(second.authSecret).toBe(first.authSecret);
    expect(readdirSync(join(dataDir, "keys")).toSorted()).toEqual(["audit.key", "auth.key", "data.key"]);
  });

  it("takes keys from the environment, and writes none then", () => {
    const settings = read({ DATA_KEY: key, AUTH_SECRET: "s".repeat(32), AUDIT_KEY: key });
    expect(settings.dataKeys.map(({ bytes }) => bytes.toString("base64"))).toEqual([key]);
    expect(existsSync(join(dataDir, "keys"))).toBe(false);
  });

  it("accepts several keys: the first seals and the others open", () => {
    const other = Buffer.alloc(32, 9).toString("base64");
    const { dataKeys } = read({ DATA_KEY: key, DATA_KEYS_OTHER: `${other}, ${key}` });
    expect(dataKeys.map(({ bytes }) => bytes.toString("base64"))).toEqual([key, other]);
  });

  it("refuses keys in both settings and files, as the sealing one is unclear", () => {
    expect(() => read({ DATA_KEYS_OTHER: key })).toThrow(/^DATA_KEYS_OTHER: is set without DATA_KEY/);
    expect(() => read({ DATA_KEY: key, DATA_KEYS_OTHER: `${key},x` })).toThrow(/^DATA_KEYS_OTHER: must be keys/);
  });

  it.each(["", "AAAA", "not a key at all"])("refuses a key file that holds %j, which protects nothing", (text) => {
    mkdirSync(join(dataDir, "keys"));
    writeFileSync(join(dataDir, "keys", "data.key"), text);
    expect(() => read()).toThrow(/^DATA_DIR: .*data\.key holds no key/);
    expect(readFileSync(join(dataDir, "keys", "data.key"), "utf8")).toBe(text);
  });

  it.each(["DATA_KEY", "AUTH_SECRET", "AUDIT_KEY"])("requires keys with a database shared by instances: %s", (name) => {
    const keys = { DATA_KEY: key, AUTH_SECRET: "s".repeat(32), AUDIT_KEY: key };
    const shared = { DATABASE_URL: "postgresql://localhost/console", ...keys };
    expect(read(shared).databaseUrl).toBe("postgresql://localhost/console");
    expect(() => read({ ...shared, [name]: undefined })).toThrow(new RegExp(`^${name}: is required with DATABASE_URL`));
  });

  it("reads the audit record's key without any other setting, and makes none", () => {
    const readKey = (settings: Record<string, string> = {}) => readAuditKey({ DATA_DIR: dataDir, ...settings });
    expect(() => readKey()).toThrow(/^AUDIT_KEY: is not set, and there is no .*audit\.key$/);
    expect(readdirSync(dataDir)).toEqual([]);
    const { auditKey } = read();
    expect(readKey()).toEqual(auditKey);
    expect(readKey({ AUDIT_KEY: key, BANK_BASE_URL: "no" })).toEqual(Buffer.alloc(32, 7));
    expect(() => readKey({ AUDIT_KEY: "short" })).toThrow("AUDIT_KEY: must be 32 bytes in base64");
  });

  it("reports keys that cannot be created in a read-only place", () => {
    writeFileSync(join(dataDir, "file"), "");
    expect(() => read({ DATA_DIR: join(dataDir, "file") })).toThrow(/^DATA_DIR: .* cannot be written/);
  });
});

describe("what is checked before anything starts", () => {
  it("needs no tenants of a service that was never started", () => {
    expect(() => check({})).not.toThrow();
  });

  it.each([
    ["BANK_CLIENT_ID", { BANK_BASE_URL: "https://bank.example" }],
    ["DATA_KEY", { DATABASE_URL: "postgresql://localhost/console" }],
    ["DATA_KEY", { DATA_KEY: "x" }],
    ["TENANTS_FILE", { TENANTS_FILE: "/nowhere/tenants.json" }],
    ["WATCH_INTERVAL_SECONDS", { WATCH_INTERVAL_SECONDS: "abc" }],
  ])("refuses what the console would refuse: %s", (name, settings) => {
    expect(() => check(settings)).toThrow(new RegExp(`^${name}: `));
  });
});
