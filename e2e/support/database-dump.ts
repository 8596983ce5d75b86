import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { z } from "zod";

type Database = { query: (statement: string) => Promise<unknown>; close: () => Promise<void> };

const Rows = <Row extends z.ZodType>(row: Row) => z.object({ rows: z.array(row) });
const Tables = Rows(z.object({ schema: z.string(), name: z.string(), quoted: z.string() }));
const Contents = Rows(z.object({ row: z.string() }));

const TABLES = `
  SELECT table_schema AS schema, table_name AS name, format('%I.%I', table_schema, table_name) AS quoted
  FROM information_schema.tables
  WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
  ORDER BY 1, 2`;

async function openEmbedded(directory: string): Promise<Database> {
  // Read once and closed, so optimised compilation would cost more than it saves.
  setFlagsFromString("--liftoff-only");
  const client = await PGlite.create(join(directory, "pg"));
  return { query: (statement) => client.query(statement), close: () => client.close() };
}

async function openServer(url: string): Promise<Database> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return { query: (statement) => client.query(statement), close: () => client.end() };
}

/**
 * Every row of every table as JSON, bytes in hex: from a closed data directory, or from a database on a server
 * (`postgres://…`).
 */
export async function* dump(where: string): AsyncGenerator<{ table: string; row: string }> {
  const database = await (where.startsWith("postgres") ? openServer(where) : openEmbedded(where));
  for (const { schema, name, quoted } of Tables.parse(await database.query(TABLES)).rows) {
    const contents = await database.query(`SELECT to_jsonb(kept)::text AS row FROM ${quoted} AS kept`);
    for (const { row } of Contents.parse(contents).rows) yield { table: `${schema}.${name}`, row };
  }
  await database.close();
}

/** Every file under a folder by its relative path, one character a byte. */
export function filesUnder(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, "latin1")]));
}
