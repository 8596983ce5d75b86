/** How long a session lasts, in milliseconds: from now on, and from a sign of its person on. */
export type SessionTime = { endsInMs: number; idleMs: number };

/** What the server says to a sign of the person: for how long the session lasts now, that it has ended, or nothing. */
export type PresenceAnswer = { endsInMs: number } | "ended" | "unknown";

/** What is not deterministic about it. */
export type PresenceDoor = {
  now: () => number;
  /** Calls `run` once, after `ms` milliseconds, unless the returned function is called before. */
  after: (ms: number, run: () => void) => () => void;
  tell: () => Promise<PresenceAnswer>;
  /** Tells the browser's other tabs for how long the session lasts now. */
  share: (endsInMs: number) => void;
  /** Nobody gave a sign in time. */
  onOver: () => void;
  /** The server says that the session has ended. */
  onEnded: () => void;
};

/** A sign of the person is told at most so often. */
const TELL_EVERY_MS = 60_000;
const WARN_MS = 120_000;

const nothing = () => {};

/** Tells the server of real input, and warns before a session without any ends. */
export class Presence {
  readonly #door: PresenceDoor;
  readonly #tellEveryMs: number;
  readonly #warnMs: number;
  readonly #followers = new Set<() => void>();
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #warnsOf: number | null = null;
  #stopTimers = nothing;

  constructor(idleMs: number, door: PresenceDoor) {
    this.#door = door;
    this.#tellEveryMs = Math.min(TELL_EVERY_MS, idleMs / 4);
    this.#warnMs = Math.min(WARN_MS, idleMs / 3);
  }

  /** When the session ends, by this machine's clock, once that is near; null while there is nothing to warn of. */
  readonly warnsOf = (): number | null => this.#warnsOf;

  /** Hears when `warnsOf` changes, until the returned function is called. */
  readonly follow = (hear: () => void): (() => void) => {
    this.#followers.add(hear);
    return () => void this.#followers.delete(hear);
  };

  /** The session lasts so long from now on. */
  lasts(endsInMs: number): void {
    this.#lasts(endsInMs);
    if (endsInMs <= this.#warnMs) this.#warn(this.#door.now() + endsInMs);
  }

  #lasts(endsInMs: number): void {
    this.#stopTimers();
    const endsAtMs = this.#door.now() + endsInMs;
    const untilWarningMs = endsInMs - this.#warnMs;
    this.#warn(null);
    const stopWarning = untilWarningMs > 0 ? this.#door.after(untilWarningMs, () => this.#warn(endsAtMs)) : nothing;
    const stopOver = this.#door.after(Math.max(0, endsInMs), this.#door.onOver);
    this.#stopTimers = () => {
      stopWarning();
      stopOver();
    };
  }

  /** Another tab has told the server of the person. */
  hears(endsInMs: number): void {
    this.#toldAtMs = this.#door.now();
    this.lasts(endsInMs);
  }

  /** The person did something. Under a warning that is no answer: the warning has a button for it. */
  sign(): void {
    if (this.#warnsOf !== null || this.#door.now() - this.#toldAtMs < this.#tellEveryMs) return;
    void this.stay();
  }

  /** The person wants the session to go on. */
  async stay(): Promise<void> {
    this.#toldAtMs = this.#door.now();
    const answer = await this.#door.tell();
    if (answer === "ended") return this.#door.onEnded();
    if (answer === "unknown") return;
    // Beyond its twelve hours nothing keeps a session: who has said that they are there works on until then.
    this.#lasts(answer.endsInMs);
    this.#door.share(answer.endsInMs);
  }

  close(): void {
    this.#stopTimers();
  }

  #warn(endsAtMs: number | null): void {
    this.#warnsOf = endsAtMs;
    for (const hear of this.#followers) hear();
  }
}
