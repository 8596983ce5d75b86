"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { useScope } from "@/components/session/scope";
import { AGE_MARGIN_MS, type LiveMessage } from "@/lib/live/view";

export type LiveSignal = Exclude<LiveMessage, { kind: "open" }>;
type Listener = (signal: LiveSignal) => void;

type Spoken = { signal: LiveSignal; to?: string } | { asks: string; sinceMs: number };

/** What was read for the page was read after it was asked for. */
const pageAgeMs = () => Math.round(performance.now());
/** A refused stream is tried again: somebody may have signed in. */
const ASK_AGAIN_MS = 15_000;
const MOVED_MS = 1_000;
/** A change may be announced between the rendering of a screen and its opening. */
const MOMENT_MS = 5_000;

/** So that browsers do not all return at once. */
const spread = (ms: number) => ms * (0.5 + Math.random());

function lead(scope: string, notify: Listener, gone: AbortSignal): Promise<void> {
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;

  const openLater = (ms: number) => {
    stream?.close();
    clearTimeout(timer);
    timer = setTimeout(open, spread(ms));
  };
  const take = (message: LiveMessage) => {
    if (message.kind !== "open") notify(message);
    // What went by before a stream came back is not known: everything is read again.
    else if (isLate) notify({ kind: "reset" });
    isLate = true;
    if (message.kind === "ended") openLater(message.reason === "moved" ? MOVED_MS : ASK_AGAIN_MS);
  };
  function open() {
    const opened = new EventSource(`/api/live?scope=${encodeURIComponent(scope)}&age=${pageAgeMs()}`);
    stream = opened;
    opened.addEventListener("message", ({ data }) => take(JSON.parse(data)));
    opened.addEventListener("error", () => {
      isLate = true;
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
export function followLive(scope: string, listener: Listener): () => void {
  const name = `retaguarda-live:${scope}`;
  const own = String(Math.random());
  const gone = new AbortController();
  const channel = new BroadcastChannel(name);
  let changedAtMs = -Infinity;
  let isLeader = false;

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel's messages stay within its origin
  const say = (spoken: Spoken) => gone.signal.aborted || channel.postMessage(spoken);
  const notify = (signal: LiveSignal) => {
    changedAtMs = Date.now();
    listener(signal);
    say({ signal });
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Spoken>) => {
    if ("signal" in data) {
      if (!isLeader && (data.to ?? own) === own) listener(data.signal);
    } else if (isLeader && changedAtMs >= data.sinceMs) {
      say({ signal: { kind: "reset" }, to: data.asks });
    }
  });
  const takeLead = () => {
    isLeader = true;
    return lead(scope, notify, gone.signal);
  };
  say({ asks: own, sinceMs: Date.now() - pageAgeMs() - AGE_MARGIN_MS });
  // Only secure contexts have locks: elsewhere every tab holds its own.
  if (navigator.locks === undefined) void takeLead();
  else navigator.locks.request(name, { signal: gone.signal }, takeLead).catch(() => undefined);
  return () => {
    gone.abort();
    channel.close();
  };
}

type Follow = (listener: Listener) => () => void;

const LiveContext = createContext<{ follow: Follow }>({ follow: () => () => undefined });

export const useLive = () => use(LiveContext);

function createFollowing() {
  const followers = new Set<Listener>();
  let recent: { signal: LiveSignal; atMs: number }[] = [];
  const ofThisMoment = () => recent.filter(({ atMs }) => Date.now() - atMs < MOMENT_MS);
  const follow: Follow = (listener) => {
    followers.add(listener);
    for (const { signal } of ofThisMoment()) listener(signal);
    return () => void followers.delete(listener);
  };
  const notify = (signal: LiveSignal) => {
    recent = ofThisMoment();
    if (signal.kind === "changed") recent.push({ signal, atMs: Date.now() });
    for (const listener of followers) listener(signal);
  };
  return { follow, notify };
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
