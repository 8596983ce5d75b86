import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { inject } from "vitest";
import { type Actor, grant } from "@/lib/permission/grant";
import type { Permission, Role } from "@/lib/permission/permission";
import { staffMembership } from "@/lib/db/tables/auth";
import { bankAt } from "./provider";
import { type Env, readTestDatabaseUrl, takeEnv } from "@/lib/settings/env";
import { dataKey } from "@/lib/settings/keys";
import { staff } from "@/lib/db/tables/staff";
import { dumpFile } from "./store-dump";
import { type Db, embeddedStore, openStore, type Store } from "@/lib/db/connection";
import { emptyTables } from "@/test/support/service/store";
import { AURORA, type Harness, startService } from "@/test/support/service/harness";

/** Workers are threads of one process. */
const worker = `${process.pid}_${threadId}`;

/** Settings of a console with its own provider, applied to this process; `changes` override. */
export function givenEnv(changes: Partial<Env> = {}): Env {
  const settings: Env = {
    tenants: [{ clientId: "aurora", name: "Aurora", environment: "SANDBOX", baseUrl: "https://bank.example" }],
    readSecrets: () => ({ credentials: { clientSecret: "aurora-secret" }, webhookSecrets: [] }),
    isEmbedded: false,
    hasDemoData: false,
    hasDemoActivity: false,
    lab: null,
    databaseUrl: null,
    migrationDatabaseUrl: null,
    dataDir: tmpdir(),
    dataKeys: [dataKey(Buffer.alloc(32, 7))],
    hasKeyFiles: false,
    authSecret: "an auth secret of the tests, long enough",
    auditKey: Buffer.alloc(32, 9),
    auditHeadsDir: join(tmpdir(), `retaguarda-audit-heads-${worker}`),
    publicUrl: new URL("http://localhost:3000"),
    watchIntervalMs: 30_000,
    webhookGraceMs: 600_000,
    callsPerMinute: 180,
    retentionYears: 10,
    entriesDays: 366,
    sessionIdleMs: 30 * 60_000,
    stepUpMs: 5 * 60_000,
    secondFactorFor: "critical-roles",
    mail: null,
    scanner: null,
    metrics: null,
    securityContact: null,
    oidc: null,
    warnings: [],
    ...changes,
  };
  takeEnv(settings);
  return settings;
}

async function openInMemory(): Promise<Store> {
  const client = await PGlite.create({ loadDataDir: new Blob([readFileSync(dumpFile())]) });
  return embeddedStore(client, () => client.close());
}

async function administer(url: string, statement: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}

async function openOnServer(url: string): Promise<Store> {
  const name = `retaguarda_test_${inject("testRun")}_console_${worker}`;
  await administer(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return openStore({ databaseUrl: own.href, dataDir: tmpdir() });
}

let opened: Promise<Store> | undefined;

/**
 * The console's store, migrated and empty: PGlite in memory, or a database of its own on the server of
 * TEST_DATABASE_URL. One per worker, emptied each time; it becomes this process's store.
 */
export async function givenStore(): Promise<Db> {
  const url = readTestDatabaseUrl();
  opened ??= url === undefined ? openInMemory() : openOnServer(url);
  globalThis.retaguardaStore = opened;
  const { db } = await opened;
  await emptyTables(db);
  // Emptied, not replaced: their timers would audit an earlier test's refusals here a minute later.
  globalThis.retaguardaRefusedReads?.clear();
  globalThis.retaguardaRefusals?.clear();
  return db;
}

/** A person with these roles and no usable password; returns the staff id. */
export async function givenStaff(db: Db, ...roles: Role[]): Promise<string> {
  const id = randomUUID();
  await db.insert(staff).values({ id, email: `${id}@aurora.example`, name: "Ana Prado", passwordHash: "none" });
  await db.insert(staffMembership).values({ staffId: id, tenant: AURORA.clientId, roles });
  return id;
}

type Serve = (request: Request) => Response | Promise<Response>;

/**
 * The real service in this process as its provider; `beforeSend` sees each request, and `as` may replace the service's
 * answer.
 */
export async function givenService(
  beforeSend: (request: Request) => void = () => {},
  as: (serve: Serve) => Serve = (serve) => serve,
  environment: Record<string, string> = {},
): Promise<Harness> {
  const service = await startService({ environment: { SERVICE_PROVIDER_DELAY_MS: "manual", ...environment } });
  let sleptMs = 0;
  const serve = as((request) => service.app.request(request));
  const client = bankAt({
    tenant: AURORA,
    serve: (request) => {
      beforeSend(request);
      return serve(request);
    },
    clock: {
      now: () => Date.now() + sleptMs,
      sleep: async (ms) => {
        sleptMs += ms;
      },
    },
  });
  globalThis.retaguardaBanks = new Map([[AURORA.clientId, client]]);
  return service;
}

/** The person of this id, with the permission; fails when the role lacks it. */
export function actorOf<P extends Permission>(
  role: Role,
  staffId: string,
  permission: P,
  tenant = AURORA.clientId,
): Actor<P> {
  const actor = grant({ staffId, tenant, roles: [role] }, permission);
  if (actor === null) throw new Error(`${role} lacks ${permission}`);
  return actor;
}
