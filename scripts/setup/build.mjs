import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cp, readdir, readFile as read, writeFile as write } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { Refusal, root, run, runProgram, say, seconds } from "../program.mjs";

const FOLDERS = ["app", "components", "server", "lib", "messages", "public"];
const FILE =
  /^(package-lock\.json|tsconfig\.json|(instrumentation|instrumentation-client|proxy)\.ts|[a-z-]+\.config\.(ts|mjs|js))$/;
const OTHER_PROGRAMS = /^(drizzle|drizzle\.service|playwright|vitest)\.config\.ts$/;

export const buildFolder = () => join(root, process.env.NEXT_DIST_DIR ?? ".next");

const stampOf = (folder) => join(folder, "sources.sha256");

function sourceFiles(folder) {
  const top = readdirSync(folder).filter((name) => FILE.test(name) && !OTHER_PROGRAMS.test(name));
  const inside = FOLDERS.filter((name) => existsSync(join(folder, name))).flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true }).map((path) => join(name, path)),
  );
  return [
    ...top,
    ...inside.filter((path) => !/\.test\.tsx?$/.test(path) && statSync(join(folder, path)).isFile()),
  ].toSorted((a, b) => (a < b ? -1 : 1));
}

export function hashSources(folder = root) {
  const hash = createHash("sha256");
  for (const path of sourceFiles(folder)) {
    const content = readFileSync(join(folder, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** Built from other sources than those in `folder`, or unfinished. */
export function buildIsStale(folder = root, built = buildFolder()) {
  const stamp = stampOf(built);
  return !existsSync(stamp) || readFileSync(stamp, "utf8") !== hashSources(folder);
}

const COMPRESSED = /\.(js|css|svg)$/;
const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);

/** For `withAssets` of the console's server. */
export async function compressAssets(built = buildFolder()) {
  const assets = join(built, "assets");
  rmSync(assets, { recursive: true, force: true });
  const folder = join(assets, "_next/static");
  await cp(join(built, "static"), folder, { recursive: true });
  const files = (await readdir(folder, { recursive: true })).filter((name) => COMPRESSED.test(name));
  const compress = async (name) => {
    const path = join(folder, name);
    const content = await read(path);
    await Promise.all([
      inBrotli(content).then((bytes) => write(`${path}.br`, bytes)),
      inGzip(content, { level: 9 }).then((bytes) => write(`${path}.gz`, bytes)),
    ]);
  };
  await Promise.all(files.map(compress));
}

/** `quiet`: its output is shown only on failure. */
export async function build({ quiet = false } = {}) {
  const startedAtMs = performance.now();
  const sources = hashSources();
  const stamp = stampOf(buildFolder());
  rmSync(stamp, { force: true });
  const env = { NEXT_TELEMETRY_DISABLED: "1" };
  const requireDone = async (args, refusal) => {
    const { ok, output } = await run(process.execPath, args, { quiet, env });
    if (!ok) throw new Refusal(`${output}\n${refusal}`.trim());
  };
  const next = join(root, "node_modules/next/dist/bin/next");
  await requireDone([next, "build"], "The console could not be built; the lines above say why.");
  const check = join(root, "scripts/checks/check-access.ts");
  await requireDone(["--import", "tsx", check], "The build answers to something else than the access table says.");
  await compressAssets();
  mkdirSync(buildFolder(), { recursive: true });
  writeFileSync(stamp, sources);
  say(`Built in ${seconds(performance.now() - startedAtMs)}.`);
}

await runProgram(import.meta.url, () => build());
