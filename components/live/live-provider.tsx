"use client";

import { QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { useScope } from "@/components/session/scope";
import { AGE_MARGIN_MS, type LiveMessage, type LiveTopic } from "@/lib/live/view";

export type LiveSignal = Exclude<LiveMessage, { kind: "open" }>;
type Listener = (signal: LiveSignal) => void;

type Spoken = { signal: LiveSignal; to?: string } | { asks: string; sinceMs: number };

/** The page's data was read after its request, so it is at most this old. */
const pageAgeMs = () => Math.round(performance.now());
/** Retries a refused stream, as somebody may have signed in. */
const ASK_AGAIN_MS = 15_000;
const MOVED_MS = 1_000;
/** Changes announced between a screen's rendering and its opening would be missed. */
const MOMENT_MS = 5_000;

/** Spread, so that browsers do not all reconnect together. */
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
    // Changes during the interruption are unknown, so everything is read again.
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

/** One tab holds the stream for all, because it takes one of the browser's six connections to a server. */
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
  // Locks exist only in secure contexts: elsewhere every tab holds its own stream.
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
  // A changing context would discard server HTML that is not hydrated yet.
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

/** Spreads the requests of a thousand screens. */
const SPREAD_MS = 1_000;
const REST_MS = 3_000;
/** The interval when nothing changes. */
export const POLL_INTERVAL_MS = 60_000;

/** `later` retries, `never` drops the refresh. */
export type Leave = "now" | "later" | "never";

type Refresher = { ask: () => void; retryNow: () => void; end: () => void };

/** Refreshes at most every few seconds, only in a visible window, and when `mayBegin` allows. */
export function createRefresher(refresh: () => void, mayBegin: () => Promise<Leave> = async () => "now"): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntilMs = 0;
  let isDue = false;
  let isAsking = false;
  let hasEnded = false;

  const wait = (ms: number) => {
    timer ??= setTimeout(() => void begin(), ms + Math.random() * SPREAD_MS);
  };
  const stopWaiting = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  async function begin(): Promise<void> {
    timer = undefined;
    if (isAsking || document.visibilityState === "hidden") return;
    isAsking = true;
    const leave = await mayBegin();
    isAsking = false;
    if (hasEnded) return;
    if (leave === "later") return wait(REST_MS);
    stopWaiting();
    isDue = false;
    restUntilMs = Date.now() + REST_MS;
    if (leave === "now") refresh();
  }
  const ask = () => {
    isDue = true;
    wait(Math.max(0, restUntilMs - Date.now()));
  };
  const retryNow = () => {
    if (!isDue) return;
    stopWaiting();
    ask();
  };
  document.addEventListener("visibilitychange", retryNow);
  window.addEventListener("online", retryNow);
  const end = () => {
    hasEnded = true;
    stopWaiting();
    document.removeEventListener("visibilitychange", retryNow);
    window.removeEventListener("online", retryNow);
  };
  return { ask, retryNow, end };
}

const OLD_MS = 30_000;

/** Asks on return to a window whose data is old. */
export function followReturn(readAtMs: () => number, ask: () => void): () => void {
  const returned = () => {
    if (document.visibilityState === "visible" && Date.now() - readAtMs() > OLD_MS) ask();
  };
  document.addEventListener("visibilitychange", returned);
  window.addEventListener("focus", returned);
  return () => {
    document.removeEventListener("visibilitychange", returned);
    window.removeEventListener("focus", returned);
  };
}

/** The router drops a refresh of a page that still streams, and its promise never resolves. */
export const hasLoaded = () => document.readyState === "complete";

export const untilLoaded = () =>
  new Promise<void>((resolve) => {
    if (hasLoaded()) resolve();
    else window.addEventListener("load", () => resolve(), { once: true });
  });

type Subject = { topics: readonly string[]; object?: string | undefined };

export function isAbout({ topics, object }: Subject, signal: LiveSignal): boolean {
  if (signal.kind !== "changed") return signal.kind === "reset";
  if (!topics.includes(signal.topic)) return false;
  return object === undefined || signal.objects === null || signal.objects.includes(object);
}

type Followed = { topic: LiveTopic; object?: string; alsoAtEnd?: boolean };

/** Rereads a query soon after each matching change; `alsoAtEnd`: when the session ends, too. */
export function useRefetched(queryKey: readonly string[], { topic, object, alsoAtEnd = false }: Followed): void {
  const { follow } = useLive();
  const client = useQueryClient();
  useEffect(() => {
    const { ask, end } = createRefresher(() => void client.refetchQueries({ queryKey }));
    const unfollow = follow((signal) => {
      if (isAbout({ topics: [topic], object }, signal) || (alsoAtEnd && signal.kind === "ended")) ask();
    });
    return () => {
      unfollow();
      end();
    };
  }, [client, follow, queryKey, topic, object, alsoAtEnd]);
}
