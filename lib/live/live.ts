import { gt, lt, sql } from "drizzle-orm";
import { z } from "zod";
import { findSessions, type Session, type SessionReader } from "@/lib/auth/sessions";
import { log } from "@/lib/log/log";
import { storeTimeBefore } from "@/lib/db/clock";
import { withoutParameters } from "@/lib/db/error";
import type { Ear } from "@/lib/db/listen";
import { db as openStore, store, type Db } from "@/lib/db/connection";
import { LIVE_CHANNEL, MAX_OBJECTS } from "@/lib/db/publish";
import { liveEvent } from "@/lib/db/tables/live";
import { isSameTopicScope, isTopic, type TopicScope, topicScopeOf, type Topic } from "@/lib/permission/topics";
import { AGE_MARGIN_MS, type LiveMessage } from "./view";

const RETAINED_MS = 10 * 60_000;

const LiveEvent = z.object({
  id: z.int(),
  tenant: z.string(),
  topic: z.string().refine(isTopic),
  object: z.string().nullable(),
});
export type LiveEvent = z.output<typeof LiveEvent>;

/** Rejects any other message on the channel. */
export const readNotification = async (payload: string): Promise<LiveEvent> => LiveEvent.parse(JSON.parse(payload));

/** One for each topic, however many changes it had. */
export async function readSince(db: Db, sinceId: number): Promise<LiveEvent[]> {
  const { id, tenant, topic } = liveEvent;
  return db
    .select({ id: sql`max(${id})`.mapWith(Number), tenant, topic, object: sql<null>`null` })
    .from(liveEvent)
    .where(gt(id, sinceId))
    .groupBy(tenant, topic);
}

export async function forgetOld(db: Db): Promise<void> {
  await db.delete(liveEvent).where(lt(liveEvent.at, storeTimeBefore(RETAINED_MS)));
}

/** The changed objects by topic; null: too many to name, or the whole topic. */
type Changes = Map<Topic, Set<string> | null>;

function changesOf(events: readonly LiveEvent[]): Changes {
  const changes: Changes = new Map();
  for (const { topic, object } of events) {
    const objects = changes.get(topic) ?? new Set<string>();
    const isWhole = changes.get(topic) === null || object === null || objects.size >= MAX_OBJECTS;
    changes.set(topic, isWhole ? null : objects.add(object));
  }
  return changes;
}

const frame = (message: LiveMessage) => `data: ${JSON.stringify(message)}\n\n`;

/** Plus jitter, so that browsers do not all reconnect together after a restart. */
const RETURN_FIRST_MS = 1_000;
const RETURN_SPREAD_MS = 4_000;

/** A viewer that is not ready is closed: its browser reconnects and rereads everything. */
export type Viewer = SessionReader & {
  standing: TopicScope;
  isReady: () => boolean;
  write: (text: string) => void;
  close: () => void;
};

function send(viewer: Viewer, text: string): void {
  if (viewer.isReady()) viewer.write(text);
  else viewer.close();
}

function tell(viewer: Viewer, changes: Changes): void {
  const frames = [...changes]
    .filter(([topic]) => viewer.standing.topics.includes(topic))
    .map(([topic, objects]) => frame({ kind: "changed", topic, objects: objects && [...objects] }));
  if (frames.length > 0) send(viewer, frames.join(""));
}

type HubDeps = {
  listen: (ear: Ear) => () => Promise<void>;
  readSince: (id: number) => Promise<LiveEvent[]>;
  forgetOld: () => Promise<void>;
  /** For each reader, in their order; null where the session is over, or their address is not allowed any more. */
  findStandings: (readers: readonly SessionReader[]) => Promise<readonly (TopicScope | null)[]>;
  now: () => number;
  after: (ms: number, run: () => void) => void;
};

const GATHER_MS = 200;
/** Each stream's heartbeat, after a check of its session. */
export const PULSE_MS = 15_000;
const FORGET_EVERY_MS = 60_000;
const RETRY_MS = 1_000;
const MAX_PER_SESSION = 30;
/** The assumed age of a page, and the most accepted. */
const MAX_PAGE_AGE_MS = 15_000;

const nothing = () => {};

/** One listener per process, so that each viewer costs only a stream. */
export class Hub {
  readonly ready: Promise<void>;
  readonly #deps: HubDeps;
  readonly #stop: () => Promise<void>;
  readonly #viewers = new Set<Viewer>();
  readonly #changedAtMs = new Map<string, Map<Topic, number>>();
  #heardId = 0;
  #untold: LiveEvent[] = [];
  #isNotifying = false;
  #isClosed = false;

