"use client";

import { useEffect } from "react";
import type { LiveTopic } from "@/lib/live/view";
import { type Fresh, type Trouble, troubleOf } from "@/lib/text/page";
import { useIsLive, useLive } from "./live-provider";
import { createRefresher } from "./refresher";
import { OTHER_SCOPE, SIGNED_OUT, useRead } from "./use-read";
import { useQuery } from "./use-query";

/** An open stream without any news of freshness. */
const SILENT_MS = 90_000;
const LOOK_EVERY_MS = 60_000;

type LivePage<Rows> = {
  page: Rows;
  isRefreshing: boolean;
  trouble: Trouble | null;
  refresh: () => void;
};

type Source<Rows> = {
  address: string;
  topic: LiveTopic;
  initial: Rows;
};

const newer = <Rows extends Fresh>(page: Rows, asOf: string): Rows =>
  (page.asOf ?? "") >= asOf ? page : { ...page, asOf, isStale: false, failure: null };

type Followed<Rows> = { refetch: () => Promise<void>; update: (change: (page: Rows) => Rows) => void };

function useFollowed<Rows extends Fresh>({ refetch, update }: Followed<Rows>, topic: LiveTopic): void {
  const { follow } = useLive();
  useEffect(() => {
    const { ask, isDue, end } = createRefresher(() => void refetch());
    const unfollow = follow((heard) => {
      if (heard.kind === "reset" || heard.kind === "ended") ask();
      if (heard.kind === "changed" && heard.topic === topic) ask();
      if (heard.kind !== "fresh" || heard.topic !== topic || isDue()) return;
      update((page) => newer(page, heard.asOf));
    });
    return () => {
      unfollow();
      end();
    };
  }, [refetch, update, follow, topic]);
}

/** What a page began with once: the browser's way back begins with it again, and it is old then. */
const begunWith = new WeakSet<Fresh>();

export function useLivePage<Rows extends Fresh>({ address, topic, initial }: Source<Rows>): LivePage<Rows> {
  const read = useRead();
  const isUp = useIsLive();
  const query = useQuery({
    queryKey: [topic, address],
    queryFn: ({ signal }) => read<Rows>(address, signal),
    initialData: initial,
    // Each answer and each event restarts the timer.
    refetchInterval: isUp ? SILENT_MS : LOOK_EVERY_MS,
    refetchOnWindowFocus: "always",
    // The server has just rendered these rows.
    staleTime: Number.POSITIVE_INFINITY,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT && error.cause !== OTHER_SCOPE,
  });
  const { refetch } = query;
  useFollowed(query, topic);
  useEffect(() => {
    if (begunWith.has(initial)) void refetch();
    begunWith.add(initial);
  }, [initial, refetch]);
  const page = query.data;
  return {
    page,
    isRefreshing: query.isFetching,
    trouble: query.error?.cause === SIGNED_OUT ? "signed-out" : query.isError ? "failed" : troubleOf(page),
    refresh: () => void query.refetch(),
  };
}
