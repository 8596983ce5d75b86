import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import { drizzle as drizzleServer } from "drizzle-orm/node-postgres";
import { migrate as migrateServer } from "drizzle-orm/node-postgres/migrator";
import { drizzle as drizzleEmbedded } from "drizzle-orm/pglite";
import { migrate as migrateEmbedded } from "drizzle-orm/pglite/migrator";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { readTestDatabaseUrl } from "@/lib/settings/env";
import { migrationsFolder } from "./migration";

const Journal = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string() })) });

/** The migrations before this one. */
function foldersBefore(tag: string): string {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  cpSync(migrationsFolder(), folder, { recursive: true });
  const file = join(folder, "meta/_journal.json");
  const journal = Journal.parse(JSON.parse(readFileSync(file, "utf8")));
  const at = journal.entries.findIndex((entry) => entry.tag === tag);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, at) }));
  return folder;
}

it.each(["lib/db/migrations", "service/store/migrations"])("keeps only the newest snapshot in %s", (folder) => {
  const names = readdirSync(join(folder, "meta"));
  const journal = Journal.parse(JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")));
  const newest = `${journal.entries.at(-1)?.tag.slice(0, 4)}_snapshot.json`;
  expect(names.toSorted()).toEqual([newest, "_journal.json"]);
});

type Opened = {
  run: (statement: ReturnType<typeof sql>) => Promise<unknown>;
  migrate: (folder: string) => Promise<void>;
  close: () => Promise<void>;
};

async function openEmbedded(): Promise<Opened> {
  const client = await PGlite.create();
  const db = drizzleEmbedded(client);
  return {
    run: (statement) => db.execute(statement),
    migrate: (folder) => migrateEmbedded(db, { migrationsFolder: folder }),
    close: () => client.close(),
  };
}

async function openServer(server: string): Promise<Opened> {
  const name = `retaguarda_test_${inject("testRun")}_migration_${randomUUID().slice(0, 8)}`;
  const admin = new Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const own = new URL(server);
  own.pathname = `/${name}`;
  const client = new Client({ connectionString: own.href });
  await client.connect();
  const db = drizzleServer(client);
  return {
    run: (statement) => db.execute(statement),
    migrate: (folder) => migrateServer(db, { migrationsFolder: folder }),
    close: async () => {
      await client.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

let opened: Opened;

type Row = Readonly<Record<string, string | number | boolean | null>>;

const insert = (table: string, row: Row) => {
  const columns = Object.keys(row);
  const values = Object.values(row);
  return opened.run(
    sql`insert into ${sql.identifier(table)} (${sql.join(
      columns.map((name) => sql.identifier(name)),
      sql`, `,
    )}) values (${sql.join(
      values.map((value) => sql`${value}`),
      sql`, `,
    )})`,
  );
};

const ana = randomUUID();
const rui = randomUUID();
const at = (minute: number) => `2026-11-20T12:${String(minute).padStart(2, "0")}:00Z`;
const INTERNAL = "/v1/bank-accounts/generateInternalTransferRequest";

async function givenIntent(id: string, changes: Row = {}): Promise<void> {
  const order = { tenant: "aurora", id, operation: INTERNAL, object: "account:7", is_exclusive: false, actor: ana };
  const sent = { body_hash: "k:sent", key: randomUUID(), state: "DONE", attempts: 1, may_have_executed: true };
  const times = { owner: ana, sending_until: at(0), created_at: at(0) };
  await insert("bank_intent", { ...order, ...sent, ...times, ...changes });
}

async function givenTransfer(id: string, tenant = "aurora"): Promise<void> {
  const order = { tenant, intent_id: id, kind: "INTERNAL", account_id: "7", amount: "10.00", likeness: "k" };
  await insert("transfer", { ...order, is_repeat: false, staff_id: ana, created_at: at(0) });
}

async function givenApproval(intentId: string, changes: Row = {}): Promise<string> {
  const id = randomUUID();
  const kind = { tenant: "aurora", id, kind: "transfer.internal", permission: "transfers:create", intent_id: intentId };
  const frozen = { object: "account:7", is_exclusive: false, body_hash: "k:proposed", frozen_sealed: "sealed" };
  const made = { policy_version: 0, maker_id: ana, created_at: at(0), expires_at: at(59), state: "PENDING" };
  await insert("approval", { ...kind, ...frozen, ...made, ...changes });
  return id;
}

const Claims = z.object({
  rows: z.array(
    z.object({
      kind: z.string(),
      hash: z.string().nullable(),
      actor: z.string(),
      isProposed: z.boolean(),
    }),
  ),
});
const claimsOf = async (id: string) =>
  Claims.parse(
    await opened.run(sql`select kind, body_hash as hash, actor, is_proposed as "isProposed" from intent_claim
      where id = ${id} order by tenant`),
  ).rows;

const Carried = z.object({ rows: z.array(z.object({ by: z.string().nullable() })) });
const carriedBy = async (id: string) =>
  Carried.parse(await opened.run(sql`select approval_id::text as by from transfer where intent_id = ${id}`)).rows;

const Counted = z.object({ rows: z.array(z.object({ n: z.coerce.number() })) });
const TABLES = ["bank_intent", "transfer", "approval", "outcome_conclusion", "staff_invitation", "audit_event"];
const countAll = async () =>
  Promise.all(
    TABLES.map(async (table) => {
      const found = await opened.run(sql`select count(*) as n from ${sql.identifier(table)}`);
      return Counted.parse(found).rows[0]?.n;
    }),
  );

const decided = { decider_id: rui, decided_at: at(1), decision_sealed: "sealed" };
const alone = randomUUID();
const proposed = randomUUID();
const loosening = randomUUID();
const ended = randomUUID();
const invited = randomUUID();
const reused = randomUUID();
const corrected = randomUUID();
let approvalId = "";

async function givenRows(): Promise<void> {
  for (const id of [ana, rui]) await insert("staff", { id, email: `${id}@aurora.example`, name: "Ana" });
  await givenIntent(alone);
  await givenTransfer(alone);
  await givenIntent(alone, { tenant: "boreal", actor: rui });
  await givenIntent(proposed, { created_at: at(2) });
  await givenTransfer(proposed);
  approvalId = await givenApproval(proposed, { state: "EXECUTED", ...decided });
  await givenApproval(loosening, { kind: "policy.loosen", maker_id: rui });
  const said = { outcome: "HAPPENED", source: "provider-support", reference: "8731", reason_sealed: "sealed" };
  const conclusion = { tenant: "aurora", id: ended, intent_id: alone, ...said, staff_id: rui, created_at: at(3) };
  await insert("outcome_conclusion", conclusion);
  const link = { email: "eva@aurora.example", name: "Eva", roles: "{support}", token_hash: "x", invited_by: rui };
  await insert("staff_invitation", { id: invited, tenant: "aurora", ...link, expires_at: at(59) });
  await insert("audit_event", { tenant: "aurora", code: "kyc.decide", outcome: "DONE", actor: ana, detail: "{}" });
  await givenIntent(reused);
  await givenTransfer(reused);
  await givenApproval(reused, { kind: "account.close", created_at: at(5), state: "EXECUTED", ...decided });
  await givenIntent(corrected, { state: "REFUSED" });
  await givenTransfer(corrected);
  await givenApproval(corrected, { created_at: at(5) });
}

describe("a database of the version before one id had one meaning", () => {
  let counted: Awaited<ReturnType<typeof countAll>>;
  beforeAll(async () => {
    const server = readTestDatabaseUrl();
    opened = server === undefined ? await openEmbedded() : await openServer(server);
    const before = foldersBefore("0008_one_id_one_meaning");
    await opened.migrate(before);
    rmSync(before, { recursive: true });
    await givenRows();
    counted = await countAll();
    await opened.migrate(migrationsFolder());
  }, 60_000);
  afterAll(() => opened.close());

  it("keeps an older database's intents, approvals and audit record", async () => {
    expect(await countAll()).toEqual(counted);
  });

  it("backfills one claim per intent, proposal, outcome and invitation", async () => {
    expect(await claimsOf(alone)).toEqual([
      { kind: INTERNAL, hash: "k:sent", actor: ana, isProposed: false },
      { kind: INTERNAL, hash: "k:sent", actor: rui, isProposed: false },
    ]);
    expect(await claimsOf(proposed)).toEqual([{ kind: INTERNAL, hash: "k:proposed", actor: ana, isProposed: true }]);
    expect(await claimsOf(loosening)).toMatchObject([{ kind: "policy.loosen", actor: rui, isProposed: true }]);
    expect(await claimsOf(ended)).toEqual([{ kind: "outcome.end", hash: null, actor: rui, isProposed: false }]);
    expect(await claimsOf(invited)).toEqual([{ kind: "staff.invite", hash: null, actor: rui, isProposed: false }]);
  });

  it("gives an id shared by two acts to the earlier one", async () => {
    expect(await claimsOf(reused)).toEqual([{ kind: INTERNAL, hash: "k:sent", actor: ana, isProposed: false }]);
  });

  it("keeps a proposal ready that corrects a refused one", async () => {
    expect(await claimsOf(corrected)).toEqual([{ kind: INTERNAL, hash: "k:proposed", actor: ana, isProposed: true }]);
  });

  it("links transfers, and nothing else, to their approval", async () => {
    expect(await Promise.all([alone, proposed, reused, corrected].map(carriedBy))).toEqual([
      [{ by: null }],
      [{ by: approvalId }],
      [{ by: null }],
      [{ by: null }],
    ]);
  });
});
