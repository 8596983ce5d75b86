import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { assigner, type Fixture, givenFixture, TENANT } from "./cases";
import { type Read, readsOf } from "@/bench/kyc/reads";
import { sql } from "drizzle-orm";
import { createTranslator } from "use-intl/core";
import { startDurablePostgres } from "@/bench/service/durable-postgres";
import { readEnv, takeEnv } from "@/lib/settings/env";
import { tagMany } from "@/lib/kyc/queue-bulk";
import { caseLines } from "@/lib/kyc/queue-bulk";
import { matching } from "@/lib/kyc/queue";
import { TaggingMany } from "@/lib/kyc/rules";
import { KycFilter } from "@/lib/kyc/rules";
import { openStore } from "@/lib/store/store";
import portuguese from "@/messages/pt-BR.json";
import { runProgram, say } from "@/scripts/program.mjs";

const FEW = 1_000;
const FIRST_PAGE_MS = 150;
const GROWTH = 2;
const WARM_RUNS = 5;
/** So many that the median of a read of a few milliseconds says the same twice. */
const RUNS = 41;
const MEMORY_MB = 60;
/** Until then the process takes the memory that it goes on with. */
const WARM_PARTS = 20;

const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

const median = (took: readonly number[]) =>
  took.toSorted((one, other) => one - other)[Math.floor(took.length / 2)] ?? 0;

