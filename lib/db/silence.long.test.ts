import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readTestDatabaseUrl } from "@/lib/settings/env";
import { isStoreOpen } from "@/lib/health/database";
import { log } from "@/lib/log/log";
import { openStore, type Store } from "./connection";
import { StoreUnavailable } from "./error";

const server = readTestDatabaseUrl() ?? "";

/** A TCP proxy that can fall silent: it then drops existing and new connections until reopened. */
async function openWay(to: URL) {
  const carried = new Set<Socket>();
  let isOpen = true;
  const way = createServer((near) => {
    const port = Number(to.port || 5432);
    const folder = to.searchParams.get("host");
    const far = folder === null ? connect(port, to.hostname) : connect(`${folder}/.s.PGSQL.${port}`);
    for (const socket of [near, far]) {
      if (isOpen) carried.add(socket);
      socket.on("error", () => undefined);
    }
    near.on("data", (bytes) => carried.has(near) && far.write(bytes));
    far.on("data", (bytes) => carried.has(far) && near.write(bytes));
  });
  way.listen(0, "127.0.0.1");
  await once(way, "listening");
  const address = way.address();
  const all = new Set<Socket>();
  way.on("connection", (near) => all.add(near));
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    silence: () => carried.clear(),
    shut: () => {
      isOpen = false;
      carried.clear();
    },
    open: () => {
      isOpen = true;
    },
    close: () => {
      way.close();
      for (const socket of all) socket.destroy();
    },
  };
}

const failureOf = (asked: Promise<unknown>) => asked.then(String, (error: unknown) => error);

describe.skipIf(server === "")("a database whose connections go silent", () => {
  let admin: Client;
  let name = "";
  let way: Awaited<ReturnType<typeof openWay>>;
  let opened: Store;
  beforeEach(async () => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    admin = new Client({ connectionString: server });
    await admin.connect();
    name = `retaguarda_console_${randomUUID().slice(0, 8)}`;
    await admin.query(`CREATE DATABASE ${name}`);
    way = await openWay(new URL(server));
    const through = new URL(server);
    through.host = `127.0.0.1:${way.port}`;
    through.pathname = `/${name}`;
    through.searchParams.delete("host");
    opened = await openStore({ databaseUrl: through.href, dataDir: tmpdir() });
    globalThis.retaguardaStore = Promise.resolve(opened);
  });
  afterEach(async () => {
    globalThis.retaguardaStore = undefined;
    way.close();
    await opened.close();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });

  it("reconnects to a silent database while health keeps answering", async () => {
    const ear = { received: vi.fn<(payload: string) => void>(), connected: vi.fn<() => void>() };
    const stop = opened.listen("news", ear);
    await vi.waitFor(() => expect(ear.connected).toHaveBeenCalledTimes(1));
    await Promise.all(Array.from({ length: 10 }, () => opened.db.execute(sql`SELECT pg_sleep(0.2)`)));
    expect(await isStoreOpen()).toBe(true);

    let begin: () => void = vi.fn<() => void>();
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const abandoned = opened.db
      .transaction(async (tx) => {
        await tx.execute(sql`SELECT 1`);
        way.silence();
        begin();
        await tx.execute(sql`SELECT 2`);
      })
      .then(
        () => "done",
        (error: unknown) => error,
      );
    await begun;
    expect(await isStoreOpen()).toBe(false);
    expect(await abandoned).toBeInstanceOf(StoreUnavailable);
    await vi.waitFor(async () => expect(await isStoreOpen()).toBe(true), { timeout: 60_000, interval: 100 });
    await vi.waitFor(() => expect(ear.connected).toHaveBeenCalledTimes(2), { timeout: 60_000 });
    await opened.db.execute(sql`SELECT pg_notify('news', 'again')`);
    await vi.waitFor(() => expect(ear.received).toHaveBeenCalledWith("again"));
    await stop();
  });

  const ask = () => failureOf(opened.db.execute(sql`SELECT 1`).then(() => "answered"));
  const write = () => failureOf(opened.db.transaction((tx) => tx.execute(sql`SELECT 1`)));

  it("refuses everybody until the database answers again", async () => {
    const said = vi.spyOn(log, "error").mockImplementation(() => undefined);
    await Promise.all(Array.from({ length: 10 }, () => opened.db.execute(sql`SELECT 1`)));
    way.shut();
    const first = await Promise.all([ask(), write(), ...Array.from({ length: 18 }, ask)]);
    for (const error of first) expect(error).toBeInstanceOf(StoreUnavailable);
    const next = await Promise.all([ask(), write()]);
    for (const error of next) expect(error).toBeInstanceOf(StoreUnavailable);
    expect(said).toHaveBeenCalledTimes(1);
    way.open();
    await vi.waitFor(async () => expect(await isStoreOpen()).toBe(true), 20_000);
    await Promise.all(Array.from({ length: 20 }, () => opened.db.execute(sql`SELECT 1`)));
  });
});
