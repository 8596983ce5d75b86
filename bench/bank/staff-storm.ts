import { parseArgs } from "node:util";
import { Client } from "pg";
import { say } from "@/scripts/program.mjs";
import { bound, busiestMinute, percentile, printBounds } from "./bound";
import { type Shifts, withShifts, told } from "./shifts";

const PEOPLE = 300;
const PROCESSES = 2;
/** A click every 15 s or so: some 1,200 a minute, where the provider allows 200. */
const THINK_SECONDS = 15;
const TRANSFER_PERCENT = 2;

/** What the call log says of how long money waited for its turn. */
async function moneyWaitsMs({ product }: Shifts): Promise<number[]> {
  const client = new Client({ connectionString: product.consoleEnvironment("")["DATABASE_URL"] });
  await client.connect();
  const { rows } = await client.query<{ waited_ms: number }>("select waited_ms from bank_call where lane = 'money'");
  await client.end();
  return rows.map(({ waited_ms: waitedMs }) => waitedMs);
}

export const take = (flags: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({ args: [...flags], options: { seconds: { type: "string", default: "180" } } });
  const seconds = Number(values.seconds);
  // The service's own limit is the interface's: 200.
  const serviceEnvironment = { SERVICE_RATE_LIMIT_PER_MINUTE: "200" };
  return withShifts({ processes: PROCESSES, serviceEnvironment }, async (shifts) => {
    const { looks, transfers, transferMs } = await shifts.work({
      people: PEOPLE,
      seconds,
      thinkSeconds: THINK_SECONDS,
      transferPercent: TRANSFER_PERCENT,
    });
    const seen = shifts.proxy.seen("*");
    const waitsMs = await moneyWaitsMs(shifts);
    say(`${PEOPLE} people at ${PROCESSES} instances for ${seconds} s; ${seen.length} calls left.`);
    say(`Looks: ${told(looks)}. Transfers: ${told(transfers)}, p95 ${percentile(transferMs, 95).toFixed(0)} ms.`);
    return printBounds([
      bound("calls in the busiest 60 s", busiestMinute(seen.map(({ atMs }) => atMs)), { atMost: 180 }),
      bound("answers 429", seen.filter(({ status }) => status === 429).length, { exactly: 0 }),
      bound("p95 of what a money call waits for its turn, ms", percentile(waitsMs, 95), { below: 250 }),
      bound("transfers without an answer", Object.keys(transfers.failures).length, { exactly: 0 }),
    ]);
  });
};
