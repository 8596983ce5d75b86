"use client";

import { useQuery } from "@tanstack/react-query";
import type { Page } from "@/lib/page";

const REFRESH_MS = 15_000;

const SIGNED_OUT = 401;

type LivePage<Rows> = {
  page: Rows;
  isRefreshing: boolean;
  /** Why the rows may be old: the session ended, or the last refresh failed. */
  trouble: "signed-out" | "failed" | null;
  refresh: () => void;
};

async function readPage<Rows>(address: string, signal: AbortSignal): Promise<Rows> {
  const response = await fetch(address, { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${address} was not read`, { cause: response.status });
  return response.json();
}

/**
 * Rows that are already in the page and keep themselves fresh: every 15 seconds, and when the window is looked at again.
 * `address` is the route that runs the same query as the page did.
 */
export function useLivePage<Rows extends Page<unknown>>(address: string, initial: Rows): LivePage<Rows> {
  const query = useQuery({
    queryKey: ["live", address],
    queryFn: ({ signal }) => readPage<Rows>(address, signal),
    initialData: initial,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: "always",
    // The server has just rendered these rows; and the next visit brings its own.
    staleTime: REFRESH_MS,
    gcTime: 0,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT,
  });
  const page = query.data ?? initial;
  return {
    page,
    isRefreshing: query.isFetching,
    trouble: query.error?.cause === SIGNED_OUT ? "signed-out" : query.isError || page.isStale ? "failed" : null,
    refresh: () => void query.refetch(),
  };
}
