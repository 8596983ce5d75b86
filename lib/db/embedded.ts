import { linkSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { connect, createServer, type Server } from "node:net";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";

export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
}

const GUARD_STALE_MS = 5_000;
/** For a lock on another machine, the only sign of life. */
const RENEWED_EVERY_MS = 3_000;
const LEASE_MS = 15_000;
const POLL_INTERVAL_MS = 500;

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return otherwise;
  }
}

const bootId = () => readOr("/proc/sys/kernel/random/boot_id", "-");

/** The pid is for people; the kernel's boot id and the socket tell whether the process lives. */
type Owner = { pid: number; boot: string; socket: string };

const textOf = ({ pid, boot, socket }: Owner) => `${pid} ${boot} ${socket}`;

function ownerIn(path: string): Owner | null {
  const [pid = "", boot = "", socket = ""] = readOr(path, "").split(" ");
  return /^\d+$/.test(pid) ? { pid: Number(pid), boot, socket } : null;
}

// Relative, since a socket's path may have only about a hundred bytes.
const socketPath = (directory: string, name: string) => relative(process.cwd(), join(directory, name));

/** Works across pid namespaces; the kernel closes it with its owner. */
async function listenIn(directory: string): Promise<{ name: string; server: Server } | null> {
  const name = `lock.${randomBytes(6).toString("hex")}.sock`;
  const server = createServer((connection) => connection.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socketPath(directory, name), resolve);
    });
    return { name, server };
  } catch {
    // Some mounted folders hold no sockets: then only the renewed lock shows life.
    return null;
  } finally {
    server.unref();
  }
}

async function answers(directory: string, name: string): Promise<boolean> {
  const connection = connect(socketPath(directory, name));
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once("connect", resolve);
      connection.once("error", reject);
    });
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

const ageMs = (path: string) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** `unsure` while only the renewed lock can tell. */
async function stateOf(directory: string, path: string): Promise<"alive" | "dead" | "unsure"> {
  const owner = ownerIn(path);
  if (owner === null) return "dead";
  const isHere = owner.boot === bootId() && owner.boot !== "-";
  if (isHere && owner.socket.endsWith(".sock")) return (await answers(directory, owner.socket)) ? "alive" : "dead";
  return ageMs(path) > LEASE_MS ? "dead" : "unsure";
}

/** A hard link appears with its content or not at all. */
function createExclusively(path: string, text: string): boolean {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Two successors cannot both win: only the guard's holder may remove a dead lock. */
async function removeDeadLock(directory: string, lock: string, own: string): Promise<void> {
  const guard = `${lock}.takeover`;
  if (!createExclusively(guard, own)) {
    if (ageMs(guard) > GUARD_STALE_MS && (await stateOf(directory, guard)) === "dead") rmSync(guard, { force: true });
    return;
  }
  const owner = ownerIn(lock);
  if ((await stateOf(directory, lock)) === "dead") {
    rmSync(lock, { force: true });
    if (owner?.socket.endsWith(".sock") === true) rmSync(join(directory, owner.socket), { force: true });
  }
  rmSync(guard, { force: true });
}

const inUse = (directory: string, lock: string) =>
  new EmbeddedDatabaseError(`${directory} is in use by process ${ownerIn(lock)?.pid ?? 0}; stop it first`);

async function acquireLock(directory: string, lock: string, own: string): Promise<void> {
  const until = Date.now() + LEASE_MS + GUARD_STALE_MS;
  const renewedAt = ageMs(lock);
  while (Date.now() < until) {
    if (createExclusively(lock, own)) return;
    const state = await stateOf(directory, lock);
    // It was renewed meanwhile, so an owner on another machine lives.
    const isRenewed = state === "unsure" && ageMs(lock) < renewedAt;
    if (state === "alive" || isRenewed) throw inUse(directory, lock);
    if (state === "dead") await removeDeadLock(directory, lock, own);
    else await sleep(POLL_INTERVAL_MS);
  }
  throw new EmbeddedDatabaseError(`${directory} could not be locked: another process is taking it over`);
}

/** Ends the process when another one owns the lock, as after a long sleep of the machine. */
function hold(lock: string, own: string): NodeJS.Timeout {
  const renew = () => {
    const held = readOr(lock, "");
    if (held === "") return;
    if (held !== own) {
      process.stderr.write(`${lock} was taken over by another process: this one ends before both write\n`);
      process.exit(1);
    }
    utimesSync(lock, new Date(), new Date());
  };
  return setInterval(renew, RENEWED_EVERY_MS).unref();
}

type Lock = { release: () => void };

async function prepare(directory: string): Promise<Lock> {
  const lock = join(directory, "lock");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const listening = await listenIn(directory);
    const own = textOf({ pid: process.pid, boot: bootId(), socket: listening?.name ?? "-" });
    const unlisten = () => listening?.server.close();
    await acquireLock(directory, lock, own).catch((error: unknown) => {
      unlisten();
      throw error;
    });
    const renewing = hold(lock, own);
    const release = () => {
      clearInterval(renewing);
      rmSync(lock, { force: true });
      unlisten();
    };
    return { release };
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new EmbeddedDatabaseError(`${directory} cannot be written (${cause})`);
  }
}

type Embedded = { client: PGlite; close: () => Promise<void> };

/** PGlite takes no lock, and two openers silently lose each other's commits. Throws `EmbeddedDatabaseError`. */
export async function openEmbedded(directory: string): Promise<Embedded> {
  const { release } = await prepare(directory);
  const client = await PGlite.create(join(directory, "pg"));
  return {
    client,
    close: async () => {
      await client.close();
      release();
    },
  };
}
