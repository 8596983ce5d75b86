import { Client } from "pg";
import { openTestServer } from "@/scripts/checks/checks.mjs";
import { startPostgres } from "@/scripts/setup/postgres.mjs";

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function createDatabase(url: string, name: string): Promise<string> {
  await administer(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

/** A throw-away PostgreSQL server with fsync on, so that measurements are realistic. */
export async function startDurablePostgres() {
  const settings = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
  const { url, stop } = await startPostgres({ settings });
  return { stop, createDatabase: (name: string) => createDatabase(url, name) };
}

/** A database of its own on the server of TEST_DATABASE_URL, else on a throw-away one; `close` removes it. */
export async function openTestDatabase() {
  const server = await openTestServer();
  const name = `retaguarda_bench_${process.pid}`;
  return {
    url: await createDatabase(server.url, name),
    close: async () => {
      await administer(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
      await server.stop();
    },
  };
}
