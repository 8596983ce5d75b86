import { join } from "node:path";
import { Client } from "pg";
import { Refusal, run } from "@/scripts/program.mjs";
import { startPostgres } from "@/scripts/setup/postgres.mjs";

/** At least one branch row for each client, or they would wait for one another more than for the server. */
export const SCALE = 20;

type Target = { folder: string; url: string };

function connectionOf(url: string): string[] {
  const { hostname, searchParams, pathname, username } = new URL(url);
  return ["-h", searchParams.get("host") ?? hostname, "-U", username, pathname.slice(1)];
}

async function pgbench({ folder, url }: Target, options: readonly string[]): Promise<string> {
  const { ok, output } = await run(join(folder, "pgbench"), [...options, ...connectionOf(url)], { quiet: true });
  if (!ok) throw new Refusal(`pgbench did not succeed: ${output}`);
  return output;
}

/** Fills pgbench's own tables. */
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

/** A throw-away PostgreSQL server that keeps what it acknowledges: what is measured on it is worth something. */
export type DurablePostgres = {
  version: string;
  /** The folder of its programs. */
  folder: string;
  /** Makes an empty database and answers its URL. */
  createDatabase: (name: string) => Promise<string>;
  stop: () => Promise<void>;
};

const DURABLE = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };

export async function startDurablePostgres(): Promise<DurablePostgres> {
  const { url, version, folder, stop } = await startPostgres({ settings: DURABLE });
  return {
    version,
    folder,
    createDatabase: async (name) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      const own = new URL(url);
      own.pathname = `/${name}`;
      return own.href;
    },
    stop,
  };
}
