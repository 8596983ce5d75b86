import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openEmbedded } from "@/lib/db/embedded";
import { readTestDatabaseUrl } from "@/lib/settings/env";
import { requireDemo, requireService, resetDemo } from "./demo-reset";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "demo-reset-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const settings = (changes: Record<string, string> = {}) => ({ DATA_DIR: dataDir, PORT: "3541", ...changes });
const reset = (changes: Record<string, string> = {}, mayEmptyServers = false) =>
  resetDemo(settings(changes), { mayEmptyServers });

function givenFiles(): void {
  for (const folder of ["console", "service", "audit-heads", "keys"]) mkdirSync(join(dataDir, folder));
  writeFileSync(join(dataDir, "service/tenants.json"), JSON.stringify({ tenants: [{ clientId: "demo" }] }));
  writeFileSync(join(dataDir, "audit-heads/demo.jsonl"), "{}\n");
  writeFileSync(join(dataDir, "audit-heads/aurora.jsonl"), "{}\n");
  writeFileSync(join(dataDir, "keys/data.key"), "kept");
}

/** As the product leaves them; `tenant` is whom the console's record is of. */
async function givenData(tenant: string): Promise<void> {
  givenFiles();
  const { client, close } = await openEmbedded(join(dataDir, "console"));
  await client.exec(CONSOLE);
  await client.query("insert into audit_event values ($1)", [tenant]);
  await close();
}

const CONSOLE = `create table staff (is_demo boolean); create table audit_event (tenant text);
  create table staff_membership (tenant text); create table bank_intent (tenant text); create table watch_state (tenant text);
  insert into staff values (true);`;

const there = (path: string) => existsSync(join(dataDir, path));

describe("the reset of the demo", () => {
  it("takes away both databases and the demo's heads, and keeps keys and other heads", async () => {
    await givenData("demo");
    expect(await reset()).toEqual([
      "Emptied the console's database (the demo's) and the service's database (empty).",
      "Took away the signed heads of demo. Keys stay.",
      "The next npm start fills the demo anew.",
    ]);
    expect(["console", "service", "audit-heads/demo.jsonl"].filter(there)).toEqual([]);
    expect(["keys/data.key", "audit-heads/aurora.jsonl"].filter((path) => !there(path))).toEqual([]);
  });

  it("refuses a database that holds another company, and changes nothing", async () => {
    await givenData("aurora");
    await expect(reset()).rejects.toThrow(
      "Nothing was reset: the console's database: it holds aurora, which is no company of the demo.",
    );
    expect(["console", "service/tenants.json", "audit-heads/demo.jsonl"].filter(there)).toHaveLength(3);
  });

  it("refuses while a program holds the database", async () => {
    await givenData("demo");
    const { close } = await openEmbedded(join(dataDir, "console"));
    await expect(reset()).rejects.toThrow(/is in use by process \d+; stop it first/);
    await close();
    expect(there("service/tenants.json")).toBe(true);
  });

  it.each([
    [{ BANK_BASE_URL: "https://bank.example" }, "a real provider is set"],
    [{ TENANTS_FILE: "tenants.json" }, "a real provider is set"],
    [{ SERVICE_DEMO_DATA: "false" }, "SERVICE_DEMO_DATA is false"],
    [{ DATABASE_URL: "postgres://localhost/console" }, "the database of DATABASE_URL is on a PostgreSQL server"],
    [
      { SERVICE_DATABASE_URL: "postgres://localhost/service" },
      "the database of SERVICE_DATABASE_URL is on a PostgreSQL",
    ],
  ])("refuses with %j", async (changes, why) => {
    givenFiles();
    await expect(reset(changes)).rejects.toThrow(why);
    expect(["console", "service/tenants.json", "audit-heads/demo.jsonl"].filter(there)).toHaveLength(3);
  });
});

