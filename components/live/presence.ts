"use client";

import { useEffect, useState, useSyncExternalStore } from "react";

/** How long a session lasts, in milliseconds: from now on, and from a sign of its person on. */
export type SessionTime = { endsInMs: number; idleMs: number };

/** What the server says to a sign of the person: for how long the session lasts now, that it has ended, or nothing. */
export type PresenceAnswer = { endsInMs: number } | "ended" | "unknown";

/** What is not deterministic about it. */
type PresenceDoor = {
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

const CHANNEL = "retaguarda-presence";
const SIGNS = ["pointerdown", "keydown", "wheel"] as const;

async function tell(): Promise<PresenceAnswer> {
  const [told] = await Promise.allSettled([fetch("/api/session", { method: "POST" })]);
  if (told.status === "rejected") return "unknown";
  if (told.value.status === 401) return "ended";
  const [body] = await Promise.allSettled([told.value.json()]);
  return told.value.ok && body.status === "fulfilled" ? body.value : "unknown";
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

type Watched = {
  /** As the page was rendered. */
  time: SessionTime;
  /** As the server has said since. */
  endsIn: { ms: number } | null;
  onOver: () => void;
  onEnded: () => void;
};

/** A `Presence` of this tab; `watch` lets it know of input here, and of what other tabs were told, until what it returns is called. */
function createPresence({ time, onOver, onEnded }: Watched) {
  let channel: BroadcastChannel | null = null;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel's messages stay within its origin
  const share = (endsInMs: number) => channel?.postMessage(endsInMs);
  const presence = new Presence(time.idleMs, { now: Date.now, after, tell, share, onOver, onEnded });
  const note = ({ isTrusted }: Event) => isTrusted && presence.sign();
  const watch = () => {
    const opened = new BroadcastChannel(CHANNEL);
    channel = opened;
    opened.addEventListener("message", ({ data }: MessageEvent<number>) => presence.hears(data));
    for (const sign of SIGNS) window.addEventListener(sign, note, { capture: true, passive: true });
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, note, { capture: true });
      opened.close();
      presence.close();
    };
  };
  return { presence, watch };
}

const never = () => null;

/**
 * Tells the server of the person in this tab, and when the session ends for want of a sign of them: `warnsOf` is that
 * instant by this machine's clock once it is near, else null. `onOver` and `onEnded` are those of the first render.
 */
export function usePresence(watched: Watched) {
  const [{ presence, watch }] = useState(() => createPresence(watched));
  const { time, endsIn } = watched;
  useEffect(watch, [watch]);
  useEffect(() => presence.lasts(time.endsInMs), [presence, time]);
  useEffect(() => {
    if (endsIn !== null) presence.lasts(endsIn.ms);
  }, [presence, endsIn]);
  const warnsOf = useSyncExternalStore(presence.follow, presence.warnsOf, never);
  return { warnsOf, stay: () => void presence.stay() };
}
