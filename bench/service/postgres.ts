import { join } from "node:path";
import { Client } from "pg";
import { openTestServer } from "@/scripts/checks/checks.mjs";
import { Refusal, run } from "@/scripts/program.mjs";
import { startPostgres } from "@/scripts/setup/postgres.mjs";

/** At least one branch row for each client, or they would wait for one another more than for the server. */
export const SCALE = 20;

type Target = { folder: string; url: string };

async function pgbench({ folder, url }: Target, options: readonly string[]): Promise<string> {
  const { hostname, searchParams, pathname, username } = new URL(url);
  const connection = ["-h", searchParams.get("host") ?? hostname, "-U", username, pathname.slice(1)];
  const { ok, output } = await run(join(folder, "pgbench"), [...options, ...connection], { quiet: true });
  if (!ok) throw new Refusal(`pgbench did not succeed: ${output}`);
  return output;
}

export async function preparePgbench(target: Target): Promise<void> {
  await pgbench(target, ["--initialize", "--quiet", `--scale=${SCALE}`]);
}

/** Transactions per second of its TPC-B script by the simple protocol. */
export async function runPgbench(target: Target, clients: number, seconds: number): Promise<number> {
  const load = [`--client=${clients}`, "--jobs=2", `--time=${seconds}`, "--protocol=simple", "--no-vacuum"];
  const output = await pgbench(target, load);
  const [, perSecond] = /tps = ([\d.]+) \(without/.exec(output) ?? [];
  if (perSecond === undefined) throw new Error(`pgbench said no figure: ${output}`);
  return Number(perSecond);
}

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

/** A throw-away PostgreSQL server that keeps what it acknowledges: what is measured on it is worth something. */
export async function startDurablePostgres() {
  const settings = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
  const { url, version, folder, stop } = await startPostgres({ settings });
  return { version, folder, stop, createDatabase: (name: string) => createDatabase(url, name) };
}

/** A database of its own on the server of TEST_DATABASE_URL, else on a throw-away one; `close` removes it. */
export async function openTestDatabase() {
  const server = await openTestServer();
  const name = `retaguarda_bench_${process.pid}`;
  return {
    name: `PostgreSQL ${server.version}`,
    url: await createDatabase(server.url, name),
    close: async () => {
      await administer(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
      await server.stop();
    },
  };
}