  constructor(deps: HubDeps) {
    this.#deps = deps;
    let isReady = nothing;
    this.ready = new Promise((resolve) => {
      isReady = resolve;
    });
    this.#stop = deps.listen({
      received: (payload) => void this.#logged(readNotification(payload).then((event) => this.#take([event]))),
      connected: () => void this.#logged(this.#catchUp()).then(isReady),
    });
    this.#every(PULSE_MS, () => this.#pulse());
    this.#every(FORGET_EVERY_MS, () => deps.forgetOld());
  }

  get size(): number {
    return this.#viewers.size;
  }

  /** Open streams by tenant. */
  sizes(): Map<string, number> {
    const sizes = new Map<string, number>();
    for (const { standing } of this.#viewers) sizes.set(standing.tenant, (sizes.get(standing.tenant) ?? 0) + 1);
    return sizes;
  }

  mayJoin(idHash: string): boolean {
    return !this.#isClosed && [...this.#viewers].filter((one) => one.idHash === idHash).length < MAX_PER_SESSION;
  }

  /** `pageAgeMs`: since the reader's page was requested. Changes after that are sent at once. */
  join(viewer: Viewer, pageAgeMs = MAX_PAGE_AGE_MS): () => void {
    this.#viewers.add(viewer);
    const retryMs = Math.round(RETURN_FIRST_MS + RETURN_SPREAD_MS * Math.random());
    viewer.write(`retry: ${retryMs}\n${frame({ kind: "open" })}`);
    const sinceMs = this.#deps.now() - Math.min(pageAgeMs + AGE_MARGIN_MS, MAX_PAGE_AGE_MS);
    const topics = [...(this.#changedAtMs.get(viewer.standing.tenant) ?? [])].filter(([, atMs]) => atMs >= sinceMs);
    tell(viewer, new Map(topics.map(([topic]) => [topic, null])));
    return () => this.#viewers.delete(viewer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const viewer of this.#viewers) viewer.close();
    this.#viewers.clear();
    await this.#stop();
  }

  #logged(work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) =>
      log.warn({ err: withoutParameters(error) }, "live events or streams not looked after"),
    );
  }

  #every(ms: number, run: () => Promise<void>): void {
    const again = async () => {
      if (this.#isClosed) return;
      await this.#logged(run());
      this.#every(ms, run);
    };
    this.#deps.after(ms, () => void again());
  }

  /** Reads the changes missed while disconnected, or behind a connection pooler, which forwards none. */
  async #catchUp(): Promise<void> {
    this.#take(await this.#deps.readSince(this.#heardId));
  }

  #take(events: readonly LiveEvent[]): void {
    for (const { id, tenant, topic } of events) {
      this.#heardId = Math.max(this.#heardId, id);
      const changedAtMs = this.#changedAtMs.get(tenant) ?? new Map<Topic, number>();
      this.#changedAtMs.set(tenant, changedAtMs.set(topic, this.#deps.now()));
    }
    this.#untold.push(...events);
    if (!this.#isNotifying && events.length > 0) this.#notifySoon(GATHER_MS);
  }

  #notifySoon(ms: number): void {
    this.#isNotifying = true;
    this.#deps.after(ms, () => void this.#deliver());
  }

  async #deliver(): Promise<void> {
    const events = this.#untold.splice(0);
    const tenants = new Set(events.map(({ tenant }) => tenant));
    const told = [...this.#viewers].filter(({ standing }) => tenants.has(standing.tenant));
    const standing = await this.#stillStanding(told).catch(() => null);
    if (standing === null) {
      this.#untold.unshift(...events);
      return this.#notifySoon(RETRY_MS);
    }
    const changed = (tenant: string) => changesOf(events.filter((event) => event.tenant === tenant));
    const changes = new Map([...tenants].map((tenant) => [tenant, changed(tenant)]));
    for (const viewer of standing) tell(viewer, changes.get(viewer.standing.tenant) ?? new Map());
    this.#isNotifying = false;
    if (this.#untold.length > 0) this.#notifySoon(GATHER_MS);
  }

  /** One query; ends streams whose sessions may now see something else. */
  async #stillStanding(viewers: readonly Viewer[]): Promise<Viewer[]> {
    if (viewers.length === 0) return [];
    const standings = await this.#deps.findStandings(viewers);
    return viewers.filter((viewer, nth) => {
      const standing = standings[nth] ?? null;
      if (standing !== null && isSameTopicScope(standing, viewer.standing)) return this.#viewers.has(viewer);
      this.#viewers.delete(viewer);
      viewer.write(frame({ kind: "ended", reason: standing === null ? "signed-out" : "moved" }));
      viewer.close();
      return false;
    });
  }

  async #pulse(): Promise<void> {
    await this.#catchUp();
    for (const viewer of await this.#stillStanding([...this.#viewers])) send(viewer, ":\n\n");
  }
}

/** A reader with more unread bytes is not ready. */
const BUFFER_BYTES = 16_384;

type StreamRequest = { session: Session; address: string | null; gone: AbortSignal; pageAgeMs?: number };

export async function openStream(
  hub: Hub,
  { session, address, gone, pageAgeMs }: StreamRequest,
): Promise<ReadableStream | null> {
  await hub.ready;
  if (!hub.mayJoin(session.idHash)) return null;
  const encoder = new TextEncoder();
  let isOpen = true;
  let leave = nothing;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      leave();
      controller.close();
    };
    const viewer: Viewer = {
      idHash: session.idHash,
      address,
      standing: topicScopeOf(session),
      isReady: () => isOpen && (controller.desiredSize ?? 0) > 0,
      write: (text) => isOpen && controller.enqueue(encoder.encode(text)),
      close,
    };
    gone.addEventListener("abort", close);
    leave = hub.join(viewer, pageAgeMs);
    if (gone.aborted) close();
  };
  const cancel = () => {
    isOpen = false;
    leave();
  };
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES });
  return new ReadableStream<Uint8Array>({ start, cancel }, strategy);
}

declare global {
  var retaguardaLive: Hub | undefined;
}

/** One per process, though Next loads modules several times. */
export function liveHub(): Hub {
  globalThis.retaguardaLive ??= new Hub({
    listen: (ear) => {
      const listening = store().then(({ listen }) => listen(LIVE_CHANNEL, ear));
      return async () => (await listening)();
    },
    readSince: async (id) => readSince(await openStore(), id),
    forgetOld: async () => forgetOld(await openStore()),
    findStandings: async (readers) =>
      (await findSessions(readers)).map((session) => (session === null ? null : topicScopeOf(session))),
    now: Date.now,
    after: (ms, run) => void setTimeout(run, ms).unref(),
  });
  return globalThis.retaguardaLive;
}
