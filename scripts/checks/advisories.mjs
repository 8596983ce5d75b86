// Checks package-lock.json against the lowest safe versions in known advisories, and against the rules for a lock file.
// Needs no network, so that it runs with every check; asking an advisory service is a step of a release.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../program.mjs";

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

const parts = (version) => version.split(/[-+]/, 1)[0].split(".").map(Number);

/** A version with a suffix comes before the same without. */
export function isBefore(version, other) {
  const mine = parts(version);
  const others = parts(other);
  const place = mine.findIndex((number, index) => number !== others[index]);
  if (place !== -1) return mine[place] < others[place];
  return version.includes("-") && !other.includes("-");
}

function belowFloors(packages, { floors, accepted }) {
  return packages.flatMap(([path, { version }]) => {
    const floor = floors.find((known) => known.package === nameOf(path));
    if (floor === undefined || !isBefore(version, floor.lowest)) return [];
    const isAccepted = accepted.some((one) => one.package === floor.package && one.version === version && one.reason);
    return isAccepted ? [] : [`${nameOf(path)} ${version} is below ${floor.lowest}: ${floor.advisory}, ${floor.about}`];
  });
}

/** Platform packages that the registry lacked when the file was made. */
const isWrittenIn = ({ optional, os, cpu }) => optional === true && (os !== undefined || cpu !== undefined);

function badEntries(packages) {
  return packages.flatMap(([path, entry]) => {
    const { version, resolved, integrity, link } = entry;
    if (link) return [`${path} is a link`];
    if (!/^\d+\.\d+\.\d+/.test(version ?? "")) return [`${path} has no version`];
    if (resolved !== undefined && !resolved.startsWith("https://")) return [`${path} comes from ${resolved}`];
    if (integrity === undefined) return isWrittenIn(entry) ? [] : [`${path} has no integrity`];
    return integrity.startsWith("sha512-") ? [] : [`${path} is only held by ${integrity.split("-", 1)[0]}`];
  });
}

function badRequests({ "": own = {} }) {
  const wanted = { ...own.dependencies, ...own.devDependencies };
  return Object.entries(wanted)
    .filter(([, range]) => !/^[\^~]?\d/.test(range))
    .map(([name, range]) => `${name} is asked for as ${range}`);
}

export function complaintsOf(lock, floors) {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
  return [...belowFloors(packages, floors), ...badEntries(packages), ...badRequests(lock.packages)];
}

const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

export const readOwn = () => ({
  lock: readJson("package-lock.json"),
  floors: readJson("security/advisory-floors.json"),
});
