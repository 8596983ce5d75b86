import { once } from "node:events";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { z } from "zod";
import { median } from "@/bench/provider/bound";
import { say } from "@/scripts/program.mjs";
import { type Load, Measured } from "./load";
import { type Account, populate } from "./population";
import { preparePgbench, runPgbench, SCALE, startDurablePostgres } from "./postgres";
import { launch, type Service, startServer, startService, whenEnded } from "./program";

/** What one round measured of one thing, a second; latencies in milliseconds where they are known. */
type Figure = { perSecond: number; p50Ms?: number; p99Ms?: number };

/** One thing to measure in every round; `of`: the name of what its rate is a share of. */
type Measurement = { name: string; of?: string; goal?: number; take: () => Promise<Figure> };

type Figures = Map<string, Figure[]>;

const ofRounds = (figures: Figures, name: string, key: keyof Figure) =>
  median((figures.get(name) ?? []).flatMap((figure) => figure[key] ?? []));

/** Of each thing the median of its rounds, the range of them, and its share. */
function rowOf({ name, of, goal }: Measurement, figures: Figures) {
  const rates = (figures.get(name) ?? []).map(({ perSecond }) => perSecond);
  const ratio = median(rates) / ofRounds(figures, of ?? name, "perSecond");
  const ms = (key: "p50Ms" | "p99Ms") => ofRounds(figures, name, key).toFixed(2).replace("NaN", "");
  const wanted = goal === undefined ? "" : ` (goal ${goal.toFixed(2)}${ratio >= goal ? ", met" : ", missed"})`;
  return {
    "a second": Math.round(median(rates)),
    "lowest–highest": `${Math.round(Math.min(...rates))}–${Math.round(Math.max(...rates))}`,
    "p50 ms": ms("p50Ms"),
    "p99 ms": ms("p99Ms"),
    share: of === undefined ? "" : `${ratio.toFixed(2)} of ${of}${wanted}`,
  };
}

type Populated = { service: Service; accounts: readonly Account[]; balancePaths: readonly string[] };

async function startPopulated(count: number, databaseUrl?: string): Promise<Populated> {
  const service = await startService(databaseUrl);
  const accounts = await populate(service, count);
  const balancePaths = accounts.map((account) => `/v1/bank-accounts/balance?${new URLSearchParams(account)}`);
  return { service, accounts, balancePaths };
}

const Books = z.object({ data: z.object({ balanced: z.boolean(), entries: z.number() }) });

/** Throws unless the books balance after all that was done to them; answers how many entries they hold. */
async function provenEntries({ service }: Populated): Promise<number> {
  const { balanced, entries } = Books.parse(await service.inspect("/sandbox/ledger/check")).data;
  if (!balanced) throw new Error("the books do not balance");
  return entries;
}

/** As many as pgbench is given threads. */
const GENERATORS = 2;

/**
 * The load generator: processes of its own, so that it takes no time from what it measures, which share a load's clients.
 * Rates add up; of the latencies the worse ones stand. An answer other than 200 ends the bench.
 */
function startGenerator() {
  const programs = Array.from({ length: GENERATORS }, () => {
    const program = launch({ file: "bench/service/beside.ts" });
    return { ...program, ended: whenEnded(program) };
  });
  const put = async (load: Load): Promise<Figure> => {
    const parts = await Promise.all(
      programs.map(async ({ child, ended }) => {
        child.send(load);
        const [message]: unknown[] = await Promise.race([once(child, "message"), ended]);
        const measured = Measured.parse(message);
        if (measured.refused !== undefined) throw new Error(`the load was refused: ${measured.refused}`);
        return measured;
      }),
    );
    return {
      perSecond: parts.reduce((sum, part) => sum + part.perSecond, 0),
      p50Ms: Math.max(...parts.map((part) => part.p50Ms)),
      p99Ms: Math.max(...parts.map((part) => part.p99Ms)),
    };
  };
  const stop = async () => {
    await Promise.all(programs.map((program) => program.stop()));
  };
  return { put, stop };
}

const CLIENTS = 16;
const ROUNDS = 3;
const FULL = { seconds: 10, accounts: 1_000 };
const QUICK = { seconds: 2, accounts: 200 };
const TPC_B = `pgbench TPC-B, scale ${SCALE}`;

/** Starts all that is measured, side by side: only one is under load at a time. Rates that make a ratio are taken one after the other. */
async function openField({ seconds, accounts }: typeof FULL, onClose: (close: () => Promise<void>) => void) {
  const postgres = await startDurablePostgres();
  onClose(postgres.stop);
  const pgbench = { folder: postgres.folder, url: await postgres.createDatabase("pgbench") };
  await preparePgbench(pgbench);
  const onPostgres = await startPopulated(accounts, await postgres.createDatabase("service"));
  onClose(onPostgres.service.stop);
  const onEmbedded = await startPopulated(accounts);
  onClose(onEmbedded.service.stop);
  const { origin, headers, read } = onPostgres.service;
  const balance = await read(onPostgres.balancePaths[0] ?? "");
  const environment = { BENCH_ANSWER: JSON.stringify(balance) };
  const bareHono = await startServer({ file: "bench/service/beside.ts", environment });
  onClose(bareHono.stop);
  const generator = startGenerator();
  onClose(generator.stop);

  const timing = { measureMs: seconds * 1_000, clients: CLIENTS / GENERATORS };
  const transfers = ({ service, accounts: between }: Populated) =>
    generator.put({
      ...timing,
      origin: service.origin,
      headers: service.headers,
      question: { kind: "transfer", accountIds: between.map(({ accountId }) => accountId) },
    });
  const question: Load["question"] = { kind: "read", paths: [...onPostgres.balancePaths] };
  const reads = (from: string) => generator.put({ ...timing, origin: from, headers, question });
  const measurements: Measurement[] = [
    { name: TPC_B, take: async () => ({ perSecond: await runPgbench(pgbench, CLIENTS, seconds) }) },
    { name: "transfers on PostgreSQL", of: TPC_B, goal: 0.5, take: () => transfers(onPostgres) },
    { name: "transfers on PGlite", of: TPC_B, take: () => transfers(onEmbedded) },
    { name: "bare Hono", take: () => reads(bareHono.origin) },
    { name: "balance", of: "bare Hono", goal: 0.6, take: () => reads(origin) },
  ];
  return { measurements, services: [onPostgres, onEmbedded], version: postgres.version };
}

export async function measure(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { quick: { type: "boolean", default: false } } });
  const wish = values.quick ? QUICK : FULL;
  const closing: (() => Promise<void>)[] = [];
  try {
    const { measurements, services, version } = await openField(wish, (close) => closing.unshift(close));
    const figures: Figures = new Map(measurements.map(({ name }) => [name, []]));
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const { name, take } of measurements) {
        if (process.stdout.isTTY) process.stdout.write(`\u001b[2K… round ${round} of ${ROUNDS}: ${name}\r`);
        figures.get(name)?.push(await take());
      }
    }
    const entries = await Promise.all(services.map(provenEntries));
    const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}; Node ${process.versions.node}`;
    say(`${CLIENTS} clients, ${wish.accounts} accounts, median of ${ROUNDS} interleaved rounds of ${wish.seconds} s`);
    say(`${machine}; PostgreSQL ${version}, fsync on; PGlite never fsyncs`);
    console.table(Object.fromEntries(measurements.map((one) => [one.name, rowOf(one, figures)])));
    say(`The books balance: ${entries[0]} entries on PostgreSQL, ${entries[1]} on PGlite.`);
    return true;
  } finally {
    for (const close of closing) await close();
  }
}
