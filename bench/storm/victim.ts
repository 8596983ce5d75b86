import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "@/scripts/program.mjs";
import { freePort } from "@/scripts/checks/temporary-product.mjs";

/** A real service process that is killed again and again, and started again each time. */
export type Victim = {
  origin: string;
  /** Resolves while it serves; after a kill, once it serves again. Rejects when it cannot be started. */
  up: () => Promise<void>;
  kill: () => Promise<void>;
  /** SIGTERM, and its exit code. */
  stop: () => Promise<number | null>;
  /** Makes sure that nothing of it is left running. */
  dispose: () => Promise<void>;
  isGone: () => boolean;
  kills: () => number;
  /** From each kill to the next readiness. */
  restartsMs: () => readonly number[];
  /** Starts that the database refused, because it had not yet noticed the death of the one before. */
  refusedStarts: () => number;
};

/** Ends the service when this process is gone. */
const withParent = new URL("../../scripts/with-parent.mjs", import.meta.url).href;
const STILL_CLAIMED = /in use by another service/;
const TRY_AGAIN_MS = 25;

type Running = { child: ChildProcess; ready: Promise<boolean>; said: () => string };

function launch(environment: Record<string, string>): Running {
  const child = spawn(process.execPath, ["--import", withParent, "--import", "tsx", "service/main.ts"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      RETAGUARDA_STARTER: String(process.pid),
      ...environment,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
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

/** Starts the service with these settings and keeps it running, whatever is done to it. */
export async function startVictim(environment: Record<string, string>): Promise<Victim> {
  const port = await freePort();
  const settings = { ...environment, SERVICE_HOST: "127.0.0.1", SERVICE_PORT: String(port) };
  const restartsMs: number[] = [];
  let [kills, refusedStarts] = [0, 0];
  let isGone = false;
  let running: Running;
  let up: Promise<void>;

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
  const start = (): Promise<void> => {
    const begun = bringUp();
    // Whoever waits for it is told; a kill leaves nobody waiting.
    begun.catch(() => undefined);
    return begun;
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const { child } = running;
    if (hasEnded(child)) throw new Error(`the service ended by itself: ${running.said()}`);
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return child.exitCode;
  };

  const restart = (): Promise<void> => {
    const diedAtMs = performance.now();
    const back = start();
    void back.then(() => restartsMs.push(performance.now() - diedAtMs)).catch(() => undefined);
    return back;
  };
  up = start();
  await up;
  return {
    origin: `http://127.0.0.1:${port}`,
    up: () => up,
    kill: async () => {
      await end("SIGKILL");
      kills += 1;
      up = restart();
    },
    stop: () => end("SIGTERM"),
    isGone: () => isGone,
    dispose: async () => {
      isGone = true;
      if (!hasEnded(running.child)) await end("SIGKILL");
    },
    kills: () => kills,
    restartsMs: () => restartsMs,
    refusedStarts: () => refusedStarts,
  };
}
