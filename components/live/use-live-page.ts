"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { wasLongAhead } from "@/components/layout/pages-ahead";
import { OTHER_SCOPE, SIGNED_OUT, useRead } from "@/components/session/use-read";
import type { LiveTopic } from "@/lib/live/view";
import { type Fresh, type Trouble, troubleOf } from "@/lib/text/page";
import { POLL_INTERVAL_MS, useRefetched } from "./live-provider";

type LivePage<Rows> = {
  page: Rows;
  isRefreshing: boolean;
  trouble: Trouble | null;
  /** The initial data came from an earlier visit and was read again. */
  isRenewed: boolean;
  refresh: () => void;
};

type Source<Rows> = { address: string; topic: LiveTopic; initial: Rows };

/** Initial data already used once: the back button restores it, and then it is old. */
const begunWith = new WeakSet<Fresh>();

export function useLivePage<Rows extends Fresh>({ address, topic, initial }: Source<Rows>): LivePage<Rows> {
  const read = useRead();
  const queryKey = useMemo(() => ["live", topic, address], [topic, address]);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read<Rows>(address, signal),
    initialData: initial,
    // Each answer restarts the timer.
    refetchInterval: POLL_INTERVAL_MS,
    refetchOnWindowFocus: "always",
    // The server has just rendered these rows.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT && error.cause !== OTHER_SCOPE,
  });
  useRefetched(queryKey, { topic, alsoAtEnd: true });
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
