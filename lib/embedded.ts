import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

/** The directory cannot be used: someone else holds it, or it cannot be written. The message is one line for people. */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
}

const GUARD_STALE_MS = 5_000;

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return otherwise;
  }
}

/**
 * When the process started, in clock ticks since boot: tells a living process from another one that got its pid, and from
 * one that has ended but which nobody has waited for, as in a container without an init.
 */
function startTicks(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "ended" : (fields[19] ?? "");
}

function identity(pid: number): string {
  return `${pid} ${readOr("/proc/sys/kernel/random/boot_id", "-")} ${startTicks(pid)}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function ownerOf(path: string): { pid: number; alive: boolean } {
  const held = readOr(path, "");
  const pid = Number.parseInt(held, 10);
  if (!Number.isInteger(pid)) return { pid: 0, alive: false };
  return { pid, alive: isAlive(pid) && identity(pid) === held };
}

/** A hard link appears with its content or not at all, so nobody ever reads a half-written owner. */
function createExclusively(path: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, identity(process.pid), { mode: 0o600 });
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

/** Only the holder of the guard may remove a dead owner's lock, so that two successors cannot both win. */
function removeDeadLock(lock: string): void {
  const guard = `${lock}.takeover`;
  if (!createExclusively(guard)) {
    const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > GUARD_STALE_MS && !ownerOf(guard).alive) rmSync(guard, { force: true });
    return;
  }
  if (!ownerOf(lock).alive) rmSync(lock, { force: true });
  rmSync(guard, { force: true });
}

function acquireLock(directory: string): string {
  const lock = join(directory, "lock");
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (createExclusively(lock)) return lock;
    const owner = ownerOf(lock);
    if (owner.alive) throw new EmbeddedDatabaseError(`${directory} is in use by process ${owner.pid}; stop it first`);
    removeDeadLock(lock);
  }
  throw new EmbeddedDatabaseError(`${directory} could not be locked: another process is taking it over`);
}

function prepare(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return acquireLock(directory);
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new EmbeddedDatabaseError(`${directory} cannot be written (${cause})`);
  }
}

export type Embedded = { client: PGlite; close: () => Promise<void> };

/**
 * Opens the embedded PostgreSQL in `directory` as its only user: PGlite itself takes no lock, and two openers lose
 * each other's commits without an error. A lock of a dead process is taken over. Its commits survive the death of the
 * process, not that of the machine.
 * Throws `EmbeddedDatabaseError` naming the pid that holds the directory.
 */
export async function openEmbedded(directory: string): Promise<Embedded> {
  const lock = prepare(directory);
  const client = await PGlite.create(join(directory, "pg"));
  return {
    client,
    close: async () => {
      await client.close();
      rmSync(lock, { force: true });
    },
  };
}
