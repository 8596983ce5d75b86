import { expect, test } from "vitest";
import { openTestDatabase } from "@/bench/service/postgres";
import { runStorm, violationsOf } from "./storm";

const KILLS = 3;
const PATIENCE_MS = 240_000;

/** Few kills; `npm run bench -- storm` does many more. */
async function weather() {
  const seed = Date.now() % 1_000_000_000;
  if (!process.env["TEST_DATABASE_URL"]) return runStorm({ kills: KILLS, seed });
  const { url, close } = await openTestDatabase();
  try {
    return await runStorm({ kills: KILLS, seed, databaseUrl: url });
  } finally {
    await close();
  }
}

test(
  "kill -9 under load loses and doubles nothing acknowledged, and every event ends",
  { timeout: PATIENCE_MS },
  async () => {
    const report = await weather();
    expect(violationsOf(report)).toEqual([]);
    expect(report.kills).toBe(KILLS);
    expect(report.orders.length).toBeGreaterThan(0);
  },
);
