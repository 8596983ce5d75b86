import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readEnv } from "./env";
import { log } from "@/lib/log/log";

let dataDir = "";
let file = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tenants-"));
  file = join(dataDir, "tenants.json");
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const read = (settings: Record<string, string | undefined>) => readEnv({ DATA_DIR: dataDir, ...settings });
const write = (content: unknown) =>
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });

const aurora = {
  name: "Aurora",
  environment: "PRODUCTION",
  baseUrl: "https://bank.example/",
  clientId: "aurora",
  clientSecret: "hunter2",
};
const boreal = {
  ...aurora,
  name: "Boreal",
  environment: "SANDBOX",
  baseUrl: "https://sandbox.bank.example/baas",
  clientId: "boreal",
};

describe("a tenants file", () => {
  it("lists every tenant in order, without a secret in public parts", () => {
    const exchanged = { previousClientSecret: "before", webhookSecret: "hook", previousWebhookSecret: "old hook" };
    write([aurora, { ...boreal, ...exchanged }]);
    const env = read({ TENANTS_FILE: file });
    expect(env.tenants).toEqual([
      { clientId: "aurora", name: "Aurora", environment: "PRODUCTION", baseUrl: "https://bank.example" },
      { clientId: "boreal", name: "Boreal", environment: "SANDBOX", baseUrl: "https://sandbox.bank.example/baas" },
    ]);
    expect(env.isEmbedded).toBe(false);
    expect(env.readSecrets("aurora")).toEqual({ credentials: { clientSecret: "hunter2" }, webhookSecrets: [] });
    expect(env.readSecrets("boreal")).toEqual({
      credentials: { clientSecret: "hunter2", previousClientSecret: "before" },
      webhookSecrets: ["hook", "old hook"],
    });
  });

  it.each([
    ["name", { name: "" }, "must not be empty"],
    ["environment", { environment: "EMBEDDED" }, "must be SANDBOX or PRODUCTION"],
    ["baseUrl", { baseUrl: "http://bank.example" }, "must be https: the credentials travel with every token request"],
    ["baseUrl", { baseUrl: "https://user:hunter2@bank.example" }, "must have neither credentials nor query"],
    ["baseUrl", { baseUrl: undefined }, "is missing"],
    ["clientId", { clientId: "a:b" }, "must be 1 to 100 ASCII characters without space or colon"],
    ["clientId", { clientId: "aurora" }, "is used twice"],
    ["clientSecret", { clientSecret: 7 }, "must be a text"],
    ["coinBalances", { coinBalances: "wei" }, "must be units or smallest"],
    ["previousWebhookSecret", { previousWebhookSecret: "old hook" }, "is set without webhookSecret"],
  ])("refuses a wrong %s by naming the entry and the field: %j", (field, wrong, why) => {
    write([aurora, { ...boreal, ...wrong }]);
    const name = "name" in wrong ? '""' : '"Boreal"';
    const message = `TENANTS_FILE: ${file}: entry 2 (${name}), ${field}: ${why}`;
    expect(() => read({ TENANTS_FILE: file })).toThrow(message);
    expect(() => read({ TENANTS_FILE: file })).toThrow(
      expect.not.objectContaining({ message: expect.stringMatching(/hunter2|\n/) }),
    );
  });

  it.each([
    ["hunter2", "is not valid JSON"],
    [{ tenants: [] }, "must be a list"],
    [[], "names no tenant"],
    [["aurora"], ": entry 1: must be an object"],
    [[{ ...aurora, clientsecret: "hunter2" }], ': entry 1 ("Aurora"): has no field clientsecret'],
  ])("refuses a tenants file that holds %j, without quoting it", (content, why) => {
    write(content);
    expect(() => read({ TENANTS_FILE: file })).toThrow(new RegExp(`^TENANTS_FILE: ${file}`));
    expect(() => read({ TENANTS_FILE: file })).toThrow(why);
    expect(() => read({ TENANTS_FILE: file })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("hunter2") }),
    );
  });

  it("names the company that speaks to holders, and warns of an unreadable logo", () => {
    const company = { name: "Aurora Pagamentos S.A.", cnpj: "11444777000161", customerService: "0800 123 4567" };
    write([{ ...aurora, company: { ...company, logoFile: join(dataDir, "none.png") } }]);
    const env = read({ TENANTS_FILE: file });
    expect(env.tenants[0]).toMatchObject({ company: { ...company, cnpj: "11.444.777/0001-61" } });
    expect(env.warnings).toEqual([`TENANTS_FILE: the logo ${join(dataDir, "none.png")} is no file`]);
  });

  it.each([
    ["company.cnpj", { name: "A", cnpj: "11444777000160" }, "must be a CNPJ"],
    ["company.name", { cnpj: "11444777000161" }, "is missing"],
    ["company.logoFile", { name: "A", logoFile: "logo.svg" }, "must be a PNG or JPEG file"],
    ["company.bankId", { name: "A", bankId: "34" }, "must be the three digits of a bank, or the eight of its ISPB"],
    ["company", { name: "A", phone: "0800" }, "has no field phone"],
  ])("refuses a tenants file with a wrong %s", (field, company, why) => {
    write([{ ...aurora, company }]);
    expect(() => read({ TENANTS_FILE: file })).toThrow(`TENANTS_FILE: ${file}: entry 1 ("Aurora"), ${field}: ${why}`);
  });

  it("gives the units of a provider's coin balances", () => {
    write([{ ...aurora, coinBalances: "smallest" }, boreal]);
    expect(read({ TENANTS_FILE: file }).tenants.map(({ coinBalances }) => coinBalances)).toEqual([
      "smallest",
      undefined,
    ]);
  });

  it("reports a missing tenants file in one line", () => {
    expect(() => read({ TENANTS_FILE: file })).toThrow(`TENANTS_FILE: ${file} cannot be read (ENOENT)`);
  });

  it.each(["BANK_BASE_URL", "BANK_CLIENT_SECRET", "BANK_ENVIRONMENT"])(
    "refuses a tenants file beside %s, as one would be ignored",
    (name) => {
      write([aurora]);
      const value = { BANK_BASE_URL: "https://bank.example", BANK_ENVIRONMENT: "SANDBOX" }[name] ?? "x";
      expect(() => read({ TENANTS_FILE: file, [name]: value })).toThrow(`TENANTS_FILE: is set beside ${name}`);
    },
  );

  it("warns when every user of the machine may read the tenants file", () => {
    write([aurora]);
    expect(read({ TENANTS_FILE: file }).warnings).toEqual([]);
    chmodSync(file, 0o644);
    expect(read({ TENANTS_FILE: file }).warnings).toEqual([
      `TENANTS_FILE: every user of this machine may read ${file}; chmod 600 it`,
    ]);
  });
});

