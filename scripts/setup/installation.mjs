import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { Refusal, root, runProgram, say } from "../program.mjs";

/** The screens are in the build. */
const FOLDERS = ["server", "lib", "messages", "public", "ops/commands"];
const FILES = [
  "next.config.ts",
  "package-lock.json",
  "tsconfig.json",
  "LICENSE",
  "scripts/program.mjs",
  "scripts/launch.mjs",
];
const SCRIPTS = [
  "staff",
  "audit:verify",
  "dossier:verify",
  "export:verify",
  "keys:rotate",
  "retention",
  "migrate",
  "conform",
  "doctor",
];

/** A shell between npm and the console would not pass SIGTERM on. */
const START = "exec node server/main.mjs";

const isOfTests = (path) => /\.test\.tsx?$/.test(path);

const isOfDemo = (path) => path === join("ops", "commands", "demo-reset.ts");

const isOfProduct = (path) => !isOfTests(relative(root, path)) && !isOfDemo(relative(root, path));

function manifest() {
  const whole = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const scripts = Object.fromEntries(SCRIPTS.map((name) => [name, whole.scripts[name]]));
  return { ...whole, scripts: { start: START, ...scripts } };
}

/** All but the build: no test, no embedded service, no screen's source. */
export function copySources(folder) {
  for (const name of FOLDERS) cpSync(join(root, name), join(folder, name), { recursive: true, filter: isOfProduct });
  for (const name of FILES) cpSync(join(root, name), join(folder, name));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
}

async function makeInstallation() {
  const [given] = process.argv.slice(2);
  if (given === undefined)
    throw new Refusal("usage: npm run installation -- FOLDER (one that is not there, or is empty)");
  const folder = resolve(given);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Refusal(`${folder} is not empty.`);
  const build = join(root, ".next");
  if (!existsSync(join(build, "BUILD_ID"))) throw new Refusal("There is no build: run npm run build before.");
  copySources(folder);
  const isStored = (path) => !/^(cache|dev|types)([/\\]|$)/.test(relative(build, path));
  cpSync(build, join(folder, ".next"), { recursive: true, filter: isStored, verbatimSymlinks: true });
  say(`${folder} holds what the console runs from. There: npm ci --omit=dev, then npm start with the settings.`);
}

await runProgram(import.meta.url, makeInstallation);
