import { log } from "@/lib/log";
import { withoutParameters } from "@/lib/store/error";
import type { Ear } from "@/lib/store/listen";
import { type Digest, digestOf } from "./digest";
import { KEPT_MS, type LiveEvent, MOST_KEPT, readNotification } from "./event";
import type { Standing } from "./standing";
import type { Viewer } from "./viewer";

/** What is not deterministic about a hub. */
export type HubDoor = {
  /** Hears what instances tell each other, until the returned function is called. */
  listen: (ear: Ear) => () => Promise<void>;
  /** Events published after this moment of the store's clock. */
  readKept: (sinceMs: number) => Promise<LiveEvent[]>;
  forgetOld: () => Promise<void>;
  /** Where the living ones of these sessions stand now, by the hash of their ids. */
  findStandings: (idHashes: readonly string[]) => Promise<Map<string, Standing>>;
  now: () => number;
  /** Calls `run` once, after `ms` milliseconds. */
  after: (ms: number, run: () => void) => void;
};

/** Events of this long are told together. */
const GATHER_MS = 200;
/** Every so often each stream gets a sign of life, after its session was looked at. */
export const PULSE_MS = 15_000;
const FORGET_EVERY_MS = 60_000;
/** A transaction may be this much slower than one that published after it. */
const OVERLAP_MS = 30_000;
/** What a new stream is told once more: its page was rendered that much earlier. */
const RECENT_MS = 15_000;
const RETRY_MS = 1_000;
/** Streams of one session: each browser opens one. */
const MOST_PER_SESSION = 30;

const nothing = () => {};

type Resume = { isWhole: boolean; lastId: number; missed: LiveEvent[] };

/** The one listener of a process, which tells all streams: what a viewer costs is a stream and nothing else. */
export class Hub {
  /** Once it knows what happened before it began. */
  readonly ready: Promise<void>;
  readonly #door: HubDoor;
  readonly #stop: () => Promise<void>;
  readonly #viewers = new Set<Viewer>();
  #kept: (LiveEvent & { heardMs: number })[] = [];
  #ids = new Set<number>();
  #untold: LiveEvent[] = [];
  #isTelling = false;
  #isClosed = false;

