import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { startDurablePostgres } from "@/bench/service/durable-postgres";
import { record } from "@/lib/audit/record";
import { signHeadWhenDue } from "@/lib/audit/head";
import { publicKeyOf, signingKey } from "@/lib/audit/head";
import { verifyTenant } from "@/lib/audit/verify";
import { type Db, openStore } from "@/lib/store/store";
import { runProgram, say } from "@/scripts/program.mjs";

const WRITERS = 16;
const WRITING_MS = 5_000;
const VERIFY_WITHIN_S = 60;
const GROWTH_MB = 150;
/** In one transaction: each row of a transaction walks past the heads that the ones before left. */
const SEED_ROWS = 250;
const SIGN_ROWS = 10_000;

const key = signingKey(Buffer.alloc(32, 1));
const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

const entryAt = (tenant: string) =>
  ({
    tenant,
    actor: randomUUID(),
    code: "kyc.decide",
    outcome: "DONE",
    object: `kyc:${randomUUID()}`,
    intentId: randomUUID(),
    detail: { decision: "APPROVED", from: "PENDING" },
  }) as const;

/** Rows on record in a second, by so many writers that each commit one at a time, at these tenants. */
async function writing(db: Db, tenantOf: (writer: number) => string): Promise<number> {
  const until = performance.now() + WRITING_MS;
  let rows = 0;
  const writer = async (number: number) => {
    while (performance.now() < until) {
      await db.transaction((tx) => record(tx, entryAt(tenantOf(number))));
      rows += 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  return (rows * 1_000) / WRITING_MS;
}

/** Puts so many rows on record, signing on the way as the console does. */
async function fill(db: Db, rows: number, directory: string): Promise<void> {
  for (let done = 0; done < rows; done += SEED_ROWS) {
    await db.execute(sql`insert into audit_event (tenant, code, outcome, actor, object, intent_id, detail)
      select 'million', 'kyc.decide', case n % 2 when 0 then 'DONE' else 'INTENT' end, gen_random_uuid()::text,
        'kyc:' || gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad((n / 2)::text, 12, '0'))::uuid,
        jsonb_build_object('decision', 'APPROVED', 'from', 'PENDING')
      from generate_series(${done + 1}::int, ${Math.min(rows, done + SEED_ROWS)}::int) n`);
    if (done % SIGN_ROWS !== 0) continue;
    await signHeadWhenDue(db, "million", { directory, key, now: Date.now, ship: () => undefined });
  }
}

type Measured = { name: string; db: Db; rows: number };

/** Whether a record of so many rows verifies in time and in the same memory. */
async function verifying({ name, db, rows }: Measured): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), "audit-bench-"));
  const filled = performance.now();
  await fill(db, rows, directory);
  const fillRate = (rows * 1_000) / (performance.now() - filled);
  say(`${name}: ${numbers.format(rows)} rows chained at ${numbers.format(fillRate)} rows/s in one session`);
  let peak = 0;
  const before = process.memoryUsage().rss;
  const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 100);
  const begun = performance.now();
  const found = await verifyTenant(db, "million", { directories: [directory], publicKeys: [publicKeyOf(key)] });
  const seconds = (performance.now() - begun) / 1_000;
  clearInterval(watching);
  rmSync(directory, { recursive: true });
  const growth = (peak - before) / 1024 / 1024;
  say(
    `${name}: verified in ${seconds.toFixed(1)} s (bound ${VERIFY_WITHIN_S}), ${numbers.format(rows / seconds)} rows/s, ` +
      `${found.heads} signed heads, memory +${numbers.format(growth)} MB (bound ${GROWTH_MB})`,
  );
  const isSound = found.fault === null && found.upTo.seq === rows;
  return isSound && (seconds * 1_000_000) / rows < VERIFY_WITHIN_S && growth < GROWTH_MB;
}

async function onPostgres(rows: number): Promise<boolean> {
  const server = await startDurablePostgres();
  try {
    const store = await openStore({ databaseUrl: await server.createDatabase("audit"), dataDir: tmpdir() });
    const one = await writing(store.db, () => "one");
    const each = await writing(store.db, (writer) => `tenant-${writer}`);
    await store.db.execute(sql`alter table audit_event disable trigger audit_event_chain`);
    let number = 0;
    await store.db.execute(sql`alter table audit_event alter column seq set default 0`);
    const bare = await writing(store.db, () => `bare-${(number += 1)}`);
    await store.db.execute(sql`alter table audit_event enable trigger audit_event_chain`);
    say(
      `PostgreSQL: ${WRITERS} writers put ${numbers.format(one)} rows/s on one tenant's record, ${numbers.format(each)} on ` +
        `${WRITERS} tenants', ${numbers.format(bare)} without a chain: ${(one / bare).toFixed(2)} of that`,
    );
    const isMet = await verifying({ name: "PostgreSQL", db: store.db, rows });
    await store.close();
    return isMet;
  } finally {
    await server.stop();
  }
}

async function onPglite(rows: number): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), "audit-bench-pglite-"));
  const store = await openStore({ databaseUrl: null, dataDir });
  const isMet = await verifying({ name: "PGlite", db: store.db, rows });
  await store.close();
  rmSync(dataDir, { recursive: true });
  return isMet;
}

const USAGE = "npm run bench:audit -- [--rows 1000000] [--database both|pglite|postgres]";

async function bench(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { rows: text, database: text } });
  const { rows = "1000000", database = "both" } = values;
  if (!Number.isSafeInteger(Number(rows)) || !["both", "pglite", "postgres"].includes(database)) return say(USAGE);
  const met: boolean[] = [];
  if (database !== "pglite") met.push(await onPostgres(Number(rows)));
  if (database !== "postgres") met.push(await onPglite(Number(rows)));
  if (met.includes(false)) process.exitCode = 1;
}

await runProgram(import.meta.url, bench);
