import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { runProgram, say } from "@/scripts/program.mjs";
import { type Field, type Populated, openField, provenEntries } from "./field";
import type { Load } from "./load";
import { SCALE, runPgbench } from "./durable-postgres";

/** What one round measured of one thing, a second; latencies in milliseconds where they are known. */
type Figure = { perSecond: number; p50Ms?: number; p99Ms?: number };

/** The figures of every round, by the name of what was measured. */
type Figures = Map<string, Figure[]>;

/** One line of the table; `of`: the name of what its rate is a share of. */
type Row = { name: string; of?: string; goal?: number };

function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).toSorted((one, other) => one - other);
  return known[Math.floor(known.length / 2)];
}

const rate = (figures: Figures, name: string) => median((figures.get(name) ?? []).map((figure) => figure.perSecond));

function share(figures: Figures, { name, of, goal }: Row): string {
  if (of === undefined) return "";
  const ratio = (rate(figures, name) ?? Number.NaN) / (rate(figures, of) ?? Number.NaN);
  const wanted = goal === undefined ? "" : ` (goal ${goal.toFixed(2)}${ratio >= goal ? ", met" : ", missed"})`;
  return `${ratio.toFixed(2)} of ${of}${wanted}`;
}

const whole = (value: number | undefined) => (value === undefined ? "" : Math.round(value).toLocaleString("en-GB"));
const milliseconds = (value: number | undefined) => value?.toFixed(2) ?? "";

function spread(rounds: readonly Figure[]): string {
  const rates = rounds.map((figure) => figure.perSecond);
  return `${whole(Math.min(...rates))}–${whole(Math.max(...rates))}`;
}

const WIDTHS = [12, 18, 10, 10];

const lineOf = (name: string, cells: readonly string[], last: string) =>
  `${name.padEnd(28)}${cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 0)).join("")}   ${last}`.trimEnd();

/** The table: of each thing the median of its rounds, the range of them, and its share. */
function tableOf(rows: readonly Row[], figures: Figures): string[] {
  const lines = rows.map((row) => {
    const rounds = figures.get(row.name) ?? [];
    const p50 = median(rounds.map((figure) => figure.p50Ms));
    const p99 = median(rounds.map((figure) => figure.p99Ms));
    const cells = [whole(rate(figures, row.name)), spread(rounds), milliseconds(p50), milliseconds(p99)];
    return lineOf(row.name, cells, share(figures, row));
  });
  return [lineOf("", ["a second", "lowest–highest", "p50 ms", "p99 ms"], "share"), ...lines];
}

const CLIENTS = 16;
const WARM_UP_MS = 1_000;

/** One thing to measure in every round. */
type Measurement = Row & { take: () => Promise<Figure> };

const TPC_B = `pgbench TPC-B, scale ${SCALE}`;

/** What is measured, in the order of a round. Rates that make a ratio are taken one after the other. */
function measurementsOf(field: Field, seconds: number): Measurement[] {
  const { generator, onPostgres, onEmbedded } = field;
  const timing = { warmUpMs: WARM_UP_MS, measureMs: seconds * 1_000 };
  const { headers } = onPostgres.service;
  const question: Load["question"] = { kind: "read", paths: [...onPostgres.balancePaths] };

  const transfers =
    ({ service, accounts }: Populated) =>
    () => {
      const accountIds = accounts.map((account) => account.accountId);
      const { origin, headers: own } = service;
      return generator.put({
        ...timing,
        origin,
        headers: own,
        clients: CLIENTS,
        question: { kind: "transfer", accountIds },
      });
    };
  const reads = (origin: string, clients: number) => () =>
    generator.put({ ...timing, origin, headers, question, clients });
  const besideHono = (clients: number): Measurement[] => {
    const who = clients === 1 ? "1 client" : `${clients} clients`;
    const bare = `bare Hono, ${who}`;
    const goal = clients === CLIENTS ? { goal: 0.6 } : {};
    return [
      { name: bare, take: reads(field.bareHono.origin, clients) },
      { name: `balance, ${who}`, of: bare, ...goal, take: reads(onPostgres.service.origin, clients) },
    ];
  };
  const pgbench = { folder: field.postgres.folder, url: field.pgbenchUrl };
  return [
    { name: TPC_B, take: async () => ({ perSecond: await runPgbench(pgbench, CLIENTS, seconds) }) },
    { name: "transfers on PostgreSQL", of: TPC_B, goal: 0.5, take: transfers(onPostgres) },
    { name: "transfers on PGlite", of: TPC_B, take: transfers(onEmbedded) },
    ...besideHono(CLIENTS),
    ...besideHono(1),
    { name: "the generator's ceiling", take: reads(field.bareSocket.origin, CLIENTS) },
  ];
}

const ROUNDS = 3;
const FULL = { seconds: 10, accounts: 1_000 };
const QUICK = { seconds: 2, accounts: 200 };

async function bench(): Promise<void> {
  const { values } = parseArgs({
    options: { quick: { type: "boolean", default: false }, profile: { type: "string" } },
  });
  const { seconds, accounts } = values.quick ? QUICK : FULL;
  const closing: (() => Promise<void>)[] = [];
  try {
    const field = await openField({ accounts, profileDirectory: values.profile }, (close) => closing.unshift(close));
    const measurements = measurementsOf(field, seconds);
    const figures: Figures = new Map(measurements.map(({ name }) => [name, []]));
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const { name, take } of measurements) {
        if (process.stdout.isTTY) process.stdout.write(`\u001b[2K… round ${round} of ${ROUNDS}: ${name}\r`);
        figures.get(name)?.push(await take());
      }
    }
    const entries = await Promise.all([field.onPostgres, field.onEmbedded].map(provenEntries));
    const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}`;
    say(`16 clients, ${accounts} accounts, median of ${ROUNDS} interleaved rounds of ${seconds} s each`);
    say(
      `${machine}; Node ${process.versions.node}; PostgreSQL ${field.postgres.version}, fsync on; PGlite never fsyncs\n`,
    );
    for (const line of tableOf(measurements, figures)) say(line);
    say(`\nThe books balance: ${entries[0]} entries on PostgreSQL, ${entries[1]} on PGlite.`);
  } finally {
    for (const close of closing) await close();
  }
}

await runProgram(import.meta.url, bench);
