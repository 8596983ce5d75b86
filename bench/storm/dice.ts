import { parseArgs } from "node:util";
import { Refusal, say, seconds } from "@/scripts/program.mjs";

export type Database = "PGlite" | "PostgreSQL";

const DATABASES = new Map<string, readonly Database[]>([
  ["both", ["PGlite", "PostgreSQL"]],
  ["pglite", ["PGlite"]],
  ["postgres", ["PostgreSQL"]],
]);

type Run = { database: Database; kills: number; seed: number };

/** Runs on the databases that the flags name, one after the other; true when each run passed. */
export async function onEach(
  args: string[],
  { most, says }: { most: string; says: string },
  run: (run: Run) => Promise<boolean>,
): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: "string", default: most },
      database: { type: "string", default: "both" },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    },
  });
  const kills = Number(values.kills);
  const seed = Number(values.seed);
  const databases = DATABASES.get(values.database);
  if (databases === undefined || !(Number.isInteger(kills) && kills > 0 && Number.isInteger(seed)))
    throw new Refusal("npm run bench says what it takes.");
  const fine: boolean[] = [];
  for (const database of databases) {
    say(`\n${database}: ${kills} × kill -9${says}, seed ${seed}`);
    const startedAtMs = performance.now();
    fine.push(await run({ database, kills, seed }));
    say(`  took ${seconds(performance.now() - startedAtMs)}`);
  }
  return fine.every(Boolean);
}

/** Seeded random numbers: the same sequence for the same seed (mulberry32). */
export function rollDice(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from 0 up to, not including, `sides`. */
  const below = (sides: number) => Math.floor(next() * sides);
  return {
    below,
    /** True in `percent` of a hundred throws. */
    chance: (percent: number) => next() * 100 < percent,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError("there is nothing to pick from");
      return item;
    },
  };
}
export type Dice = ReturnType<typeof rollDice>;
