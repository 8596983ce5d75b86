import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { Client } from "pg";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { readTestDatabaseUrl } from "@/lib/env";
import { log } from "@/lib/log";
import { openStore } from "./store";

const server = readTestDatabaseUrl() ?? "";

describe.skipIf(server === "")("the store on a PostgreSQL server", () => {
  it("is opened by several instances at once and outlives the loss of its connections", async () => {
    const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const admin = new Client({ connectionString: server });
    await admin.connect();
    const name = `retaguarda_console_${randomUUID().slice(0, 8)}`;
    await admin.query(`CREATE DATABASE ${name}`);
    const own = new URL(server);
    own.pathname = `/${name}`;
    const settings = { databaseUrl: own.href, dataDir: tmpdir() };
    const [one, other] = await Promise.all([openStore(settings), openStore(settings)]);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
    await vi.waitFor(() => expect(warned).toHaveBeenCalledTimes(2));
    for (const { db } of [one, other]) await db.execute(sql`SELECT count(*) FROM staff`);
    await Promise.all([one.close(), other.close()]);
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });
});
