import { Client } from "pg";
import { startPostgres } from "@/scripts/setup/postgres.mjs";

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
