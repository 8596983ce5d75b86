import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[/\\]$/, "");

/** One line for people, without a stack. */
export class Refusal extends Error {}

export const say = (line) => console.log(line);

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

export async function runProgram(url, main) {
  if (process.argv[1] === undefined || fileURLToPath(url) !== process.argv[1]) return;
  await main().catch(refuse);
}

/**
 * Ends the program: one line for a fixable error, the whole error for any other.
 * @returns {never}
 */
export function refuse(error) {
  const isAnswer = error instanceof Refusal;
  if (!isAnswer) console.error(error);
  else if (error.message) console.error(error.message);
  process.exit(1);
}

export function findInPath(name, path = process.env.PATH ?? "") {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a command to its end; never throws for the command's failure. `quiet` keeps its output; `onLine` sees each line;
 * `timeoutMs` and the `signal` stop it; `uid` and `gid` name its account. Returns `{ok, code, output}`.
 */
export function run(command, args, options = {}) {
  const { quiet = false, onLine, timeoutMs, signal, env, cwd = root, uid, gid } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      signal,
      uid,
      gid,
      timeout: timeoutMs,
      env: { ...process.env, ...env },
      stdio: ["ignore", quiet || onLine ? "pipe" : "inherit", quiet || onLine ? "pipe" : "inherit"],
    });
    let output = "";
    const collect = (chunk) => {
      output += chunk;
      if (onLine)
        String(chunk)
          .split(/[\r\n]+/)
          .filter(Boolean)
          .forEach(onLine);
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.on("error", (error) => resolve({ ok: false, code: null, output: output + error.message }));
    child.on("close", (code) => resolve({ ok: code === 0, code, output }));
  });
}

/**
 * The npm that runs us, or the one in PATH, as a command and its first arguments.
 * @returns {[string, string[]]}
 */
export function npm() {
  const script = process.env.npm_execpath;
  if (script?.endsWith("npm-cli.js")) return [process.execPath, [script]];
  return [process.platform === "win32" ? "npm.cmd" : "npm", []];
}
