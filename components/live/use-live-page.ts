"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { LiveTopic } from "@/lib/live/view";
import { type Fresh, type Trouble, troubleOf } from "@/lib/text/page";
import { useIsLive, useLive } from "./live-provider";
import { createRefresher } from "./refresher";
import { OTHER_DESK, SIGNED_OUT, useRead } from "./use-read";

/** A stream that stands but tells nothing: its word of how fresh the rows are is late by then. */
const SILENT_MS = 90_000;
/** Without a stream the rows are looked at every so often. */
const LOOK_EVERY_MS = 60_000;

type LivePage<Rows> = {
  page: Rows;
  isRefreshing: boolean;
  trouble: Trouble | null;
  refresh: () => void;
};

type Source<Rows> = {
  /** The route that runs the same query as the page did. */
  address: string;
  /** Whose changes let it be read again. */
  topic: LiveTopic;
  initial: Rows;
};

const newer = (page: Fresh | undefined, asOf: string) =>
  page === undefined || (page.asOf ?? "") >= asOf ? page : { ...page, asOf, isStale: false, failure: null };

/** Reads the rows again when they changed; when a look found them unchanged they are as fresh as that look. */
function useFollowed(queryKey: readonly string[], topic: LiveTopic): void {
  const { follow } = useLive();
  const client = useQueryClient();
  useEffect(() => {
    const { ask, isDue, end } = createRefresher(() => void client.refetchQueries({ queryKey }));
    const unfollow = follow((heard) => {
      if (heard.kind === "reset" || heard.kind === "ended") ask();
      if (heard.kind === "changed" && heard.topic === topic) ask();
      if (heard.kind !== "fresh" || heard.topic !== topic || isDue()) return;
      const state = client.getQueryState(queryKey);
      if (state?.status !== "success" || state.fetchStatus !== "idle") return;
      client.setQueryData(queryKey, (page: Fresh | undefined) => newer(page, heard.asOf));
    });
    return () => {
      unfollow();
      end();
    };
  }, [client, follow, queryKey, topic]);
}

/** Rows that are already in the page and keep themselves fresh: when they change, and when the window is looked at again. */
export function useLivePage<Rows extends Fresh>({ address, topic, initial }: Source<Rows>): LivePage<Rows> {
  const read = useRead();
  const isUp = useIsLive();
  const queryKey = useMemo(() => ["live", topic, address], [topic, address]);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read<Rows>(address, signal),
    initialData: initial,
    // Each answer, and each word of the stream that the rows are fresh, begins the time anew.
    refetchInterval: isUp ? SILENT_MS : LOOK_EVERY_MS,
    refetchOnWindowFocus: "always",
    // The server has just rendered these rows; and the next visit brings its own.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT && error.cause !== OTHER_DESK,
  });
  useFollowed(queryKey, topic);
  const page = query.data ?? initial;
  return {
    page,
    isRefreshing: query.isFetching,
    trouble: query.error?.cause === SIGNED_OUT ? "signed-out" : query.isError ? "failed" : troubleOf(page),
    refresh: () => void query.refetch(),
  };
}
