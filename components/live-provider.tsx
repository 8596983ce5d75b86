"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { useDesk } from "./desk";
import { followLive, type Heard } from "./live-stream";

type Hear = (heard: Heard) => void;

type Live = {
  /** Whether changes are told of; while not, screens look for themselves. */
  isUp: boolean;
  /** Hears everything that is told from a moment ago on, until the returned function is called. */
  follow: (hear: Hear) => () => void;
};

const LiveContext = createContext<Live>({ isUp: false, follow: () => () => undefined });

export const useLive = () => use(LiveContext);

/** A screen that opens may have been rendered just before a change that was told just before it opened. */
const MOMENT_MS = 5_000;

/** Who follows, and what was told a moment ago. */
function createFollowing() {
  const followers = new Set<Hear>();
  let told: { heard: Heard; atMs: number }[] = [];
  const ofThisMoment = () => told.filter(({ atMs }) => Date.now() - atMs < MOMENT_MS);
  return {
    tell: (heard: Heard) => {
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
  const [{ tell, follow }] = useState(createFollowing);
  const [isUp, setUp] = useState(false);
  const live = useMemo(() => ({ isUp, follow }), [isUp, follow]);

  useEffect(
    () =>
      followLive(desk, (heard) => {
        if (heard.kind === "up" || heard.kind === "down") setUp(heard.kind === "up");
        if (heard.kind === "ended") look();
        tell(heard);
      }),
    [desk, look, tell],
  );

  return (
    <LiveContext value={live}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </LiveContext>
  );
}
