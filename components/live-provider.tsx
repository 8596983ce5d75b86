"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from "react";
import { useDesk } from "./desk";
import { followLive, type Heard } from "./live-stream";

type Hear = (heard: Heard) => void;

type Live = {
  isUp: () => boolean;
  /** Calls `notice` when `isUp` changes, until the returned function is called. */
  watch: (notice: () => void) => () => void;
  /** Hears everything that is told from a moment ago on, until the returned function is called. */
  follow: (hear: Hear) => () => void;
};

const LiveContext = createContext<Live>({
  isUp: () => false,
  watch: () => () => undefined,
  follow: () => () => undefined,
});

export const useLive = () => use(LiveContext);

/** Whether changes are told of; while not, screens look for themselves. */
export function useIsLive(): boolean {
  const { isUp, watch } = useLive();
  return useSyncExternalStore(watch, isUp, () => false);
}

/** A screen that opens may have been rendered just before a change that was told just before it opened. */
const MOMENT_MS = 5_000;

/** Who follows, what was told a moment ago, and whether anything is told at all. */
function createFollowing() {
  const followers = new Set<Hear>();
  const watchers = new Set<() => void>();
  let isUp = false;
  let told: { heard: Heard; atMs: number }[] = [];
  const ofThisMoment = () => told.filter(({ atMs }) => Date.now() - atMs < MOMENT_MS);
  return {
    isUp: () => isUp,
    watch: (notice: () => void) => {
      watchers.add(notice);
      return () => void watchers.delete(notice);
    },
    tell: (heard: Heard) => {
      if (heard.kind === "up" || heard.kind === "down") {
        isUp = heard.kind === "up";
        for (const notice of watchers) notice();
      }
      told = [...ofThisMoment(), { heard, atMs: Date.now() }];
      for (const hear of followers) hear(heard);
    },
    follow: (hear: Hear) => {
      followers.add(hear);
      for (const { heard } of ofThisMoment()) if (heard.kind === "changed") hear(heard);
      return () => void followers.delete(hear);
    },
  };
}

/** What the screens below are told of changes, by the one stream of this browser. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { id: desk, look } = useDesk();
  const [client] = useState(() => new QueryClient());
  // Always the same one: a context that changes throws away the server's HTML of what is not hydrated yet.
  const [live] = useState(createFollowing);

  useEffect(
    () =>
      followLive(desk, (heard) => {
        if (heard.kind === "ended") look();
        live.tell(heard);
      }),
    [desk, live, look],
  );

  return (
    <LiveContext value={live}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </LiveContext>
  );
}
