import type { Service } from "@/service/context";
import { deliver, type DueEvent } from "./deliver";
import { takeDue } from "./outbox";
import { createPlaces } from "./places";
import { saveTogether } from "./save-together";

/** How long stopping waits for answers, and for the database; an attempt broken off is made again by the next start. */
const ANSWERS_WITHIN_MS = 2_000;
const SAVED_WITHIN_MS = 2_000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

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
  const clientIds = tenants.all.filter(({ webhook }) => webhook !== null).map(({ clientId }) => clientId);
  let looking: Promise<void> | undefined;
  let looksAgain = false;
  let isStopped = false;

  const attempt = async (event: DueEvent): Promise<void> => {
    const outcome = await deliver(service, event, breakOff.signal);
    if (outcome) await save(outcome);
    places.leave(event.clientId, outcome?.status === "DELIVERED");
    underway.delete(event.id);
    outbox.ring(clock.now());
    if (outcome?.status === "PENDING") outbox.ring(outcome.dueAt.getTime());
  };
  const beginOneEach = async (): Promise<boolean> => {
    const endpoints = clientIds
      .filter(places.isFreeFor)
      .map((clientId) => ({ clientId, busy: places.busyAt(clientId) }));
    if (isStopped || endpoints.length === 0) return false;
    const due = await takeDue(service, { endpoints, except: [...underway.keys()], limit: places.free() });
    if (isStopped) return false;
    for (const event of due.filter(({ clientId }) => places.isFreeFor(clientId))) {
      places.take(event.clientId);
      underway.set(event.id, attempt(event));
    }
    return due.length > 0;
  };
  const look = async (): Promise<void> => {
    try {
      do {
        looksAgain = false;
        while (await beginOneEach());
      } while (looksAgain);
    } finally {
      looking = undefined;
    }
  };
  const begin = (): Promise<void> => {
    looksAgain = looking !== undefined;
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