async function timed({ store }: Fixture, run: () => Promise<unknown>): Promise<number> {
  globalThis.retaguardaStore = Promise.resolve(store);
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

type Times = Pick<Read, "name" | "isBound"> & { few: number; many: number };

/** Each read at few cases and at many by turns: what else the machine does slows both. */
async function timesOf(few: Fixture, many: Fixture): Promise<Times[]> {
  const [small, large] = [await readsOf(few), await readsOf(many)];
  const times: Times[] = [];
  for (const [place, { name, run, isBound }] of large.entries()) {
    const took: Record<"few" | "many", number[]> = { few: [], many: [] };
    for (let round = -WARM_RUNS; round < RUNS; round += 1) {
      const one = await timed(few, small[place]?.run ?? run);
      const other = await timed(many, run);
      if (round < 0) continue;
      took.few.push(one);
      took.many.push(other);
    }
    times.push({ name, isBound, few: median(took.few), many: median(took.many) });
  }
  return times;
}

/** The whole file, as it is taken: rows a second, and what the process goes on growing by. */
async function exporting({ store, cases, staffId }: Fixture): Promise<boolean> {
  const asker = { tenant: TENANT, id: staffId, dueSoonHours: 8 };
  const fits = matching(asker, KycFilter.parse({ status: "all" }));
  const begun = performance.now();
  let [parts, bytes, early, peak] = [0, 0, 0, 0];
  const words = createTranslator({ locale: "pt-BR", messages: portuguese, namespace: "kyc" });
  const wanted = { fits, upTo: Number.MAX_SAFE_INTEGER, header: ["id"], locale: "pt-BR", say: words } as const;
  for await (const part of caseLines(store.db, wanted)) {
    [parts, bytes] = [parts + 1, bytes + part.length];
    if (parts % WARM_PARTS !== 0) continue;
    // What is left after a collection: when one comes by itself depends on what ran before.
    globalThis.gc?.();
    const { rss } = process.memoryUsage();
    if (parts <= WARM_PARTS) early = Math.max(early, rss);
    else peak = Math.max(peak, rss);
  }
  const [seconds, grown] = [(performance.now() - begun) / 1_000, Math.max(0, peak - early) / 1024 / 1024];
  say(
    `  CSV of ${numbers.format(cases)} cases: ${numbers.format(cases / seconds)} rows/s, ${numbers.format(bytes / 1024)} kB, ` +
      `memory after the first fifth +${numbers.format(grown)} MB (bound ${MEMORY_MB}) ${grown < MEMORY_MB ? "✓" : "✗"}`,
  );
  return grown < MEMORY_MB;
}

async function tagging(fixture: Fixture): Promise<void> {
  const asked = { bulkId: randomUUID(), selection: { search: "status=all" }, tag: "bench", isRemoved: false };
  const begun = performance.now();
  let [slice, slowest, changed]: [TaggingMany["slice"], number, number] = [null, 0, 0];
  do {
    const from = performance.now();
    const done = await tagMany(assigner(fixture), TaggingMany.parse({ ...asked, slice }));
    slowest = Math.max(slowest, performance.now() - from);
    changed += done.changed;
    slice = done.rest;
  } while (slice !== null);
  const seconds = (performance.now() - begun) / 1_000;
  say(
    `  tag on all of them: ${numbers.format(changed / seconds)} cases/s, the slowest part of 5,000 in ${numbers.format(slowest)} ms`,
  );
}

type Engine = { name: string; open: (cases: number) => Promise<Fixture> };

async function measure({ name, open }: Engine, many: number): Promise<boolean> {
  const few = await open(FEW);
  const fixture = await open(many);
  const times = await timesOf(few, fixture);
  await few.store.close();
  globalThis.retaguardaStore = Promise.resolve(fixture.store);
  say(
    `\n${name}: milliseconds of the server at ${numbers.format(FEW)} and ${numbers.format(many)} cases, median of ${RUNS}\n`,
  );
  let isMet = true;
  for (const { name: read, few: before, many: ms, isBound } of times) {
    const growth = ms / before;
    const isWithin = !isBound || (growth <= GROWTH && (read !== "first page" || ms < FIRST_PAGE_MS));
    isMet &&= isWithin;
    const figures = [before.toFixed(1), ms.toFixed(1), `${growth.toFixed(2)}x`]
      .map((text) => text.padStart(8))
      .join(" ");
    say(`  ${read.padEnd(30)} ${figures} ${isBound ? (isWithin ? "✓" : "✗") : ""}`);
  }
  say("");
  isMet = (await exporting(fixture)) && isMet;
  await tagging(fixture);
  await fixture.store.close();
  return isMet;
}

async function onPostgres(many: number): Promise<boolean> {
  const server = await startDurablePostgres();
  try {
    const open = async (cases: number) => {
      const store = await openStore({ databaseUrl: await server.createDatabase(`kyc_${cases}`), dataDir: tmpdir() });
      const fixture = await givenFixture(store, cases);
      // A server does so by itself, after a while.
      await store.db.execute(sql`vacuum analyze`);
      return fixture;
    };
    return await measure({ name: "PostgreSQL", open }, many);
  } finally {
    await server.stop();
  }
}

async function onPglite(many: number): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), "kyc-bench-"));
  try {
    const open = async (cases: number) => {
      const settings = { databaseUrl: null, dataDir: join(dataDir, String(cases)) };
      const fixture = await givenFixture(await openStore(settings), cases);
      await fixture.store.close();
      return { ...fixture, store: await openStore(settings) };
    };
    return await measure({ name: "PGlite", open }, many);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const USAGE = "npm run bench:kyc -- [--cases 100000] [--database both|pglite|postgres]";

async function bench(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { cases: text, database: text } });
  const { cases = "100000", database = "both" } = values;
  if (!Number.isSafeInteger(Number(cases)) || !["both", "pglite", "postgres"].includes(database)) return say(USAGE);
  const provider = { BANK_BASE_URL: "http://127.0.0.1:9", BANK_CLIENT_ID: TENANT, BANK_CLIENT_SECRET: "bench" };
  process.env["BANK_CLIENT_ID"] = TENANT;
  takeEnv(readEnv({ ...provider, DATA_DIR: tmpdir() }));
  const met: boolean[] = [];
  if (database !== "pglite") met.push(await onPostgres(Number(cases)));
  if (database !== "postgres") met.push(await onPglite(Number(cases)));
  if (met.includes(false)) process.exitCode = 1;
}

await runProgram(import.meta.url, bench);
