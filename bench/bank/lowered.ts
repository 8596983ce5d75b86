import { setTimeout as pause } from "node:timers/promises";
import { say } from "@/scripts/program.mjs";
import { bound, busiestMinute, printBounds } from "./bound";
import { type Seen, startLimiter } from "./fault-proxy";
import { withShifts, told } from "./shifts";

const PEOPLE = 100;
const PROCESSES = 2;
const THINK_SECONDS = 15;
const TRANSFER_PERCENT = 5;

const LOWERED_TO = 50;
const BEFORE_SECONDS = 70;
const ADAPTED_WITHIN_SECONDS = 60;
const AFTER_SECONDS = 240;

const isRefused = ({ status }: Seen) => status === 429;

export const take = async (): Promise<boolean> => {
  const limiters: Awaited<ReturnType<typeof startLimiter>>[] = [];
  const before = async (origin: string, onClose: (close: () => Promise<void>) => void) => {
    const limiter = await startLimiter(origin);
    onClose(limiter.stop);
    limiters.push(limiter);
    return limiter.origin;
  };
  return withShifts({ processes: PROCESSES, before }, async ({ proxy, work }) => {
    const seconds = BEFORE_SECONDS + AFTER_SECONDS;
    const working = work({ people: PEOPLE, seconds, thinkSeconds: THINK_SECONDS, transferPercent: TRANSFER_PERCENT });
    await pause(BEFORE_SECONDS * 1_000);
    const loweredAtMs = performance.now();
    limiters.forEach(({ allow }) => allow(LOWERED_TO));
    const { looks, transfers } = await working;

    const after = proxy.seen("*").filter(({ atMs }) => atMs >= loweredAtMs);
    const adapted = after.filter(({ atMs }) => atMs >= loweredAtMs + ADAPTED_WITHIN_SECONDS * 1_000);
    const answered = after.filter((call) => !isRefused(call)).length;
    say(
      `${PEOPLE} people at ${PROCESSES} instances; after ${BEFORE_SECONDS} s the provider allows ${LOWERED_TO} a minute.`,
    );
    say(`Looks: ${told(looks)}. Transfers: ${told(transfers)}.`);
    say(
      `In the ${AFTER_SECONDS} s after: ${after.length} calls, ${answered} answered, ${after.length - answered} × 429.`,
    );
    return printBounds([
      bound("calls per answered call", Number((after.length / answered).toFixed(2)), { atMost: 1.1 }),
      bound(
        `calls in the busiest 60 s, from ${ADAPTED_WITHIN_SECONDS} s after`,
        busiestMinute(adapted.map(({ atMs }) => atMs)),
        {
          atMost: Math.round(LOWERED_TO * 1.1),
        },
      ),
    ]);
  });
};
