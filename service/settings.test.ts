import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { machineRandom } from "./random";
import { readSettings } from "./settings";
import { loadTenants, parseTenants } from "./tenants/load-tenants";
import { AURORA, BOREAL } from "@/test/support/service/harness";

const webhook = (url: string) => ({ tenants: [{ ...AURORA, webhook: { url, secret: "s", events: [] } }] });

describe("the settings", () => {
  test("start with the documented defaults", () => {
    expect(readSettings({})).toMatchObject({
      host: "127.0.0.1",
      port: 4010,
      dataDir: ".data/service",
      databaseUrl: undefined,
      controlToken: undefined,
      demoData: false,
      rateLimitPerMinute: 200,
      providerDelayMs: 4_000,
      allowLoopbackHttp: false,
      webhookHosts: ["localhost", "127.0.0.1"],
    });
  });

  test("takes a manual provider and treats an empty value as absent", () => {
    const settings = readSettings({ SERVICE_PROVIDER_DELAY_MS: "manual", SERVICE_PORT: "" });
    expect(settings).toMatchObject({ providerDelayMs: "manual", port: 4010 });
  });

  test.each([
    ["SERVICE_PORT", "http"],
    ["SERVICE_PORT", "70000"],
    ["SERVICE_DATABASE_URL", "mysql://x"],
    ["SERVICE_DEMO_DATA", "yes"],
    ["SERVICE_RATE_LIMIT_PER_MINUTE", "0"],
    ["SERVICE_PROVIDER_DELAY_MS", "-1"],
    ["SERVICE_PUBLIC_URL", "ftp://x"],
  ])("refuses %s=%s in one line that names it", (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name}: .+$`));
  });
});

describe("the tenants file", () => {
  const settings = readSettings({});
  const parse = (value: unknown, given = settings) =>
    parseTenants(given, "t.json", Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));

  test("reads the tenants of the file", () => {
    expect(parse({ tenants: [AURORA, BOREAL] })).toEqual([AURORA, BOREAL]);
  });

  test.each([
    ["{", /t\.json: is not valid JSON/],
    [{}, /tenants: /],
    [{ tenants: [] }, /tenants: /],
    [{ tenants: [{ ...AURORA, clientSecret: 7 }] }, /tenants\.0\.clientSecret: /],
    [{ tenants: [AURORA, { ...BOREAL, enabledProducts: ["GAMES"] }] }, /tenants\.1\.enabledProducts\.0: /],
    [{ tenants: [{ ...AURORA, allowedOperations: ["balance"] }] }, /tenants\.0\.allowedOperations\.0: /],
    [{ tenants: [{ ...AURORA, billingStatus: "LATE" }] }, /tenants\.0\.billingStatus: /],
    [{ tenants: [{ ...AURORA, alowedOperations: [] }] }, /alowedOperations/],
    [{ tenants: [{ ...AURORA, clientId: "au:rora" }] }, /tenants\.0\.clientId: /],
    [{ tenants: [{ ...AURORA, clientId: "aurória" }] }, /tenants\.0\.clientId: /],
    [{ tenants: [AURORA, AURORA] }, /tenants\.1\.clientId: is used twice/],
    [webhook("http://hooks.example/x"), /tenants\.0\.webhook\.url: must be https/],
    [webhook("http://localhost:3000/x"), /tenants\.0\.webhook\.url: .*SERVICE_ALLOW_LOOPBACK_HTTP/],
    [webhook("https://user:pass@hooks.example/"), /tenants\.0\.webhook\.url: /],
    [webhook("file:///etc/passwd"), /tenants\.0\.webhook\.url: /],
    [webhook("nope"), /^tenants file t\.json: tenants\.0\.webhook\.url: must be an http\(s\) URL$/],
  ])("refuses a tenants file with the invalid field's name (%#)", (value, message) => {
    expect(() => parse(value)).toThrow(message);
  });

  test("accepts http to this machine when allowed, and to no other", () => {
    const allowing = readSettings({ SERVICE_ALLOW_LOOPBACK_HTTP: "true" });
    for (const host of ["localhost:3000", "127.0.0.1:3000"])
      expect(parse(webhook(`http://${host}/hook`), allowing)).toHaveLength(1);
    for (const host of ["127.0.0.1.example", "127.0.0.2", "[::1]:3000", "[::ffff:127.0.0.1]"])
      expect(() => parse(webhook(`http://${host}/x`), allowing)).toThrow("tenants.0.webhook.url: must be https");
  });
});

describe("the demo tenants file", () => {
  let directory = "";
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "tenants-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const load = (environment: Record<string, string>) =>
    loadTenants(readSettings({ SERVICE_DATA_DIR: join(directory, "data"), ...environment }), machineRandom);

  test("writes the demo tenants file once, for its owner alone", () => {
    const [tenant] = load({ SERVICE_ALLOW_LOOPBACK_HTTP: "true" });
    const file = join(directory, "data", "tenants.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(tenant?.clientSecret).toMatch(/^[\w-]{43}$/);
    expect(tenant?.webhook?.url).toBe(`http://localhost:3000/api/hooks/${tenant?.clientId}`);
    const content = readFileSync(file, "utf8");
    expect(load({ SERVICE_ALLOW_LOOPBACK_HTTP: "true" })).toEqual([tenant]);
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  test("names no demo webhook that the settings would refuse", () => {
    expect(load({})[0]?.webhook).toBeNull();
    rmSync(join(directory, "data"), { recursive: true });
    expect(load({ SERVICE_DEMO_WEBHOOK_URL: "nope" })[0]?.webhook).toBeNull();
  });

  test("never writes demo tenants over a requested file", () => {
    const file = join(directory, "mine.json");
    expect(() => load({ SERVICE_TENANTS_FILE: file })).toThrow(`tenants file ${file}: is not there`);
    expect(existsSync(file)).toBe(false);
  });
});
