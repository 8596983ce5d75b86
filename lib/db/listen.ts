import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { log } from "@/lib/log/log";

export type Ear = {
  received: (payload: string) => void;
  /** Changes before this were missed. */
  connected: () => void;
};

export type Listen = (channel: string, ear: Ear) => () => Promise<void>;

const PULSE_MS = 15_000;
const PULSE_WITHIN_MS = 5_000;
const GOODBYE_WITHIN_MS = 500;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;

/** A lost connection may never be reported, so the socket ends itself after silence. */
export function breakingOff(silentMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silentMs, () => socket.destroy(new Error(`the database was silent for ${silentMs} ms`)));
}

export const listenEmbedded =
  (client: PGlite): Listen =>
  (channel, ear) => {
    const listening = client.listen(channel, ear.received);
    void listening.then(ear.connected);
    return async () => (await listening)();
  };

async function listenOnce(connectionString: string, hearing: { channel: string; ear: Ear; stopped: AbortSignal }) {
  const { channel, ear, stopped } = hearing;
  const socket = breakingOff(PULSE_MS + PULSE_WITHIN_MS);
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: PULSE_WITHIN_MS,
    query_timeout: PULSE_WITHIN_MS,
    keepAlive: true,
    stream: () => socket,
  });
  const isOver = new AbortController();
  const over = () => isOver.abort();
  client.on("error", over);
  client.on("end", over);
  client.on("notification", ({ payload }) => ear.received(payload ?? ""));
  stopped.addEventListener("abort", over, { once: true });
  let pulse: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    ear.connected();
    // Queries detect a connection that died silently.
    pulse = setInterval(() => void client.query("SELECT 1").catch(over), PULSE_MS).unref();
    if (!stopped.aborted && !isOver.signal.aborted) {
      await new Promise((resolve) => isOver.signal.addEventListener("abort", resolve, { once: true }));
    }
  } finally {
    clearInterval(pulse);
    // Many failing connections must not add up listeners.
    stopped.removeEventListener("abort", over);
    // A dead connection never closes, and waiting for it would end the listening.
    await Promise.race([client.end(), sleep(GOODBYE_WITHIN_MS, undefined, { ref: false })]);
    socket.destroy();
  }
}

/** Reconnects whenever the connection is lost. */
export const listenOnServer =
  (connectionString: string): Listen =>
  (channel, ear) => {
    const stop = new AbortController();
    const { signal: stopped } = stop;
    let delayMs = FIRST_DELAY_MS;
    const connected = () => {
      delayMs = FIRST_DELAY_MS;
      ear.connected();
    };
    const listener = async () => {
      while (!stopped.aborted) {
        const listening = listenOnce(connectionString, { channel, ear: { ...ear, connected }, stopped });
        const err = await listening.then(
          () => undefined,
          (error: unknown) => error,
        );
        if (stopped.aborted) return;
        log.warn({ channel, err }, "listening connection lost");
        await sleep(delayMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
        delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
      }
    };
    const ended = listener();
    return async () => {
      stop.abort();
      await ended;
    };
  };
