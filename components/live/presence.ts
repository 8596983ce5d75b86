"use client";

import { useEffect, useState, useSyncExternalStore } from "react";

export type SessionTime = { endsInMs: number; idleMs: number };

export type PresenceAnswer = { endsInMs: number } | "ended" | "unknown";

type PresenceDoor = {
  now: () => number;
  after: (ms: number, run: () => void) => () => void;
  tell: () => Promise<PresenceAnswer>;
  share: (endsInMs: number) => void;
  onOver: () => void;
  onEnded: () => void;
};

/** Requests per person are spaced by this. */
const TELL_EVERY_MS = 60_000;
const WARN_MS = 120_000;

const nothing = () => {};

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

  readonly warnsOf = (): number | null => this.#warnsOf;

  readonly follow = (hear: () => void): (() => void) => {
    this.#followers.add(hear);
    return () => void this.#followers.delete(hear);
  };

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

  hears(endsInMs: number): void {
    this.#toldAtMs = this.#door.now();
    this.lasts(endsInMs);
  }

  /** Input under a warning is no answer: the warning has a button for it. */
  sign(): void {
    if (this.#warnsOf !== null || this.#door.now() - this.#toldAtMs < this.#tellEveryMs) return;
    void this.stay();
  }

  async stay(): Promise<void> {
    this.#toldAtMs = this.#door.now();
    const answer = await this.#door.tell();
    if (answer === "ended") return this.#door.onEnded();
    if (answer === "unknown") return;
    // The twelve hours end all the same.
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
  const told = await fetch("/api/session", { method: "POST" }).catch(() => null);
  if (told === null) return "unknown";
  if (told.status === 401) return "ended";
  return told.ok ? told.json().catch(() => "unknown") : "unknown";
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

type Watched = {
  time: SessionTime;
  endsIn: { ms: number } | null;
  onOver: () => void;
  onEnded: () => void;
};

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

/** `warnsOf`: the end of the session by this machine's clock once it is near, else null. Callbacks are the first render's. */
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
