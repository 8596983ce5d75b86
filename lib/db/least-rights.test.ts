import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { holdHeads, record } from "@/lib/audit/record";
import { openSessionFor } from "@/lib/auth/sessions";
import { readTestDatabaseUrl } from "@/lib/settings/env";
import { SettingError } from "@/lib/settings/setting";
import { givenEnv, givenStaff } from "@/test/support/console";
import { auditEvent } from "@/lib/db/tables/audit";
import { openStore, type Store } from "./connection";

const server = readTestDatabaseUrl() ?? "";

const DENIED = "42501";
const codeOf = (error: unknown) =>
  z.object({ cause: z.object({ code: z.string() }) }).parse(error, { error: () => String(error) }).cause.code;

async function refusalOf({ db }: Store, statement: string): Promise<string> {
  return db.execute(sql.raw(statement)).then(() => "done", codeOf);
}

it("names the setting of an unreachable server, and why", async () => {
  // Nobody listens at port 1; the name has two addresses.
  const databaseUrl = "postgresql://desk:secret@localhost:1/desk";
  const opening = openStore({ databaseUrl, dataDir: tmpdir() });
  await expect(opening).rejects.toThrow(SettingError);
  await expect(opening).rejects.toThrow(/^DATABASE_URL: .*ECONNREFUSED (?!.*secret)/);
});

describe.skipIf(server === "")("an account that only works with the tables", () => {
  const id = randomUUID().slice(0, 8);
  const database = `retaguarda_test_${inject("testRun")}_rights_${id}`;
  const owner = `owner_${id}`;
  const worker = `worker_${id}`;
  let admin: Client;
  let opened: Store[] = [];

  const urlOf = (account: string) => {
    const url = new URL(server);
    url.username = account;
    url.pathname = `/${database}`;
    return url.href;
  };
  async function open(account: string, migrator: string | null): Promise<Store> {
    const migrationDatabaseUrl = migrator === null ? null : urlOf(migrator);
    const store = await openStore({ databaseUrl: urlOf(account), migrationDatabaseUrl, dataDir: tmpdir() });
    opened.push(store);
    return store;
  }
  beforeEach(async () => {
    givenEnv();
    opened = [];
    admin = new Client({ connectionString: server });
    await admin.connect();
    for (const account of [owner, worker]) await admin.query(`CREATE ROLE ${account} LOGIN`);
    await admin.query(`CREATE DATABASE ${database} OWNER ${owner}`);
  });
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    for (const account of [owner, worker]) await admin.query(`DROP ROLE ${account}`);
    await admin.end();
  });

  it("signs people in and audits it, in tables made by the owner's account", async () => {
    const { db } = await open(worker, owner);
    const staffId = await givenStaff(db, "support");
    const opening = { staffId, tenant: "aurora", how: "password", secondFactor: false } as const;
    await db.transaction((tx) => openSessionFor(tx, opening));
    await db.transaction(async (tx) => {
      await holdHeads(tx, ["boreal", "aurora"]);
      await record(tx, { tenant: "aurora", actor: staffId, code: "staff.add", outcome: "DONE" });
    });
    expect((await db.select().from(auditEvent)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("cannot change, delete, truncate or renumber the audit record", async () => {
    const store = await open(worker, owner);
    await record(store.db, { tenant: "aurora", actor: "ana", code: "staff.add", outcome: "DONE" });
    const attacks = [
      "UPDATE audit_event SET actor = 'rui'",
      "DELETE FROM audit_event",
      "TRUNCATE audit_event",
      "INSERT INTO audit_head VALUES ('boreal', 7, now(), 'x')",
      "UPDATE audit_head SET seq = 0",
      "DELETE FROM audit_head",
      "TRUNCATE audit_head",
      "SELECT * FROM audit_head FOR UPDATE",
    ];
    for (const attack of attacks) expect([attack, await refusalOf(store, attack)]).toEqual([attack, DENIED]);
  });

  it("cannot change tables or disable the audit triggers", async () => {
    const store = await open(worker, owner);
    const attacks = [
      "CREATE TABLE mine (id int)",
      "CREATE SCHEMA mine",
      "DROP TABLE staff",
      "ALTER TABLE staff ADD COLUMN mine text",
      "ALTER TABLE audit_event DISABLE TRIGGER ALL",
      "DROP TRIGGER audit_event_append_only ON audit_event",
      "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
      "SET session_replication_role = replica",
      "UPDATE drizzle.__drizzle_migrations SET hash = ''",
    ];
    for (const attack of attacks) expect([attack, await refusalOf(store, attack)]).toEqual([attack, DENIED]);
  });

  it("reads and writes every table but the two audit tables", async () => {
    await open(worker, owner);
    const inDatabase = new Client({ connectionString: urlOf(owner) });
    await inDatabase.connect();
    const { rows } = await inDatabase.query<{ name: string; all: boolean }>(
      `SELECT tablename AS name, bool_and(has_table_privilege($1, format('public.%I', tablename), privilege)) AS all
       FROM pg_tables, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) privilege
       WHERE schemaname = 'public' GROUP BY tablename`,
      [worker],
    );
    await inDatabase.end();
    expect(rows.length).toBeGreaterThan(40);
    expect(
      rows
        .filter(({ all }) => !all)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["audit_event", "audit_head"]);
  });

  it("opens the store without the owner's account only once the tables are up to date", async () => {
    await expect(open(worker, null)).rejects.toThrow("run npm run migrate");
    await open(worker, owner);
    await open(worker, null);
    const inDatabase = new Client({ connectionString: urlOf(owner) });
    await inDatabase.connect();
    await inDatabase.query(
      "DELETE FROM drizzle.__drizzle_migrations WHERE id = (SELECT max(id) FROM drizzle.__drizzle_migrations)",
    );
    await inDatabase.end();
    await expect(open(worker, null)).rejects.toThrow("run npm run migrate");
  });

  it("refuses tables of a newer version, with or without the owner's account", async () => {
    await open(worker, owner);
    const inDatabase = new Client({ connectionString: urlOf(owner) });
    await inDatabase.connect();
    await inDatabase.query(
      "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 4070908800000)",
    );
    await inDatabase.end();
    for (const migrator of [owner, null])
      await expect(open(worker, migrator)).rejects.toThrow("the database's tables are those of a newer version");
  });

  it("refuses an account with the owner's rights", async () => {
    await expect(open(owner, owner)).rejects.toThrow("MIGRATION_DATABASE_URL: names the account of DATABASE_URL");
    await admin.query(`GRANT ${owner} TO ${worker}`);
    await expect(open(worker, owner)).rejects.toThrow("DATABASE_URL: its account may change the audit record");
  });
});
