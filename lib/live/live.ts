import { findSessions, type Session } from "@/lib/auth/sessions";
import { db as openStore, store, type Db } from "@/lib/store/store";
import { LIVE_CHANNEL } from "./publish";
import { standingOf, isTopic, type Topic, isSameStanding, type Standing } from "./standing";
import { desc, gt, lt } from "drizzle-orm";
import { z } from "zod";
import { storeTimeBefore } from "@/lib/store/clock";
import { liveEvent } from "./schema";
import { log } from "@/lib/process/log";
import { withoutParameters } from "@/lib/store/error";
import type { Ear } from "@/lib/store/listen";
import { AGE_MARGIN_MS, type LiveMessage, RECENT_MS } from "./view";

/** A stream away for longer is told to read everything again. */
const RETAINED_MS = 10 * 60_000;
const MOST_RETAINED = 5_000;

export type LiveEvent = {
  id: number;
  tenant: string;
  topic: Topic;
  object: string | null;
  asOf: string | null;
  atMs: number;
};

const Notification = z
  .object({
    id: z.int(),
    tenant: z.string(),
    topic: z.string().refine(isTopic),
    object: z.string().nullable(),
    as_of: z.coerce.date().nullable(),
    at: z.coerce.date(),
  })
  .transform(({ as_of, at, ...rest }): LiveEvent => ({
    ...rest,
    asOf: as_of?.toISOString() ?? null,
    atMs: at.getTime(),
  }));

/** Rejects for anything else on the channel. */
export async function readNotification(payload: string): Promise<LiveEvent> {
  return Notification.parse(JSON.parse(payload));
}

export async function readStored(db: Db, sinceMs = 0): Promise<LiveEvent[]> {
  const rows = await db
    .select()
    .from(liveEvent)
    .where(gt(liveEvent.at, new Date(sinceMs)))
    .orderBy(desc(liveEvent.id))
    .limit(MOST_RETAINED);
  return rows
    .map(({ asOf, at, ...row }) => ({ ...row, asOf: asOf?.toISOString() ?? null, atMs: at.getTime() }))
    .toReversed();
}

export async function forgetOld(db: Db): Promise<void> {
  await db.delete(liveEvent).where(lt(liveEvent.at, storeTimeBefore(RETAINED_MS)));
}

/** Beyond that, the whole topic changed. */
const MOST_OBJECTS = 50;

type News = { objects: ReadonlySet<string> | null; asOf: string | null };

/** What a reader has not been sent yet, one entry per topic. */
type Digest = { lastId: number; topics: ReadonlyMap<Topic, News> };

const NOTHING: News = { objects: new Set(), asOf: null };

const later = (one: string | null, other: string | null) => ((one ?? "") > (other ?? "") ? one : other);

function join(one: News, other: News): News {
  const objects = one.objects && other.objects && new Set([...one.objects, ...other.objects]);
  return { objects: objects && objects.size > MOST_OBJECTS ? null : objects, asOf: later(one.asOf, other.asOf) };
}

function newsOf({ object, asOf }: LiveEvent): News {
  if (asOf !== null) return { objects: new Set(), asOf };
  return { objects: object === null ? null : new Set([object]), asOf: null };
}

function digestOf(events: readonly LiveEvent[]): Digest {
  const topics = new Map<Topic, News>();
  for (const event of events) topics.set(event.topic, join(topics.get(event.topic) ?? NOTHING, newsOf(event)));
  return { lastId: Math.max(0, ...events.map(({ id }) => id)), topics };
}

/** Bounded, however much a slow reader misses. */
function joinDigests(one: Digest, other: Digest): Digest {
  const topics = new Map(one.topics);
  for (const [topic, news] of other.topics) topics.set(topic, join(topics.get(topic) ?? NOTHING, news));
  return { lastId: Math.max(one.lastId, other.lastId), topics };
}

function frame(message: LiveMessage, id?: number): string {
  const text = `data: ${JSON.stringify(message)}\n\n`;
  return id === undefined ? text : `id: ${id}\n${text}`;
}

