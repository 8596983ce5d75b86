"use client";

import { useQuery } from "@tanstack/react-query";
import type { CallList } from "@/lib/calls/queries";

const REFRESH_MS = 10_000;
const SIGNED_OUT = 401;

type LiveCalls = {
  list: CallList;
  isRefreshing: boolean;
  trouble: "signed-out" | "failed" | null;
  refresh: () => void;
};

/** The newest calls every ten seconds; an earlier page, and one that somebody is reading, stays as it is. */
export function useLiveCalls(address: string, initial: CallList, isStill: boolean): LiveCalls {
  const query = useQuery({
    queryKey: ["calls", address],
    queryFn: async ({ signal }): Promise<CallList> => {
      const response = await fetch(address, { signal, headers: { accept: "application/json" } });
      if (!response.ok) throw new Error(`${address} was not read`, { cause: response.status });
      return response.json();
    },
    initialData: initial,
    refetchInterval: isStill ? false : REFRESH_MS,
    refetchOnWindowFocus: isStill ? false : "always",
    staleTime: REFRESH_MS,
    gcTime: 0,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT,
  });
  return {
    list: query.data ?? initial,
    isRefreshing: query.isFetching,
    trouble: query.error?.cause === SIGNED_OUT ? "signed-out" : query.isError ? "failed" : null,
    refresh: () => void query.refetch(),
  };
}
