// npm leaves a platform's optional package out of package-lock.json when its registry does not hold it, and `npm ci` then
// refuses the file on every platform. Their parents pin their versions, so they can be written in without asking anyone.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runProgram, say } from "../program.mjs";

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** Optional platform packages that the lock file lacks. */
export function missingPackages({ packages }) {
  const held = (name) => Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`));
  return Object.values(packages).flatMap(({ optionalDependencies = {}, dev }) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !held(name))
      .map(([name, version]) => ({ name, version, dev })),
  );
}

/** The name says where it runs. */
function entryFor({ name, version, dev }) {
  const words = name.split(/[-/]/);
  const on = (known) => words.filter((word) => known.includes(word));
  return {
    version,
    ...(on(PROCESSORS).length > 0 && { cpu: on(PROCESSORS) }),
    ...(dev && { dev }),
    optional: true,
    ...(on(SYSTEMS).length > 0 && { os: on(SYSTEMS) }),
  };
}

export function completeLock(lock) {
  const added = missingPackages(lock).map((missing) => [`node_modules/${missing.name}`, entryFor(missing)]);
  const packages = Object.entries(lock.packages).concat(added);
  return { ...lock, packages: Object.fromEntries(packages.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

await runProgram(import.meta.url, async () => {
  const file = join(root, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
  say(`${missingPackages(lock).length} platform packages added to package-lock.json.`);
});
