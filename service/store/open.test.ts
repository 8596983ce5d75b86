import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTestDatabaseUrl } from "@/service/settings";
import { DatabaseError, OtherVersionError, migrateEmbedded, openServerDatabase } from "./open";

import { dumpFile } from "@/test/support/service/store-dump";

const server = readTestDatabaseUrl();

const refuse = (error: Error) => {
  throw error;
};

const run = async (url: string, statement: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
};

const OTHERS = [
  ["a newer", "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)"],
  ["an earlier", "UPDATE drizzle.__drizzle_migrations SET hash = 'before', created_at = 1"],
] as const;

describe.skipIf(server !== undefined)("the embedded database", () => {
  test.each(OTHERS)("refuses a database that %s version has written", async (_, statement) => {
    const client = await PGlite.create({ loadDataDir: new Blob([readFileSync(dumpFile())]) });
    await client.exec(statement);
    await expect(migrateEmbedded(client)).rejects.toThrow(OtherVersionError);
    await client.close();
  });
});

describe.skipIf(server === undefined)("a PostgreSQL server's database", () => {
  const name = `retaguarda_open_${process.pid}`;
  const own = new URL(server ?? "postgres://localhost");
  own.pathname = `/${name}`;
  beforeEach(() => run(server ?? "", `CREATE DATABASE ${name}`));
  afterEach(() => run(server ?? "", `DROP DATABASE ${name} WITH (FORCE)`));

  test("serves one service at a time, and the next after it closes", async () => {
    const first = await openServerDatabase(own.href, refuse);
    await expect(openServerDatabase(own.href, refuse)).rejects.toThrow(DatabaseError);
    await first.close();
    const second = await openServerDatabase(own.href, refuse);
    await second.close();
  });

  test.each(OTHERS)("refuses a server's database that %s version has written", async (_, statement) => {
    await (await openServerDatabase(own.href, refuse)).close();
    await run(own.href, statement);
    await expect(openServerDatabase(own.href, refuse)).rejects.toThrow(OtherVersionError);
  });

  test("reports a lost database at once", async () => {
    let tell: (error: Error) => void = refuse;
    const lost = new Promise<Error>((resolve) => {
      tell = resolve;
    });
    const database = await openServerDatabase(own.href, (error) => tell(error));
    await run(
      server ?? "",
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
    );
    expect((await lost).message).toContain("the database was lost");
    await database.close();
  });
});
