import { setMaxListeners } from "node:events";
import type { Service } from "@/service/context";
import { deliver, type DueEvent } from "./deliver";
import { dueEvents } from "./outbox";
import { pause } from "./pause";
import { createPlaces, PER_ENDPOINT } from "./places";
import { saveTogether } from "./save-together";

/** How long stopping waits for answers, and for the database; an attempt broken off is made again by the next start. */
const ANSWERS_WITHIN_MS = 2_000;
const SAVED_WITHIN_MS = 2_000;

export type Sender = {
  /** Begins every attempt that is due and has a place; resolves once they have begun. */
  begin: () => Promise<void>;
  /** Makes every attempt that is due, and those that fall due meanwhile; resolves when none is left or under way. */
  deliverDue: () => Promise<void>;
  /** Begins no more, waits a moment for answers and breaks off the rest. */
  stop: () => Promise<void>;
};

/**
 * Delivers the outbox. The rows say what waits; what is under way is known in memory alone, since one process serves a
 * database: whatever a killed one was at is simply due again. A place is kept until the outcome is saved, so no event is
 * under way twice, and a slow receiver takes up its own places only.
 */
export function createSender(service: Service): Sender {
  const { clock, outbox, tenants } = service;
  const places = createPlaces();
  const save = saveTogether(service);
  const underway = new Map<string, Promise<void>>();
  const breakOff = new AbortController();
  setMaxListeners(0, breakOff.signal);
  const clientIds = tenants.all.filter(({ webhook }) => webhook !== null).map(({ clientId }) => clientId);
  let looking: Promise<void> | undefined;
  let looksAgain = false;
  let isStopped = false;

  const attempt = async (event: DueEvent): Promise<void> => {
    const outcome = await deliver(service, event, breakOff.signal);
    if (outcome) await save(outcome);
    places.leave(event.clientId);
    underway.delete(event.id);
    looksAgain = true;
    outbox.ring(clock.now());
    if (outcome?.status === "PENDING") outbox.ring(outcome.dueAt.getTime());
  };
  const beginDue = async (): Promise<void> => {
    const open = clientIds.filter(places.isFreeFor);
    if (isStopped || open.length === 0) return;
    const endpoints = open.map((clientId) => ({ clientId, busy: places.busyAt(clientId) }));
    const except = [...underway.keys()];
    const limit = places.freeAmong(open);
    const due = await dueEvents(service, { endpoints, except, atEach: PER_ENDPOINT, limit });
    if (isStopped) return;
    for (const event of due) {
      if (!places.isFreeFor(event.clientId)) continue;
      places.take(event.clientId);
      underway.set(event.id, attempt(event));
    }
  };
  const look = async (): Promise<void> => {
    try {
      do {
        looksAgain = false;
        await beginDue();
      } while (looksAgain);
    } finally {
      looking = undefined;
    }
  };
  const begin = (): Promise<void> => {
    looksAgain = true;
    looking ??= look();
    return looking;
  };
  const settledWithin = (limitMs: number) => Promise.race([Promise.allSettled(underway.values()), pause(limitMs)]);

  return {
    begin,
    deliverDue: async () => {
      await begin();
      while (underway.size > 0) {
        await Promise.race(underway.values());
        await begin();
      }
    },
    stop: async () => {
      isStopped = true;
      await settledWithin(ANSWERS_WITHIN_MS);
      breakOff.abort();
      await settledWithin(SAVED_WITHIN_MS);
    },
  };
}
