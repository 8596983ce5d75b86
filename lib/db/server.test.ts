import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readTestDatabaseUrl } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import { openStore } from "./connection";

const server = readTestDatabaseUrl() ?? "";

describe.skipIf(server === "")("the store on a PostgreSQL server", () => {
  let admin: Client;
  let name = "";

  beforeEach(async () => {
    admin = new Client({ connectionString: server });
    await admin.connect();
    name = `retaguarda_console_${randomUUID().slice(0, 8)}`;
    await admin.query(`CREATE DATABASE ${name}`);
  });

  afterEach(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });

  function open() {
    const own = new URL(server);
    own.pathname = `/${name}`;
    return openStore({ databaseUrl: own.href, dataDir: tmpdir() });
  }

  const breakConnections = () =>
    admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);

  it("opens the store for several instances and survives lost connections", async () => {
    const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const [one, other] = await Promise.all([open(), open()]);
    await Promise.all([one, other].map(({ db }) => db.execute(sql`SELECT 1`)));
    await breakConnections();
    await vi.waitFor(() => expect(warned).toHaveBeenCalledTimes(2));
    for (const { db } of [one, other]) await db.execute(sql`SELECT count(*) FROM staff`);
    await Promise.all([one.close(), other.close()]);
  });

  it("does not open the store for a version older than its tables", async () => {
    const opened = await open();
    const later = Date.UTC(2099, 0, 1);
    await opened.db.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', ${later})`,
    );
    await opened.close();
    await expect(open()).rejects.toThrow("the database's tables are those of a newer version");
  });

  it("resumes listening after a lost connection, and reports the gap", async () => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const { db, listen, close } = await open();
    const ear = { received: vi.fn<(payload: string) => void>(), connected: vi.fn<() => void>() };
    const stop = listen("news", ear);
    await vi.waitFor(() => expect(ear.connected).toHaveBeenCalledTimes(1));
    await breakConnections();
    await vi.waitFor(() => expect(ear.connected).toHaveBeenCalledTimes(2));
    await db.execute(sql`SELECT pg_notify('news', 'again')`);
    await vi.waitFor(() => expect(ear.received).toHaveBeenCalledWith("again"));
    await stop();
    await close();
  });
});
