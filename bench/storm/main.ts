import { openTestDatabase } from "@/bench/service/postgres";
import { say } from "@/scripts/program.mjs";
import { readKills } from "./dice";
import { linesOf, runStorm, violationsOf } from "./storm";

/** Runs one storm and prints its figures; true when it was weathered. What a client cannot accept ends it at once. */
async function weather(name: string, kills: number, seed: number, databaseUrl?: string): Promise<boolean> {
  say(`\n${name}: ${kills} × kill -9, 16 clients, seed ${seed}`);
  const startedAtMs = performance.now();
  const onKill = (done: number) => process.stdout.isTTY && process.stdout.write(`… kill ${done} of ${kills}\r`);
  const report = await runStorm({ kills, seed, onKill, ...(databaseUrl !== undefined && { databaseUrl }) });
  for (const line of linesOf(report)) say(line);
  say(`  took ${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`);
  return violationsOf(report).length === 0;
}

export async function measure(args: string[]): Promise<boolean> {
  const { kills, seed, databases } = readKills(args, "100");
  const fine: boolean[] = [];
  if (databases.includes("PGlite")) fine.push(await weather("PGlite", kills, seed));
  if (databases.includes("PostgreSQL")) {
    const { name, url, close } = await openTestDatabase();
    try {
      fine.push(await weather(name, kills, seed, url));
    } finally {
      await close();
    }
  }
  say(fine.every(Boolean) ? "\n0 violations." : "\nVIOLATIONS: see the lines marked ✗.");
  return fine.every(Boolean);
}
