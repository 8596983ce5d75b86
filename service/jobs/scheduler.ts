import type { Service } from "@/service/context";
import type { Alarm } from "./alarm";

/** The rows are looked at this often even when no one rang: another writer, a retry, a clock that was moved. */
const LOOK_EVERY_MS = 1_000;

export type Scheduler = { stop: () => Promise<void> };

/** Work that falls due: who rings for it, how it is done, and when the next of it falls due (null when none does). */
export type Agenda = { alarm: Alarm; runDue: () => Promise<void>; nextDueAt: () => Promise<number | null> };

/** Keeps doing what falls due until it is stopped; `stop` waits for the work at hand. */
export function startScheduler({ clock, log }: Service, { alarm, runDue, nextDueAt }: Agenda): Scheduler {
  let timer: NodeJS.Timeout | undefined;
  let wakesAtMs = Infinity;
  let isStopped = false;
  let work = Promise.resolve();

  const wake = (atMs: number): void => {
    if (isStopped || atMs >= wakesAtMs) return;
    clearTimeout(timer);
    wakesAtMs = atMs;
    timer = setTimeout(turn, Math.max(0, atMs - clock.now()));
  };
  const look = async (): Promise<void> => {
    await runDue();
    wake((await nextDueAt()) ?? Infinity);
  };
  function turn(): void {
    wakesAtMs = Infinity;
    work = look().catch((error: unknown) => log.error({ err: error }, "the planned work could not be looked at"));
    wake(clock.now() + LOOK_EVERY_MS);
  }

  alarm.onRing(wake);
  turn();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await work;
    },
  };
}
