import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { root } from "./program.mjs";

const STOP_WITHIN_MS = 15_000;
const LAST_LINES_WITHIN_MS = 500;
const preload = new URL("./with-parent.mjs", import.meta.url).href;

/** How a process ended, once its last lines are out; what it left behind may hold its output open, so not for long. */
function endOf(child) {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      const how = signal ?? `code ${code}`;
      const late = setTimeout(resolve, LAST_LINES_WITHIN_MS, how);
      child.once("close", () => {
        clearTimeout(late);
        resolve(how);
      });
    });
  });
}

/** A started program: prints its lines under its name, and stops with this process, however that ends. */
export function supervise({ name, args, env }) {
  // A group of its own: Ctrl-C in a terminal reaches this process alone, which then asks each program to stop, once.
  const child = spawn(process.execPath, ["--import", preload, ...args], {
    cwd: root,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env, RETAGUARDA_STARTER: String(process.pid) },
  });
  const program = { name, child, complained: false, ended: endOf(child) };
  createInterface({ input: child.stdout }).on("line", (line) => console.log(`${name} │ ${line}`));
  createInterface({ input: child.stderr }).on("line", (line) => {
    // A log record tells what goes on; only a plain line says why a program gives up.
    if (!line.startsWith("{")) program.complained = true;
    console.error(`${name} │ ${line}`);
  });
  return program;
}

/** Resolves when a line of the program's output fits. */
export function saysLine(program, pattern) {
  return new Promise((resolve) => {
    const lines = createInterface({ input: program.child.stdout });
    lines.on("line", (line) => {
      if (!pattern.test(line)) return;
      lines.close();
      resolve();
    });
  });
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Asks the programs to finish, the last started first, and insists after a while. */
export async function stopAll(programs) {
  for (const { child, ended } of programs.toReversed()) {
    child.kill("SIGTERM");
    const insist = setTimeout(() => signalGroup(child, "SIGKILL"), STOP_WITHIN_MS);
    await ended;
    clearTimeout(insist);
    signalGroup(child, "SIGKILL");
  }
}

/** At once, for a second Ctrl-C. */
export const killAll = (programs) => programs.forEach(({ child }) => signalGroup(child, "SIGKILL"));