function messagesOf([topic, { objects, asOf }]: [Topic, News]): LiveMessage[] {
  const messages: LiveMessage[] = [];
  if (objects === null || objects.size > 0) messages.push({ kind: "changed", topic, objects: objects && [...objects] });
  if (asOf !== null) messages.push({ kind: "fresh", topic, asOf });
  return messages;
}

function framesOf({ lastId, topics }: Digest, readable: readonly Topic[]): string {
  const messages = [...topics].filter(([topic]) => readable.includes(topic)).flatMap(messagesOf);
  // Only the last frame completes the digest, so it alone carries the id.
  return messages.map((message, n) => frame(message, n === messages.length - 1 ? lastId : undefined)).join("");
}

/** A reader that takes nothing for this long is gone. */
const STUCK_AFTER_MS = 60_000;
/** Plus jitter, so that browsers do not all return at once after a restart. */
const RETURN_FIRST_MS = 1_000;
const RETURN_SPREAD_MS = 4_000;

type Outlet = {
  isReady: () => boolean;
  write: (text: string) => void;
  close: () => void;
};

/** What its reader is not ready for becomes one digest. */
export class Viewer {
  readonly idHash: string;
  readonly #standing: Standing;
  readonly #outlet: Outlet;
  #pending: Digest | null = null;
  #mustReset = false;
  #stuckSinceMs: number | null = null;

  constructor(idHash: string, standing: Standing, outlet: Outlet) {
    this.idHash = idHash;
    this.#standing = standing;
    this.#outlet = outlet;
  }

  get tenant(): string {
    return this.#standing.tenant;
  }

