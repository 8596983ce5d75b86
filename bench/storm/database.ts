import { Client } from "pg";
import { openTestServer } from "@/scripts/checks/postgres-for-tests.mjs";

/** A database on a PostgreSQL server for one storm; `close` removes it. */
export type StormDatabase = { name: string; url: string; close: () => Promise<void> };

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** A database of its own on the server of TEST_DATABASE_URL, else on a throw-away one. */
export async function openStormDatabase(): Promise<StormDatabase> {
  const server = await openTestServer();
  const database = `retaguarda_storm_${process.pid}`;
  await administer(server.url, `CREATE DATABASE ${database}`);
  const own = new URL(server.url);
  own.pathname = `/${database}`;
  return {
    name: `PostgreSQL ${server.version}`,
    url: own.href,
    close: async () => {
      await administer(server.url, `DROP DATABASE ${database} WITH (FORCE)`);
      await server.stop();
    },
  };
}
