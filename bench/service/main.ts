import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { runProgram, say } from "@/scripts/program.mjs";
import { openField, provenEntries } from "./field";
import { type Figures, tableOf } from "./figures";
import { measurementsOf } from "./measurements";

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