  get #topics(): readonly Topic[] {
    return this.#standing.topics;
  }

  standsAs(standing: Standing | null): boolean {
    return standing !== null && isSameStanding(standing, this.#standing);
  }

  open(lastId: number, random: number = Math.random()): void {
    const retryMs = Math.round(RETURN_FIRST_MS + RETURN_SPREAD_MS * random);
    this.#outlet.write(`retry: ${retryMs}\n${frame({ kind: "open", tenant: this.tenant }, lastId)}`);
  }

  /** Something was missed: the reader reads everything again. */
  reset(): void {
    this.#mustReset = true;
    this.flush();
  }

  deliver(digest: Digest): void {
    this.#pending = this.#pending === null ? digest : joinDigests(this.#pending, digest);
    this.flush();
  }

  flush(): void {
    if (!this.#outlet.isReady()) return;
    if (this.#mustReset) this.#outlet.write(frame({ kind: "reset" }));
    this.#mustReset = false;
    if (this.#pending === null) return;
    const frames = framesOf(this.#pending, this.#topics);
    this.#pending = null;
    if (frames !== "") this.#outlet.write(frames);
  }

  /** A stuck reader is cut off, and may return for what it missed. */
  pulse(nowMs: number): void {
    if (this.#outlet.isReady()) {
      this.#stuckSinceMs = null;
      this.#outlet.write(":\n\n");
      return;
    }
    this.#stuckSinceMs ??= nowMs;
    if (nowMs - this.#stuckSinceMs >= STUCK_AFTER_MS) this.cut();
  }

  end(reason: "signed-out" | "moved"): void {
    this.#outlet.write(frame({ kind: "ended", reason }));
    this.cut();
  }

  cut(): void {
    this.#outlet.close();
  }
}

type HubDeps = {
  listen: (ear: Ear) => () => Promise<void>;
  readStored: (sinceMs: number) => Promise<LiveEvent[]>;
  forgetOld: () => Promise<void>;
  findStandings: (idHashes: readonly string[]) => Promise<Map<string, Standing>>;
  now: () => number;
  after: (ms: number, run: () => void) => void;
};

const GATHER_MS = 200;
/** Each stream's heartbeat, after a check of its session. */
export const PULSE_MS = 15_000;
const FORGET_EVERY_MS = 60_000;
/** A transaction may be this much slower than one that published after it. */
const OVERLAP_MS = 30_000;
const RETRY_MS = 1_000;
const MOST_PER_SESSION = 30;

/** `pageAgeMs`: since the page of a new stream was asked for, where it is known. */
type Reader = { lastEventId: string | null; pageAgeMs?: number };

type Resume = { isWhole: boolean; lastId: number; missed: LiveEvent[] };

/** One listener per process: a viewer costs a stream and nothing else. */
export class Hub {
  readonly ready: Promise<void>;
  readonly #deps: HubDeps;
  readonly #stop: () => Promise<void>;
  readonly #viewers = new Set<Viewer>();
  #stored: (LiveEvent & { receivedMs: number })[] = [];
  #ids = new Set<number>();
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
      received: (payload) => {
        readNotification(payload).then(
          (event) => this.#take([event]),
          (err: unknown) => log.warn({ err }, "live event not readable"),
        );
      },
      connected: () => void this.#catchUpAtLast().then(isReady),
    });
    this.#every(PULSE_MS, () => this.#pulse());
    this.#every(FORGET_EVERY_MS, () => deps.forgetOld());
  }

  get size(): number {
    return this.#viewers.size;
  }

  mayJoin(idHash: string): boolean {
    return !this.#isClosed && [...this.#viewers].filter((viewer) => viewer.idHash === idHash).length < MOST_PER_SESSION;
  }

  join(viewer: Viewer, reader: Reader): () => void {
    this.#viewers.add(viewer);
    const { isWhole, lastId, missed } = this.#resume(reader, viewer.tenant);
    viewer.open(lastId);
    if (!isWhole) viewer.reset();
    if (missed.length > 0) viewer.deliver({ ...digestOf(missed), lastId });
    return () => this.#viewers.delete(viewer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const viewer of this.#viewers) viewer.cut();
    this.#viewers.clear();
    await this.#stop();
  }

  #every(ms: number, run: () => Promise<void>): void {
    const again = async () => {
      if (this.#isClosed) return;
      await run().catch((error: unknown) =>
        log.warn({ err: withoutParameters(error) }, "live streams not looked after"),
      );
      this.#every(ms, run);
    };
    this.#deps.after(ms, () => void again());
  }

  /** Missed while disconnected, or behind a connection pooler, which passes nothing on. */
  async #catchUp(): Promise<void> {
    const newestMs = this.#stored.at(-1)?.atMs ?? 0;
    this.#take(await this.#deps.readStored(newestMs - OVERLAP_MS));
  }

  async #catchUpAtLast(): Promise<void> {
    const hasCaughtUp = await this.#catchUp().then(
      () => true,
      () => false,
    );
    if (hasCaughtUp || this.#isClosed) return;
    await new Promise<void>((resolve) => this.#deps.after(RETRY_MS, resolve));
    await this.#catchUpAtLast();
  }

  #take(events: readonly LiveEvent[]): void {
    const receivedMs = this.#deps.now();
    const isFirst = this.#ids.size === 0;
    const fresh = events.filter(({ id }) => !this.#ids.has(id));
    for (const event of fresh) {
      this.#ids.add(event.id);
      // What is read at the start was not just received.
      this.#stored.push({ ...event, receivedMs: isFirst && fresh.length > 1 ? 0 : receivedMs });
    }
    const newestMs = Math.max(0, ...this.#stored.slice(-1).map(({ atMs }) => atMs));
    this.#stored = this.#stored.slice(-MOST_RETAINED).filter(({ atMs }) => atMs > newestMs - RETAINED_MS);
    this.#ids = new Set(this.#stored.map(({ id }) => id));
    this.#untold.push(...fresh);
    if (!this.#isNotifying && fresh.length > 0) this.#notifySoon(GATHER_MS);
  }

  #resume({ lastEventId, pageAgeMs = RECENT_MS }: Reader, tenant: string): Resume {
    const lastId = this.#stored.at(-1)?.id ?? 0;
    const mine = this.#stored.filter((event) => event.tenant === tenant);
    if (lastEventId === null) {
      const since = this.#deps.now() - Math.min(pageAgeMs + AGE_MARGIN_MS, RECENT_MS);
      return { isWhole: true, lastId, missed: mine.filter(({ receivedMs }) => receivedMs >= since) };
    }
    const last = this.#stored.find(({ id }) => id === Number(lastEventId));
    if (last === undefined) return { isWhole: false, lastId, missed: [] };
    const missed = mine.filter(({ id, atMs }) => id > last.id || (id < last.id && atMs > last.atMs - OVERLAP_MS));
    return { isWhole: true, lastId, missed };
  }

  #notifySoon(ms: number): void {
    this.#isNotifying = true;
    this.#deps.after(ms, () => void this.#deliver());
  }

  async #deliver(): Promise<void> {
    const events = this.#untold.splice(0);
    const digests = new Map<string, Digest>();
    for (const tenant of new Set(events.map((event) => event.tenant))) {
      digests.set(tenant, digestOf(events.filter((event) => event.tenant === tenant)));
    }
    const told = [...this.#viewers].filter(({ tenant }) => digests.has(tenant));
    const standing = await this.#stillStanding(told).catch(() => null);
    if (standing === null) {
      this.#untold.unshift(...events);
      return this.#notifySoon(RETRY_MS);
    }
    for (const viewer of standing) {
      const digest = digests.get(viewer.tenant);
      if (digest !== undefined) viewer.deliver(digest);
    }
    this.#isNotifying = false;
    if (this.#untold.length > 0) this.#notifySoon(GATHER_MS);
  }

  /** One query; ends streams whose sessions may see something else now. */
  async #stillStanding(viewers: readonly Viewer[]): Promise<Viewer[]> {
    if (viewers.length === 0) return [];
    const standings = await this.#deps.findStandings([...new Set(viewers.map(({ idHash }) => idHash))]);
    return viewers.filter((viewer) => {
      const standing = standings.get(viewer.idHash) ?? null;
      if (viewer.standsAs(standing)) return this.#viewers.has(viewer);
      this.#viewers.delete(viewer);
      viewer.end(standing === null ? "signed-out" : "moved");
      return false;
    });
  }

  async #pulse(): Promise<void> {
    await this.#catchUp();
    for (const viewer of await this.#stillStanding([...this.#viewers])) viewer.pulse(this.#deps.now());
  }
}

/** Beyond that, a slow reader gets a digest. */
const BUFFER_BYTES = 16_384;

const nothing = () => {};

type Opening = Reader & { session: Session; gone: AbortSignal };

export async function openStream(hub: Hub, { session, gone, ...reader }: Opening): Promise<ReadableStream | null> {
  await hub.ready;
  if (!hub.mayJoin(session.idHash)) return null;
  const encoder = new TextEncoder();
  let isOpen = true;
  let [leave, flush] = [nothing, nothing];
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      leave();
      gone.removeEventListener("abort", close);
      controller.close();
    };
    const viewer = new Viewer(session.idHash, standingOf(session), {
      isReady: () => isOpen && (controller.desiredSize ?? 0) > 0,
      write: (text) => isOpen && controller.enqueue(encoder.encode(text)),
      close,
    });
    gone.addEventListener("abort", close);
    flush = () => viewer.flush();
    leave = hub.join(viewer, reader);
    if (gone.aborted) close();
  };
  const cancel = () => {
    isOpen = false;
    leave();
  };
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES });
  return new ReadableStream<Uint8Array>({ start, pull: () => flush(), cancel }, strategy);
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
    readStored: async (sinceMs) => readStored(await openStore(), sinceMs),
    forgetOld: async () => forgetOld(await openStore()),
    findStandings: async (idHashes) => {
      const sessions = await findSessions(idHashes);
      return new Map([...sessions].map(([idHash, session]) => [idHash, standingOf(session)]));
    },
    now: Date.now,
    after: (ms, run) => void setTimeout(run, ms).unref(),
  });
  return globalThis.retaguardaLive;
}