describe("a database of the demo", () => {
  let client: PGlite;
  beforeEach(async () => {
    client = await PGlite.create();
  });
  afterEach(() => client.close());
  const query = async (text: string) => (await client.query(text)).rows;

  it("is an empty one, or the console's with the demo's companies alone", async () => {
    expect(await requireDemo(query, ["demo"])).toBe("empty");
    await client.exec(CONSOLE);
    expect(await requireDemo(query, ["demo"])).toBe("the demo's");
    await client.exec("insert into staff values (false), (false)");
    expect(await requireDemo(query, ["demo"])).toBe("the demo's, with 2 people who were added");
    await client.exec("insert into bank_intent values ('aurora')");
    await expect(requireDemo(query, ["demo"])).rejects.toThrow("it holds aurora");
  });

  it("is not one with people and none of the demo's, nor another program's", async () => {
    await client.exec(CONSOLE);
    await client.exec("update staff set is_demo = false");
    await expect(requireDemo(query, ["demo"])).rejects.toThrow("it holds people");
    await client.exec("drop table staff");
    await expect(requireDemo(query, ["demo"])).rejects.toThrow("tables that are not the console's");
    await expect(requireService(query, ["demo"])).rejects.toThrow("tables that are not the service's");
  });

  it("is the service's with the demo's clients alone", async () => {
    expect(await requireService(query, ["demo"])).toBe("empty");
    await client.exec(`create table clock_offset (id text); create table onboarding (client_id text);
      create table webhook_event (client_id text); insert into onboarding values ('demo')`);
    expect(await requireService(query, ["demo"])).toBe("the demo's");
    await client.exec("insert into webhook_event values ('aurora')");
    await expect(requireService(query, ["demo"])).rejects.toThrow("it holds aurora");
  });
});

const SERVICE = `create table clock_offset (id text); create table onboarding (client_id text);
  create table webhook_event (client_id text); insert into onboarding values ('demo')`;

const server = readTestDatabaseUrl();

const urlOf = (name: string, user?: string) => {
  const url = new URL(server ?? "postgres://localhost");
  url.pathname = `/${name}`;
  if (user !== undefined) [url.username, url.password] = [user, "secret"];
  return url.href;
};

async function ask(url: string, ...texts: string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const text of texts) rows = (await client.query(text)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const tablesOf = async (name: string) =>
  (await ask(urlOf(name), "select 1 from pg_tables where schemaname = 'public'")).length;

describe.skipIf(server === null)("the reset of a demo on PostgreSQL servers", () => {
  const run = `retaguarda_test_${inject("testRun")}_reset`;
  const [owner, worker] = [`${run}_owner`, `${run}_work`];
  const databases = ["desk", "bank"].map((name) => `${run}_${name}`);
  const [desk = "", bank = ""] = databases;
  const resetServers = (user: string) =>
    reset(
      {
        DATABASE_URL: urlOf(desk, worker),
        MIGRATION_DATABASE_URL: urlOf(desk, user),
        SERVICE_DATABASE_URL: urlOf(bank, owner),
      },
      true,
    );

  const drop = [
    ...databases.map((name) => `drop database if exists ${name}`),
    `drop role if exists ${owner}, ${worker}`,
  ];

  beforeEach(async () => {
    givenFiles();
    const roles = [owner, worker].map((name) => `create role ${name} login password 'secret'`);
    const made = databases.map((name) => `create database ${name} owner ${owner}`);
    await ask(server ?? "", ...drop, ...roles, ...made);
    for (const name of databases) await ask(urlOf(name), `alter schema public owner to ${owner}`);
    await ask(urlOf(desk, owner), CONSOLE, "insert into audit_event values ('demo')");
    await ask(urlOf(bank, owner), SERVICE);
  });
  afterEach(async () => {
    await ask(server ?? "", ...drop);
  });

  it("empties both by their owner", async () => {
    expect((await resetServers(owner))[0]).toBe(
      "Emptied the database of DATABASE_URL (the demo's) and the database of SERVICE_DATABASE_URL (the demo's).",
    );
    expect([await tablesOf(desk), await tablesOf(bank)]).toEqual([0, 0]);
  });

  it("refuses the working account before anything is changed", async () => {
    await expect(resetServers(worker)).rejects.toThrow("the account that owns its schemas alone");
    expect([await tablesOf(desk), await tablesOf(bank)]).toEqual([5, 3]);
  });

  it.each([
    [desk, "create table elsewhere (id int); insert into audit_event values ('aurora')", "it holds aurora"],
    [bank, "insert into webhook_event values ('boreal')", "it holds boreal"],
    [bank, "drop table clock_offset", "tables that are not the service's"],
  ])("touches neither where %s is not the demo's alone: %s", async (name, change, why) => {
    await ask(urlOf(name, owner), change);
    const before = [await tablesOf(desk), await tablesOf(bank)];
    await expect(resetServers(owner)).rejects.toThrow(why);
    expect([await tablesOf(desk), await tablesOf(bank)]).toEqual(before);
    expect(there("audit-heads/demo.jsonl")).toBe(true);
  });

  it("refuses while somebody is connected", async () => {
    const client = new Client({ connectionString: urlOf(bank, owner) });
    await client.connect();
    await expect(resetServers(owner)).rejects.toThrow("has 1 other connections");
    await client.end();
    expect([await tablesOf(desk), await tablesOf(bank)]).toEqual([5, 3]);
  });
});
