import { parseArgs } from "node:util";
import { refuse } from "@/scripts/program.mjs";
import { linesOf, openStormDatabase, runStorm, violationsOf } from "./storm";

const USAGE = "npm run storm -- [--kills 100] [--database both|pglite|postgres] [--seed NUMBER]";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    database: { type: "string", default: "both" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});

const kills = Number(values.kills);
const seed = Number(values.seed);
const isUsable = Number.isInteger(kills) && kills > 0 && Number.isInteger(seed);
if (!isUsable || !["both", "pglite", "postgres"].includes(values.database)) {
  console.error(USAGE);
  process.exit(2);
}

const onKill = (done: number) => process.stdout.isTTY && process.stdout.write(`… kill ${done} of ${kills}\r`);

/** Runs one storm and prints its figures; true when it was weathered. What a client cannot accept ends it at once. */
async function weather(name: string, databaseUrl?: string): Promise<boolean> {
  console.log(`\n${name}: ${kills} × kill -9, 16 clients, seed ${seed}`);
  const startedAtMs = performance.now();
  try {
    const report = await runStorm({ kills, seed, onKill, ...(databaseUrl !== undefined && { databaseUrl }) });
    linesOf(report).forEach((line) => console.log(line));
    console.log(`  took ${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`);
    return violationsOf(report).length === 0;
  } catch (error) {
    console.log(`✗ ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function weatherOnServer(): Promise<boolean> {
  const database = await openStormDatabase().catch(refuse);
  const isFine = await weather(database.name, database.url);
  await database.close();
  return isFine;
}

const fine: boolean[] = [];
if (values.database !== "postgres") fine.push(await weather("PGlite"));
if (values.database !== "pglite") fine.push(await weatherOnServer());
console.log(fine.includes(false) ? "\nVIOLATIONS: see the lines marked ✗." : "\n0 violations.");
process.exit(fine.includes(false) ? 1 : 0);
