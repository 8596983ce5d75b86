import { openTestDatabase } from "@/bench/service/postgres";
import { say } from "@/scripts/program.mjs";
import { onEach } from "./dice";
import { linesOf, runStorm, violationsOf } from "./storm";

/** Any unexpected answer ends a storm at once. */
export const measure = (args: string[]): Promise<boolean> =>
  onEach(args, { most: "100", says: ", 16 clients" }, async ({ database, kills, seed }) => {
    const onKill = (done: number) => process.stdout.isTTY && process.stdout.write(`… kill ${done} of ${kills}\r`);
    const server = database === "PostgreSQL" ? await openTestDatabase() : null;
    try {
      const report = await runStorm({ kills, seed, onKill, ...(server !== null && { databaseUrl: server.url }) });
      for (const line of linesOf(report)) say(line);
      return violationsOf(report).length === 0;
    } finally {
      await server?.close();
    }
  });