describe("a secret that is exchanged while the console runs", () => {
  beforeEach(() => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
  });

  it("applies a new secret from the next reading of the tenants file", () => {
    write([aurora, boreal]);
    const { readSecrets } = read({ TENANTS_FILE: file });
    write([{ ...aurora, clientSecret: "new", previousClientSecret: "hunter2", webhookSecret: "hook" }, boreal]);
    expect(readSecrets("aurora")).toEqual({
      credentials: { clientSecret: "new", previousClientSecret: "hunter2" },
      webhookSecrets: ["hook"],
    });
    expect(readSecrets("boreal").credentials).toEqual({ clientSecret: "hunter2" });
  });

  it("applies a new secret from the next reading of a mounted file", () => {
    const secretFile = join(dataDir, "secret");
    writeFileSync(secretFile, "old\n", { mode: 0o600 });
    const settings = { BANK_BASE_URL: "https://bank.example", BANK_CLIENT_ID: "aurora" };
    const { readSecrets } = read({ ...settings, BANK_CLIENT_SECRET_FILE: secretFile });
    expect(readSecrets("aurora").credentials).toEqual({ clientSecret: "old" });
    writeFileSync(secretFile, "new\n");
    expect(readSecrets("aurora").credentials).toEqual({ clientSecret: "new" });
  });

  it.each([
    ["half written", () => write('[{"name":')],
    ["wrong", () => write([{ ...aurora, clientSecret: "" }])],
    ["gone", () => rmSync(file)],
    ["without the tenant", () => write([boreal])],
  ])("keeps the last known secret while the file is %s", (_, spoil) => {
    write([aurora]);
    const { readSecrets } = read({ TENANTS_FILE: file });
    write([{ ...aurora, clientSecret: "new" }]);
    expect(readSecrets("aurora").credentials).toEqual({ clientSecret: "new" });
    spoil();
    expect(readSecrets("aurora").credentials).toEqual({ clientSecret: "new" });
  });

  it("finds no secret for an unknown Client_ID", () => {
    write([aurora]);
    expect(() => read({ TENANTS_FILE: file }).readSecrets("boreal")).toThrow("boreal is the Client_ID of no tenant");
  });
});

