import { setImmediate as turn } from "node:timers/promises";

const WITHIN_MS = 10;

/** The embedded store answers within one turn of the event loop, so other work gets a turn before the next answer. */
export function givingTurns(): <T>(ask: () => Promise<T>) => Promise<T> {
  let turnedAtMs = 0;
  return async (ask) => {
    const answer = await ask();
    if (performance.now() - turnedAtMs > WITHIN_MS) {
      await turn();
      turnedAtMs = performance.now();
    }
    return answer;
  };
}
