import { AsyncResource } from "node:async_hooks";
import { Socket } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { log } from "@/lib/log/log";
import { StoreUnavailable } from "./error";

const LOOKED_EVERY_MS = 250;
const ASKED_AFTER_MS = 1_500;
const ANSWERED_WITHIN_MS = 2_000;

/** Whether the server answers at all, even with a refusal. */
async function answers(connectionString: string): Promise<boolean> {
  const socket = new Socket();
  const client = new Client({ connectionString, stream: () => socket });
  client.on("error", () => undefined);
  const asked = client
    .connect()
    .then(() => client.query("SELECT 1"))
    .then(
      () => true,
      () => true,
    );
  const late = sleep(ANSWERED_WITHIN_MS, false, { ref: false }).then(async (isAnswered) => {
    // An answer may be waiting that this busy process has not read.
    await turn();
    await turn();
    return isAnswered;
  });
  const isAnswered = await Promise.race([asked, late]);
  socket.destroy();
  return isAnswered;
}

type Waiting = { sinceMs: number; giveUp: () => void };

export type Silence = {
  /** Rejects at once while the server is silent, and as soon as silence is noticed. */
  through: <T>(question: () => Promise<T>) => Promise<T>;
  end: () => void;
};

/** A stopped server, or a firewall that drops packets, refuses nothing, so callers would wait for ever. */
export function watchSilence(connectionString: string, onSilent: () => void): Silence {
  const waiting = new Set<Waiting>();
  let isSilent = false;
  let isAsking = false;
  let heardMs = 0;

  function fallSilent(): void {
    if (!isSilent) log.error({ waiting: waiting.size }, "the database does not answer: requests are turned away");
    isSilent = true;
    for (const { giveUp } of waiting) giveUp();
    onSilent();
  }

  async function ask(): Promise<void> {
    isAsking = true;
    const isAnswered = await answers(connectionString);
    isAsking = false;
    if (!isAnswered) return fallSilent();
    if (isSilent) log.info("the database answers again");
    isSilent = false;
    heardMs = performance.now();
  }

  function look(): void {
    const [longest] = waiting;
    const isLate = longest !== undefined && performance.now() - Math.max(longest.sinceMs, heardMs) > ASKED_AFTER_MS;
    if (!isAsking && (isSilent || isLate)) void ask();
  }

  const timer = setInterval(look, LOOKED_EVERY_MS).unref();

  return {
    async through(question) {
      if (isSilent) throw new StoreUnavailable("silent");
      const one: Waiting = { sinceMs: performance.now(), giveUp: () => undefined };
      const silence = new Promise<never>((_, reject) => {
        // Runs in the waiting request's context, which the front server marks.
        one.giveUp = AsyncResource.bind(() => reject(new StoreUnavailable("silent")));
      });
      waiting.add(one);
      try {
        const answer = await Promise.race([question(), silence]);
        heardMs = performance.now();
        return answer;
      } finally {
        waiting.delete(one);
      }
    },
    end: () => clearInterval(timer),
  };
}
