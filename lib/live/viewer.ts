import { type Digest, frame, framesOf, joinDigests } from "./digest";
import { isSameStanding, type Standing } from "./standing";
import type { Topic } from "./topic";

/** A reader that takes nothing for this long is not there any more. */
const STUCK_AFTER_MS = 60_000;
/** Browsers come back after so long, each at its own moment: after a restart they would else come all at once. */
const RETURN_FIRST_MS = 1_000;
const RETURN_SPREAD_MS = 4_000;

/** Where the events of one stream go. */
export type Outlet = {
  /** Whether the reader takes more; what is written beyond that piles up. */
  isReady: () => boolean;
  write: (text: string) => void;
  close: () => void;
};

/** One open stream: what its reader is not ready for is kept as one digest, however much it becomes. */
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

  /** Something was missed: the reader is to read everything anew. */
  reset(): void {
    this.#mustReset = true;
    this.flush();
  }

  tell(digest: Digest): void {
    this.#pending = this.#pending === null ? digest : joinDigests(this.#pending, digest);
    this.flush();
  }

  /** Writes what is pending when the reader is ready for it. */
  flush(): void {
    if (!this.#outlet.isReady()) return;
    if (this.#mustReset) this.#outlet.write(frame({ kind: "reset" }));
    this.#mustReset = false;
    if (this.#pending === null) return;
    const frames = framesOf(this.#pending, this.#topics);
    this.#pending = null;
    if (frames !== "") this.#outlet.write(frames);
  }

  /** A sign of life; a reader that has been stuck for too long is cut off, and may come back for what it missed. */
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
