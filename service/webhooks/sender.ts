import { createHmac, timingSafeEqual } from "node:crypto";
import { setMaxListeners } from "node:events";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import type { Service } from "@/service/context";
import { type Scheduler, startScheduler } from "@/service/jobs/run-due";
import { dueEvents, nextDeliveryAt, type Outcome, saveOutcomes } from "./outbox";
import type { Answer, DeliveryRequest } from "./post";
import type { webhookEvent } from "@/service/store/schema";

const mac = (secret: string, body: string) => createHmac("sha256", secret).update(body, "utf8").digest();

/** interface: Events › Delivery rules. Lower-case hex HMAC-SHA256, without a prefix. */
export function sign(secret: string, body: string): string {
  return mac(secret, body).toString("hex");
}

/** Constant time. */
export function verify(secret: string, body: string, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), mac(secret, body));
}

type EventRow = typeof webhookEvent.$inferSelect;

/** `attempts`: made so far. */
type DueEvent = Pick<EventRow, "id" | "clientId" | "event" | "body" | "attempts">;

/** interface: Limits › Webhook attempts. After one more failure it is FAILED. */
const GAPS_MS = [1_000, 2_000, 4_000] as const;

const USER_AGENT = "Retaguarda-Webhooks/1";

function requestFor({ url, secret }: { url: string; secret: string }, { id, event, body }: DueEvent): DeliveryRequest {
  return {
    url,
    body,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
      "User-Agent": USER_AGENT,
      [WEBHOOK_HEADERS.event]: event,
      [WEBHOOK_HEADERS.id]: id,
      [WEBHOOK_HEADERS.signature]: sign(secret, body),
    },
  };
}

const isDelivered = ({ httpStatus }: Answer) => httpStatus !== null && httpStatus >= 200 && httpStatus < 300;

function outcomeOf({ id, attempts }: DueEvent, { at, answer }: Pick<Outcome, "at" | "answer">, nowMs: number): Outcome {
  const number = attempts + 1;
  const gapMs = GAPS_MS[number - 1];
  const attempt = { id, number, at, answer };
  if (isDelivered(answer)) return { ...attempt, status: "DELIVERED", dueAt: at };
  if (gapMs === undefined) return { ...attempt, status: "FAILED", dueAt: at };
  return { ...attempt, status: "PENDING", dueAt: new Date(nowMs + gapMs) };
}

/** interface: Events › Delivery rules. Stores nothing; null when `signal` aborted it. */
async function deliver(service: Service, event: DueEvent, signal: AbortSignal): Promise<Outcome | null> {
  const { clock, log, post, tenants } = service;
  const at = new Date(clock.now());
  const webhook = tenants.find(event.clientId)?.webhook;
  const answer: Answer = webhook
    ? await post(requestFor(webhook, event), signal)
    : { httpStatus: null, error: "no-webhook" };
  if (signal.aborted && answer.httpStatus === null) return null;
  const outcome = outcomeOf(event, { at, answer }, clock.now());
  const { id, clientId } = event;
  log.debug({ id, clientId, number: outcome.number, ...answer, status: outcome.status }, "a webhook was sent");
  return outcome;
}

/** Real time, not the service's clock. */
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Concurrent requests to one endpoint. */
const PER_ENDPOINT = 2;

/** Concurrent requests beyond each endpoint's first, in all. */
const BEYOND_THE_FIRST = 50;

type Slots = {
  busyAt: (clientId: string) => number;
  isFreeFor: (clientId: string) => boolean;
  freeAmong: (clientIds: readonly string[]) => number;
  take: (clientId: string) => void;
  leave: (clientId: string) => void;
};

/** An endpoint's first attempt never waits for others; only further ones share places. */
function createSlots(): Slots {
  const busy = new Map<string, number>();
  const busyAt = (clientId: string) => busy.get(clientId) ?? 0;
  const freeBeyond = () => BEYOND_THE_FIRST - [...busy.values()].reduce((sum, attempts) => sum + attempts - 1, 0);
  return {
    busyAt,
    isFreeFor: (clientId) => busyAt(clientId) === 0 || (busyAt(clientId) < PER_ENDPOINT && freeBeyond() > 0),
    freeAmong: (clientIds) => clientIds.filter((clientId) => busyAt(clientId) === 0).length + freeBeyond(),
    take: (clientId) => {
      busy.set(clientId, busyAt(clientId) + 1);
    },
    leave: (clientId) => {
      const left = busyAt(clientId) - 1;
      if (left === 0) busy.delete(clientId);
      else busy.set(clientId, left);
    },
  };
}

const AGAIN_AFTER_MS = 1_000;

type Waiting = { outcome: Outcome; isSaved: () => void };

/** Batched; resolves when saved, however often the database fails, as a lost outcome would repeat the attempt. */
function saveTogether({ db, log }: Pick<Service, "db" | "log">): (outcome: Outcome) => Promise<void> {
  let waiting: Waiting[] = [];
  let isWriting = false;

  const persist = async (outcomes: Outcome[]): Promise<void> => {
    const isSaved = await saveOutcomes({ db }, outcomes).then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, "outcomes of webhooks could not be saved yet");
        return false;
      },
    );
    if (isSaved) return;
    await pause(AGAIN_AFTER_MS);
    return persist(outcomes);
  };
  const write = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await persist(batch.map(({ outcome }) => outcome));
      for (const { isSaved } of batch) isSaved();
    }
    isWriting = false;
  };
  return (outcome) =>
    new Promise((isSaved) => {
      waiting.push({ outcome, isSaved });
      if (!isWriting) void write();
    });
}

export function startSender(service: Service, sender: Sender): Scheduler {
  const scheduler = startScheduler(service, {
    alarm: service.outbox,
    runDue: sender.begin,
    nextDueAt: () => nextDeliveryAt(service),
  });
  return {
    stop: async () => {
      await scheduler.stop();
      await sender.stop();
    },
  };
}

/** For answers and the database; an aborted attempt is repeated after the next start. */
const ANSWERS_WITHIN_MS = 2_000;
const SAVED_WITHIN_MS = 2_000;

export type Sender = {
  begin: () => Promise<void>;
  /** Resolves when none is left or in progress. */
  deliverDue: () => Promise<void>;
  stop: () => Promise<void>;
};

/** One process serves a database: a killed one's attempts are due again. A place is kept until its outcome is saved. */
export function createSender(service: Service): Sender {
  const { clock, outbox, tenants } = service;
  const places = createSlots();
  const save = saveTogether(service);
  const underway = new Map<string, Promise<void>>();
  const breakOff = new AbortController();
  setMaxListeners(0, breakOff.signal);
  const clientIds = tenants.all.filter(({ webhook }) => webhook !== null).map(({ clientId }) => clientId);
  let polling: Promise<void> | undefined;
  let pollsAgain = false;
  let isStopped = false;

  const attempt = async (event: DueEvent): Promise<void> => {
    const outcome = await deliver(service, event, breakOff.signal);
    if (outcome) await save(outcome);
    places.leave(event.clientId);
    underway.delete(event.id);
    pollsAgain = true;
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
  const poll = async (): Promise<void> => {
    try {
      do {
        pollsAgain = false;
        await beginDue();
      } while (pollsAgain);
    } finally {
      polling = undefined;
    }
  };
  const begin = (): Promise<void> => {
    pollsAgain = true;
    polling ??= poll();
    return polling;
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
