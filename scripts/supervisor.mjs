import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { root } from "./program.mjs";

const STOP_WITHIN_MS = 15_000;
const LAST_LINES_WITHIN_MS = 500;
const preload = new URL("./with-parent.mjs", import.meta.url).href;

/** What it left behind may hold its output open, so not for long. */
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

export function supervise({ name, args, env }) {
  // Its own group: Ctrl-C reaches this process alone, which asks each program to stop, once.
  const child = spawn(process.execPath, ["--import", preload, ...args], {
    cwd: root,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env, RETAGUARDA_STARTER: String(process.pid) },
  });
  const program = { name, child, complained: false, ended: endOf(child) };
  createInterface({ input: child.stdout }).on("line", (line) => console.log(`${name} │ ${line}`));
  createInterface({ input: child.stderr }).on("line", (line) => {
    // Only a plain line says why a program gives up.
    if (!line.startsWith("{")) program.complained = true;
    console.error(`${name} │ ${line}`);
  });
  return program;
}

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

/** Last started first; insists after a while. */
export async function stopAll(programs) {
  for (const { child, ended } of programs.toReversed()) {
    child.kill("SIGTERM");
    const insist = setTimeout(() => signalGroup(child, "SIGKILL"), STOP_WITHIN_MS);
    await ended;
    clearTimeout(insist);
    signalGroup(child, "SIGKILL");
  }
}

/** For a second Ctrl-C. */
export const killAll = (programs) => programs.forEach(({ child }) => signalGroup(child, "SIGKILL"));
