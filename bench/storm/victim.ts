import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { launchService } from "@/bench/service/program";
import { freePort } from "@/test/support/temporary-product.mjs";

const STILL_CLAIMED = /in use by another service/;
const TRY_AGAIN_MS = 25;

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** A real service process that can be killed and restarted repeatedly. */
export async function startVictim(environment: Record<string, string>) {
  const port = await freePort();
  const settings = { ...environment, SERVICE_HOST: "127.0.0.1", SERVICE_PORT: String(port) };
  let kills = 0;
  let isGone = false;
  let running: ChildProcess;

  const bringUp = async (): Promise<void> => {
    for (;;) {
      const { child, ready } = launchService(settings);
      running = child;
      const failure = await ready.then(
        () => null,
        (reason: Error) => reason,
      );
      if (failure === null) return;
      if (child.signalCode === "SIGKILL") throw new Error("killed while it was starting");
      if (!STILL_CLAIMED.test(failure.message)) throw failure;
      await pause(TRY_AGAIN_MS);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const child = running;
    if (hasEnded(child)) throw new Error(`the service ended by itself with code ${child.exitCode}`);
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  let up = bringUp();
  await up;
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Resolves while it serves, or once it serves again after a kill. Rejects when it cannot start. */
    up: () => up,
    kill: async () => {
      await end("SIGKILL");
      kills += 1;
      up = bringUp();
      // Callers handle the rejection themselves.
      up.catch(() => undefined);
    },
    /** SIGTERM, and its exit code. */
    stop: () => end("SIGTERM"),
    /** Leaves nothing of it running. */
    dispose: async () => {
      isGone = true;
      if (!hasEnded(running)) await end("SIGKILL");
    },
    isGone: () => isGone,
    kills: () => kills,
  };
}
export type Victim = Awaited<ReturnType<typeof startVictim>>;
