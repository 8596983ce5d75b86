// node scripts/launch.mjs PROGRAM.ts [ARGUMENTS]: runs it in this process from a cached bundle, rebuilt when a source
// changed. Resolving and translating each module at every start takes three times as long.
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./program.mjs";

const OURS = /\.(ts|tsx|mjs|json)$/;

const read = (path) => {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
};

const hashOf = (content) => createHash("sha256").update(content).digest("base64url");

/** Its first line lists the bundled sources with their hashes. */
function isFresh(bundle) {
  const text = read(bundle)?.toString();
  if (text === undefined) return false;
  const sources = Object.entries(JSON.parse(text.slice(3, text.indexOf("\n"))));
  return sources.every(([path, hash]) => {
    const content = read(join(root, path));
    return content !== null && hashOf(content) === hash;
  });
}

/** Keeps a module's own path valid within the bundle. */
function placed(text, path, bundle) {
  const from = (place) => `new URL(${JSON.stringify(relative(dirname(bundle), place))}, import.meta.url)`;
  const toPath = 'process.getBuiltinModule("node:url").fileURLToPath';
  return text
    .replaceAll("import.meta.url", `${from(path)}.href`)
    .replaceAll("import.meta.dirname", `${toPath}(${from(dirname(path))})`);
}

async function makeBundle(entry, bundle) {
  const { build, stop } = await import("esbuild");
  const sources = {};
  const note = (path) => {
    const content = readFileSync(path);
    sources[relative(root, path)] = hashOf(content);
    return content.toString();
  };
  for (const name of ["tsconfig.json", "package-lock.json", "scripts/launch.mjs"]) note(join(root, name));
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: bundle,
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "silent",
    plugins: [
      {
        name: "sources",
        setup: (building) => {
          building.onLoad({ filter: OURS }, ({ path }) => {
            const loader = extname(path).slice(1).replace("mjs", "js");
            return { contents: placed(note(path), path, bundle), loader };
          });
        },
      },
    ],
  });
  await stop();
  const unfinished = `${bundle}.${randomBytes(6).toString("hex")}`;
  mkdirSync(dirname(bundle), { recursive: true });
  writeFileSync(unfinished, `// ${JSON.stringify(sources)}\n${outputFiles[0].text}`, { flush: true });
  renameSync(unfinished, bundle);
}

/** Of a folder that a read-only file system refuses Node says ENOENT. */
const isUnwritable = ({ code, syscall }) =>
  ["EACCES", "EPERM", "EROFS"].includes(code) || (code === "ENOENT" && syscall === "mkdir");

/** A program in a read-only place runs, too. */
async function moduleFor(entry, bundle) {
  try {
    if (!isFresh(bundle)) await makeBundle(entry, bundle);
    return bundle;
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    const { register } = await import("tsx/esm/api");
    register();
    return entry;
  }
}

const entry = realpathSync(resolve(process.argv[2]));
const name = `${relative(root, entry).replaceAll(/\W/g, "-")}.mjs`;
const found = await moduleFor(entry, join(root, ".next/cache/programs", name));
process.argv.splice(1, 2, entry);
process.setSourceMapsEnabled(true);
await import(pathToFileURL(found).href);