describe("a mounted file with the secret", () => {
  const settings = { BANK_BASE_URL: "https://bank.example", BANK_CLIENT_ID: "aurora" };

  it.each([
    ["is not there", "cannot be read (ENOENT)"],
    ["is empty", "is empty"],
  ])("refuses a secret's file in one line when it %s", (what, why) => {
    if (what === "is empty") write("\n");
    expect(() => read({ ...settings, BANK_CLIENT_SECRET_FILE: file })).toThrow(
      `BANK_CLIENT_SECRET_FILE: ${file} ${why}`,
    );
  });

  it("refuses a secret's file beside the secret itself", () => {
    write("secret");
    const both = { ...settings, BANK_CLIENT_SECRET: "x", BANK_CLIENT_SECRET_FILE: file };
    expect(() => read(both)).toThrow("BANK_CLIENT_SECRET_FILE: is set beside BANK_CLIENT_SECRET");
  });
});

function writeEmbedded(content: string): void {
  mkdirSync(join(dataDir, "service"), { recursive: true });
  writeFileSync(join(dataDir, "service", "tenants.json"), content);
}

describe("the embedded service's tenants", () => {
  it("reads all the tenants of the embedded service's file", () => {
    const demo = { clientId: "demo", clientSecret: "x", name: "Demo", webhook: { secret: "w" } };
    const other = { clientId: "other", clientSecret: "y", name: "Other", webhook: null };
    writeEmbedded(JSON.stringify({ tenants: [demo, other] }));
    const env = read({ SERVICE_PORT: "4999" });
    expect(env).toMatchObject({ isEmbedded: true, hasDemoData: true });
    expect(read({ SERVICE_PORT: "4999", SERVICE_DEMO_DATA: "false" }).hasDemoData).toBe(false);
    expect(env.tenants).toEqual([
      { clientId: "demo", name: "Demo", baseUrl: "http://127.0.0.1:4999", environment: "EMBEDDED" },
      { clientId: "other", name: "Other", baseUrl: "http://127.0.0.1:4999", environment: "EMBEDDED" },
    ]);
    expect(env.readSecrets("demo")).toEqual({ credentials: { clientSecret: "x" }, webhookSecrets: ["w"] });
    expect(env.readSecrets("other").webhookSecrets).toEqual([]);
  });

  it("reports missing tenants in one line when the service never started here", () => {
    expect(() => read({})).toThrow(/^BANK_BASE_URL: is not set, .*npm start$/);
  });

  it.each(["", "{", '{"tenants":[]}', '{"tenants":[{"clientId":"demo"}]}'])(
    "reports a tenants file in one line when it holds %j",
    (content) => {
      writeEmbedded(content);
      expect(() => read({})).toThrow(/^SERVICE_TENANTS_FILE: .*tenants\.json [^\n]+$/);
    },
  );
});