  constructor(door: HubDoor) {
    this.#door = door;
    let isReady = nothing;
    this.ready = new Promise((resolve) => {
      isReady = resolve;
    });
    this.#stop = door.listen({
      heard: (payload) => {
        readNotification(payload).then(
          (event) => this.#take([event]),
          (err: unknown) => log.warn({ err }, "live event not readable"),
        );
      },
      connected: () => void this.#catchUpAtLast().then(isReady),
    });
    this.#every(PULSE_MS, () => this.#pulse());
    this.#every(FORGET_EVERY_MS, () => door.forgetOld());
  }

  get size(): number {
    return this.#viewers.size;
  }

  mayJoin(idHash: string): boolean {
    return !this.#isClosed && [...this.#viewers].filter((viewer) => viewer.idHash === idHash).length < MOST_PER_SESSION;
  }

  /** Tells the viewer what it has missed since `lastEventId` and everything from now on; the returned function ends that. */
  join(viewer: Viewer, lastEventId: string | null): () => void {
    this.#viewers.add(viewer);
    const { isWhole, lastId, missed } = this.#resume(lastEventId, viewer.tenant);
    viewer.open(lastId);
    if (!isWhole) viewer.reset();
    if (missed.length > 0) viewer.tell({ ...digestOf(missed), lastId });
    return () => this.#viewers.delete(viewer);
  }

  /** Ends every stream and hears no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const viewer of this.#viewers) viewer.cut();
    this.#viewers.clear();
    await this.#stop();
  }

  #every(ms: number, run: () => Promise<void>): void {
    const again = async () => {
      if (this.#isClosed) return;
      const [ran] = await Promise.allSettled([run()]);
      if (ran.status === "rejected") log.warn({ err: withoutParameters(ran.reason) }, "live streams not looked after");
      this.#every(ms, run);
    };
    this.#door.after(ms, () => void again());
  }

  /** What went unheard: while there was no connection, or behind a pooler of connections, which passes nothing on. */
  async #catchUp(): Promise<void> {
    const newestMs = this.#kept.at(-1)?.atMs ?? 0;
    this.#take(await this.#door.readKept(newestMs - OVERLAP_MS));
  }

  async #catchUpAtLast(): Promise<void> {
    const [caught] = await Promise.allSettled([this.#catchUp()]);
    if (caught.status === "fulfilled" || this.#isClosed) return;
    await new Promise<void>((resolve) => this.#door.after(RETRY_MS, resolve));
    await this.#catchUpAtLast();
  }

  #take(events: readonly LiveEvent[]): void {
    const heardMs = this.#door.now();
    const isFirst = this.#ids.size === 0;
    const fresh = events.filter(({ id }) => !this.#ids.has(id));
    for (const event of fresh) {
      this.#ids.add(event.id);
      // What is read at the start was not just heard.
      this.#kept.push({ ...event, heardMs: isFirst && fresh.length > 1 ? 0 : heardMs });
    }
    const newestMs = Math.max(0, ...this.#kept.slice(-1).map(({ atMs }) => atMs));
    this.#kept = this.#kept.slice(-MOST_KEPT).filter(({ atMs }) => atMs > newestMs - KEPT_MS);
    this.#ids = new Set(this.#kept.map(({ id }) => id));
    this.#untold.push(...fresh);
    if (!this.#isTelling && fresh.length > 0) this.#tellSoon(GATHER_MS);
  }

  #resume(lastEventId: string | null, tenant: string): Resume {
    const lastId = this.#kept.at(-1)?.id ?? 0;
    const mine = this.#kept.filter((event) => event.tenant === tenant);
    if (lastEventId === null) {
      const since = this.#door.now() - RECENT_MS;
      return { isWhole: true, lastId, missed: mine.filter(({ heardMs }) => heardMs >= since) };
    }
    const last = this.#kept.find(({ id }) => id === Number(lastEventId));
    if (last === undefined) return { isWhole: false, lastId, missed: [] };
    const missed = mine.filter(({ id, atMs }) => id > last.id || (id < last.id && atMs > last.atMs - OVERLAP_MS));
    return { isWhole: true, lastId, missed };
  }

  #tellSoon(ms: number): void {
    this.#isTelling = true;
    this.#door.after(ms, () => void this.#tell());
  }

  async #tell(): Promise<void> {
    const events = this.#untold.splice(0);
    const digests = new Map<string, Digest>();
    for (const tenant of new Set(events.map((event) => event.tenant))) {
      digests.set(tenant, digestOf(events.filter((event) => event.tenant === tenant)));
    }
    const [checked] = await Promise.allSettled([
      this.#stillStanding([...this.#viewers].filter(({ tenant }) => digests.has(tenant))),
    ]);
    if (checked.status === "rejected") {
      this.#untold.unshift(...events);
      return this.#tellSoon(RETRY_MS);
    }
    for (const viewer of checked.value) {
      const digest = digests.get(viewer.tenant);
      if (digest !== undefined) viewer.tell(digest);
    }
    this.#isTelling = false;
    if (this.#untold.length > 0) this.#tellSoon(GATHER_MS);
  }

  /** Looks at the sessions of these viewers in one question, and ends the streams of those that see something else now. */
  async #stillStanding(viewers: readonly Viewer[]): Promise<Viewer[]> {
    if (viewers.length === 0) return [];
    const standings = await this.#door.findStandings([...new Set(viewers.map(({ idHash }) => idHash))]);
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
    for (const viewer of await this.#stillStanding([...this.#viewers])) viewer.pulse(this.#door.now());
  }
}
