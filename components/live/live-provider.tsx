"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from "react";
import { useScope } from "@/components/session/scope";
import { AGE_MARGIN_MS, type LiveMessage, RECENT_MS } from "@/lib/live/view";

export type LiveSignal = LiveMessage | { kind: "up" } | { kind: "down" };

type Spoken = { signal: LiveSignal; to?: string } | { asks: string; ageMs: number };

/** What was read for the page was read after it was asked for. */
const pageAgeMs = () => Math.round(performance.now());
/** A refused stream is tried again: somebody may have signed in. */
const ASK_AGAIN_MS = 15_000;
const MOVED_MS = 1_000;

/** So that browsers do not all return at once. */
const spread = (ms: number) => ms * (0.5 + Math.random());

function lead(scope: string, notify: (signal: LiveSignal) => void, gone: AbortSignal): Promise<void> {
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;

  const openLater = (ms: number) => {
    stream?.close();
    clearTimeout(timer);
    timer = setTimeout(open, spread(ms));
  };
  const take = (message: LiveMessage) => {
    notify(message);
    if (message.kind !== "ended") return;
    notify({ kind: "down" });
    openLater(message.reason === "moved" ? MOVED_MS : ASK_AGAIN_MS);
  };
  function open() {
    const opened = new EventSource(`/api/live?scope=${encodeURIComponent(scope)}&age=${pageAgeMs()}`);
    let isKnown = false;
    stream = opened;
    opened.addEventListener("message", ({ data }) => {
      const message: LiveMessage = JSON.parse(data);
      if (message.kind !== "open") return take(message);
      notify({ kind: "up" });
      // A resumed stream goes on where it was; a new one does not know what went by before it.
      if (isLate && !isKnown) notify({ kind: "reset" });
      [isLate, isKnown] = [true, true];
    });
    opened.addEventListener("error", () => {
      isLate = true;
      notify({ kind: "down" });
      if (opened.readyState === EventSource.CLOSED) openLater(ASK_AGAIN_MS);
    });
  }
  open();
  return new Promise((resolve) => {
    gone.addEventListener("abort", () => {
      clearTimeout(timer);
      stream?.close();
      resolve();
    });
  });
}

/** One tab holds the stream for all: it takes one of the browser's six connections to a server. */
export function followLive(scope: string, listener: (signal: LiveSignal) => void): () => void {
  const name = `retaguarda-live:${scope}`;
  const own = String(Math.random());
  const gone = new AbortController();
  const channel = new BroadcastChannel(name);
  let recent: { signal: LiveSignal; atMs: number }[] = [];
  let standing: LiveSignal = { kind: "down" };
  let isLeader = false;

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel's messages stay within its origin
  const say = (spoken: Spoken) => gone.signal.aborted || channel.postMessage(spoken);
  const stillRecent = () => recent.filter(({ atMs }) => Date.now() - atMs < RECENT_MS);
  const notify = (signal: LiveSignal) => {
    if (signal.kind === "up" || signal.kind === "down") standing = signal;
    else recent = [...stillRecent(), { signal, atMs: Date.now() }];
    listener(signal);
    say({ signal });
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Spoken>) => {
    if ("signal" in data) {
      if (!isLeader && (data.to ?? own) === own) listener(data.signal);
    } else if (isLeader) {
      const sinceMs = Date.now() - data.ageMs - AGE_MARGIN_MS;
      const missed = stillRecent().filter(({ atMs }) => atMs >= sinceMs);
      for (const signal of [standing, ...missed.map((one) => one.signal)]) say({ signal, to: data.asks });
    }
  });
  const takeLead = () => {
    isLeader = true;
    return lead(scope, notify, gone.signal);
  };
  say({ asks: own, ageMs: pageAgeMs() });
  // Only secure contexts have locks: elsewhere every tab holds its own.
  if (navigator.locks === undefined) void takeLead();
  else navigator.locks.request(name, { signal: gone.signal }, takeLead).catch(() => undefined);
  return () => {
    gone.abort();
    channel.close();
  };
}

type Listener = (signal: LiveSignal) => void;

type Live = {
  isUp: () => boolean;
  watch: (notice: () => void) => () => void;
  follow: (listener: Listener) => () => void;
};

const LiveContext = createContext<Live>({
  isUp: () => false,
  watch: () => () => undefined,
  follow: () => () => undefined,
});

export const useLive = () => use(LiveContext);

export function useIsLive(): boolean {
  const { isUp, watch } = useLive();
  return useSyncExternalStore(watch, isUp, () => false);
}

/** A change may be announced between the rendering of a screen and its opening. */
const MOMENT_MS = 5_000;

function createFollowing() {
  const followers = new Set<Listener>();
  const watchers = new Set<() => void>();
  let isUp = false;
  let recent: { signal: LiveSignal; atMs: number }[] = [];
  const ofThisMoment = () => recent.filter(({ atMs }) => Date.now() - atMs < MOMENT_MS);
  return {
    isUp: () => isUp,
    watch: (notice: () => void) => {
      watchers.add(notice);
      return () => void watchers.delete(notice);
    },
    notify: (signal: LiveSignal) => {
      if (signal.kind === "up" || signal.kind === "down") {
        isUp = signal.kind === "up";
        for (const notice of watchers) notice();
      }
      recent = [...ofThisMoment(), { signal, atMs: Date.now() }];
      for (const listener of followers) listener(signal);
    },
    follow: (listener: Listener) => {
      followers.add(listener);
      for (const { signal } of ofThisMoment()) if (signal.kind === "changed") listener(signal);
      return () => void followers.delete(listener);
    },
  };
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const { id: scope, revalidate } = useScope();
  // A context that changes discards the server's HTML of what is not hydrated yet.
  const [live] = useState(createFollowing);
  const [client] = useState(() => new QueryClient());

  useEffect(
    () =>
      followLive(scope, (signal) => {
        if (signal.kind === "ended") revalidate();
        live.notify(signal);
      }),
    [scope, live, revalidate],
  );

  return (
    <LiveContext value={live}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </LiveContext>
  );
}
