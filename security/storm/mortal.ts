import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import { root } from "@/scripts/program.mjs";
import { type Database, type Desk, type Policy, prepareStormProduct } from "./product";

/** As `deadly.mjs` reads it. */
export type Death = { step: string; intentId: string };

const DEAD_WITHIN_MS = 3_000;
const PRELOAD = pathToFileURL(join(root, "security/storm/deadly.mjs")).href;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

async function administer(serverUrl: string, ...statements: string[]): Promise<void> {
  const server = new URL(serverUrl);
  server.pathname = "/postgres";
  const client = new Client({ connectionString: server.href });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Also from under a connection that the server has not missed yet. */
async function copyOnServer(serverUrl: string, from: string, to: string): Promise<void> {
  const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${from}'`;
  await administer(serverUrl, others, `DROP DATABASE IF EXISTS ${to} WITH (FORCE)`);
  await administer(serverUrl, others, `CREATE DATABASE ${to} TEMPLATE ${from}`);
}

const copyFolder = (from: string, to: string) =>
  cpSync(from, to, { recursive: true, filter: (path) => !basename(path).startsWith("lock") });
const nameOf = (serverUrl: string) => new URL(serverUrl).pathname.slice(1);

/** The console's own store, copied and restored while nobody has it open. */
function createShelf({ dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | null }) {
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-copies-"));
  const made: string[] = [];

  const store = join(dataDir, "console");

  async function copy(name: string): Promise<void> {
    made.push(name);
    if (databaseUrl === null) copyFolder(store, join(folder, name));
    else await copyOnServer(databaseUrl, nameOf(databaseUrl), `${nameOf(databaseUrl)}_${name}`);
  }

  /** As `docs/operating.md` says, with the earlier heads moved beside the new ones. */
  async function putBack(name: string): Promise<void> {
    const heads = join(dataDir, "audit-heads");
    const moved = `${heads}-until-restore`;
    if (existsSync(moved)) rmSync(heads, { recursive: true, force: true });
    else renameSync(heads, moved);
    if (databaseUrl !== null) return copyOnServer(databaseUrl, `${nameOf(databaseUrl)}_${name}`, nameOf(databaseUrl));
    rmSync(store, { recursive: true });
    mkdirSync(store);
    copyFolder(join(folder, name), store);
  }

  async function remove(): Promise<void> {
    rmSync(folder, { recursive: true, force: true });
    if (databaseUrl === null) return;
    const drops = made.map((name) => `DROP DATABASE IF EXISTS ${nameOf(databaseUrl)}_${name}`);
    await administer(databaseUrl, ...drops);
  }

  return { copy, putBack, remove };
}

/** The storm's product, whose console dies on command and restarts on its data. */
export async function startMortalProduct(database: Database) {
  const prepared = await prepareStormProduct(database, { wallets: 0 });
  const shelf = createShelf(prepared);
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-deadly-"));
  const orderFile = join(folder, "order.json");
  const startOnce = () =>
    prepared.start({
      DEADLY_FOLDER: folder,
      NODE_OPTIONS: `--import ${PRELOAD}`,
      // A restored store has the sessions of its time.
      SESSION_IDLE_MINUTES: "720",
    });
  let product = await startOnce();
  let startedAtMs = performance.now();

  const pid = () => Number(readFileSync(join(folder, "pid"), "utf8"));
  const strike = () => void (isAlive(pid()) && process.kill(pid(), "SIGKILL"));

  return {
    booksUrl: prepared.booksUrl,
    offers: prepared.offers,
    startedAtMs: () => startedAtMs,
    desk(policy: Policy): Desk {
      const found = product.desks.find((one) => one.policy === policy);
      if (found === undefined) throw new Error(`there is no desk of ${policy}`);
      return found;
    },
    dieAt: (death: Death) => writeFileSync(orderFile, JSON.stringify(death)),
    strike,
    /** A killed process exists until its parent has noticed. */
    async isDead(): Promise<boolean> {
      const giveUpAtMs = performance.now() + DEAD_WITHIN_MS;
      while (isAlive(pid()) && performance.now() < giveUpAtMs) await pause(50);
      return !isAlive(pid());
    },
    /** Waits until it is really dead; `between` runs while nobody has its store open. */
    async startAgain(between: () => Promise<void>): Promise<void> {
      strike();
      await product.stop();
      rmSync(orderFile, { force: true });
      await between();
      product = await startOnce();
      startedAtMs = performance.now();
    },
    shelf,
    async stop(): Promise<void> {
      await product.stop();
      await shelf.remove();
      await prepared.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Mortal = Awaited<ReturnType<typeof startMortalProduct>>;

/** Kills the console after a random delay of at most this long. */
export const strikeWithin = async (mortal: Mortal, ms: number): Promise<void> => {
  await pause(Math.random() * ms);
  mortal.strike();
};
