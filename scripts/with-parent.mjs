// Preloaded into each program that start.mjs runs. Their standard input is an empty pipe from it: it closes when
// start.mjs is gone, even by kill -9, and the program then stops as if asked to.
import { isMainThread } from "node:worker_threads";

const LAST_RESORT_MS = 4_000;

if (isMainThread && process.env.RETAGUARDA_STARTER === String(process.ppid)) {
  process.stdin.once("close", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
  });
  process.stdin.resume();
  process.stdin.unref?.();
}
