"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { LiveTopic } from "@/lib/live/view";
import { type Fresh, type Trouble, troubleOf } from "@/lib/text/page";
import { useIsLive, useLive } from "./live-provider";
import { createRefresher } from "./refresher";
import { OTHER_SCOPE, SIGNED_OUT, useRead } from "./use-read";

/** An open stream without any news of freshness. */
const SILENT_MS = 90_000;
const POLL_INTERVAL_MS = 60_000;

type LivePage<Rows> = {
  page: Rows;
  isRefreshing: boolean;
  trouble: Trouble | null;
  /** What it began with was kept from an earlier visit, and was read again. */
  isRenewed: boolean;
  refresh: () => void;
};

type Source<Rows> = {
  address: string;
  topic: LiveTopic;
  initial: Rows;
};

const newer = (page: Fresh | undefined, asOf: string) =>
  page === undefined || (page.asOf ?? "") >= asOf ? page : { ...page, asOf, isStale: false, failure: null };

function useFollowed(queryKey: readonly string[], topic: LiveTopic): void {
  const { follow } = useLive();
  const client = useQueryClient();
  useEffect(() => {
    const { ask, isDue, end } = createRefresher(() => void client.refetchQueries({ queryKey }));
    const unfollow = follow((signal) => {
      if (signal.kind === "reset" || signal.kind === "ended") ask();
      if (signal.kind === "changed" && signal.topic === topic) ask();
      if (signal.kind !== "fresh" || signal.topic !== topic || isDue()) return;
      const state = client.getQueryState(queryKey);
      if (state?.status !== "success" || state.fetchStatus !== "idle") return;
      client.setQueryData(queryKey, (page: Fresh | undefined) => newer(page, signal.asOf));
    });
    return () => {
      unfollow();
      end();
    };
  }, [client, follow, queryKey, topic]);
}

/** How long Next keeps a page that was fetched ahead: `staleTimes.static` in next.config.ts. */
const AHEAD_KEPT_MS = 30_000;
/** What was announced this long before a page is shown is still heard by it. */
const HEARD_MS = 4_000;

const ahead = new Map<string, number>();

export function noteAhead(href: string): void {
  const now = Date.now();
  for (const [known, atMs] of ahead) if (now - atMs > AHEAD_KEPT_MS) ahead.delete(known);
  if (!ahead.has(href)) ahead.set(href, now);
}

const wasLongAhead = (href: string) => Date.now() - (ahead.get(href) ?? Number.POSITIVE_INFINITY) > HEARD_MS;

/** What a page began with once: the browser's way back begins with it again, and it is old then. */
const begunWith = new WeakSet<Fresh>();

export function useLivePage<Rows extends Fresh>({ address, topic, initial }: Source<Rows>): LivePage<Rows> {
  const read = useRead();
  const isUp = useIsLive();
  const queryKey = useMemo(() => ["live", topic, address], [topic, address]);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read<Rows>(address, signal),
    initialData: initial,
    // Each answer and each event restarts the timer.
    refetchInterval: isUp ? SILENT_MS : POLL_INTERVAL_MS,
    refetchOnWindowFocus: "always",
    // The server has just rendered these rows.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT && error.cause !== OTHER_SCOPE,
  });
  useFollowed(queryKey, topic);
  const { refetch } = query;
  const [renewed, setRenewed] = useState<Fresh | null>(null);
  useEffect(() => {
    if (begunWith.has(initial) || wasLongAhead(location.href)) {
      void refetch().then(() => setRenewed(initial));
    }
    begunWith.add(initial);
  }, [initial, refetch]);
  const page = query.data ?? initial;
  return {
    page,
    isRefreshing: query.isFetching,
    trouble: query.error?.cause === SIGNED_OUT ? "signed-out" : query.isError ? "failed" : troubleOf(page),
    isRenewed: renewed === initial,
    refresh: () => void query.refetch(),
  };
}
