import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "@/scripts/program.mjs";
import { freePort } from "@/test/support/temporary-product.mjs";

/** Ends the service when this process is gone. */
const withParent = new URL("../../scripts/with-parent.mjs", import.meta.url).href;
const STILL_CLAIMED = /in use by another service/;
const TRY_AGAIN_MS = 25;

function launch(environment: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", withParent, "--import", "tsx", "service/main.ts"], {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", RETAGUARDA_STARTER: `${process.pid}`, ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err = (err + chunk.toString()).slice(-4_000)));
  const ready = new Promise<boolean>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes("service ready ")) resolve(true);
    });
    child.once("close", () => resolve(false));
  });
  return { child, ready, said: () => err };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** A real service process with these settings that is killed again and again, and started again each time. */
export async function startVictim(environment: Record<string, string>) {
  const port = await freePort();
  const settings = { ...environment, SERVICE_HOST: "127.0.0.1", SERVICE_PORT: String(port) };
  const restartsMs: number[] = [];
  let kills = 0;
  let refusedStarts = 0;
  let isGone = false;
  let running: ReturnType<typeof launch>;

  const bringUp = async (): Promise<void> => {
    for (;;) {
      const started = launch(settings);
      running = started;
      if (await started.ready) return;
      if (started.child.signalCode === "SIGKILL") throw new Error("killed while it was starting");
      if (!STILL_CLAIMED.test(started.said())) throw new Error(`the service did not start: ${started.said()}`);
      refusedStarts += 1;
      await pause(TRY_AGAIN_MS);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const { child, said } = running;
    if (hasEnded(child)) throw new Error(`the service ended by itself: ${said()}`);
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  const restart = async (): Promise<void> => {
    const diedAtMs = performance.now();
    await bringUp();
    restartsMs.push(performance.now() - diedAtMs);
  };
  let up = bringUp();
  await up;
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Resolves while it serves; after a kill, once it serves again. Rejects when it cannot be started. */
    up: () => up,
    kill: async () => {
      await end("SIGKILL");
      kills += 1;
      up = restart();
      // Whoever waits for it is told; a kill leaves nobody waiting.
      up.catch(() => undefined);
    },
    /** SIGTERM, and its exit code. */
    stop: () => end("SIGTERM"),
    /** Makes sure that nothing of it is left running. */
    dispose: async () => {
      isGone = true;
      if (!hasEnded(running.child)) await end("SIGKILL");
    },
    isGone: () => isGone,
    kills: () => kills,
    /** From each kill to the next readiness. */
    restartsMs: () => restartsMs,
    /** Starts that the database refused, because it had not yet noticed the death of the one before. */
    refusedStarts: () => refusedStarts,
  };
}
export type Victim = Awaited<ReturnType<typeof startVictim>>;
