import { setTimeout as pause } from "node:timers/promises";
import { say } from "@/scripts/program.mjs";
import { type Bound, bound, printBounds } from "./bound";
import { cutAtStart } from "./fault";
import type { Seen } from "./fault-proxy";
import { withShifts, told } from "./shifts";

const PEOPLE = 100;
const THINK_SECONDS = 15;
const TRANSFER_PERCENT = 20;

const BEFORE_SECONDS = 20;
const DOWN_SECONDS = 60;
const AFTER_SECONDS = 20;

/** Until the first call of a kind was answered again. */
function recoveryBound(what: string, after: readonly Seen[], healedAtMs: number): Bound {
  const answered = after.find(({ status }) => status !== null && status < 500);
  const seconds = answered === undefined ? Infinity : (answered.atMs - healedAtMs) / 1_000;
  return bound(`seconds until ${what} is answered again`, Number(seconds.toFixed(1)), { below: 5 });
}

export const take = (): Promise<boolean> =>
  withShifts({ processes: 1 }, async ({ proxy, work }) => {
    const seconds = BEFORE_SECONDS + DOWN_SECONDS + AFTER_SECONDS;
    const working = work({ people: PEOPLE, seconds, thinkSeconds: THINK_SECONDS, transferPercent: TRANSFER_PERCENT });
    await pause(BEFORE_SECONDS * 1_000);
    proxy.harm("*", cutAtStart);
    const downAtMs = performance.now();
    await pause(DOWN_SECONDS * 1_000);
    proxy.heal();
    const healedAtMs = performance.now();
    const { looks, transfers } = await working;

    const during = proxy.seen("*").filter(({ atMs }) => atMs >= downAtMs && atMs < healedAtMs);
    const after = proxy.seen("*").filter(({ atMs }) => atMs >= healedAtMs);
    say(`${PEOPLE} people at one instance; the provider is down for ${DOWN_SECONDS} s.`);
    say(`Looks: ${told(looks)}. Transfers: ${told(transfers)}.`);
    return printBounds([
      bound(`calls that left while it was down`, during.length, { atMost: 60 }),
      recoveryBound(
        "a look",
        after.filter(({ method }) => method === "GET"),
        healedAtMs,
      ),
      recoveryBound(
        "a transfer",
        after.filter(({ method }) => method === "POST"),
        healedAtMs,
      ),
    ]);
  });
