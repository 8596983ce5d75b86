import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { npm, Refusal, root, run, say } from "../program.mjs";

const readLock = (path) => JSON.parse(readFileSync(path, "utf8"));

const recordOf = (folder) => join(folder, "node_modules/.package-lock.json");

/** Undefined when they are current. npm writes its own record last, so an interrupted installation leaves none. */
export function whyInstall(folder = root) {
  const record = recordOf(folder);
  if (!existsSync(record)) return "nothing is installed yet";
  const installed = readLock(record).packages;
  const { "": project, ...wanted } = readLock(join(folder, "package-lock.json")).packages;

  for (const [path, { version, optional }] of Object.entries(wanted)) {
    const name = path.replace(/^.*node_modules\//, "");
    if (installed[path] && installed[path].version !== version) return `${name} is out of date`;
    if (!installed[path] && !optional) return `${name} is missing`;
  }
  const direct = Object.keys({ ...project.dependencies, ...project.devDependencies });
  const gone = direct.find((name) => !existsSync(join(folder, "node_modules", name, "package.json")));
  return gone && `${gone} is gone`;
}

export async function installDependencies() {
  const reason = whyInstall();
  if (!reason) return;
  say(`Installing packages: ${reason}. A minute or two on most lines.`);
  // The remains of an interrupted installation look complete to npm.
  if (!existsSync(recordOf(root))) rmSync(join(root, "node_modules"), { recursive: true, force: true });
  const [command, args] = npm();
  const quietly = ["--no-audit", "--no-fund", "--loglevel=error"];
  const installation = await run(command, [...args, "install", "--no-save", "--include=dev", ...quietly]);
  if (!installation.ok) throw new Refusal("The packages could not be installed; npm says why above.");
}
