"use client";

import { useQuery } from "@tanstack/react-query";
import type { Page } from "@/lib/page";

const REFRESH_MS = 15_000;

type LivePage<Rows> = { page: Rows; isRefreshing: boolean; hasFailed: boolean; refresh: () => void };

async function readPage<Rows>(address: string, signal: AbortSignal): Promise<Rows> {
  const response = await fetch(address, { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
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
    retry: 1,
  });
  const page = query.data ?? initial;
  return {
    page,
    isRefreshing: query.isFetching,
    hasFailed: query.isError || page.isStale,
    refresh: () => void query.refetch(),
  };
}
