"use client";

import { useQuery } from "@tanstack/react-query";
import { SIGNED_OUT, useRead } from "@/components/use-read";
import type { CallList } from "@/lib/calls/queries";

const REFRESH_MS = 10_000;

type LiveCalls = {
  list: CallList;
  isRefreshing: boolean;
  trouble: "signed-out" | "failed" | null;
  refresh: () => void;
};

/** The newest calls every ten seconds; an earlier page, and one that somebody is reading, stays as it is. */
export function useLiveCalls(address: string, initial: CallList, isStill: boolean): LiveCalls {
  const read = useRead();
  const query = useQuery({
    queryKey: ["calls", address],
    queryFn: ({ signal }) => read<CallList>(address, signal),
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
