"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useLive } from "@/components/live-provider";
import { createRefresher } from "@/components/refresher";
import { OTHER_DESK, SIGNED_OUT, useRead } from "@/components/use-read";
import type { DecisionTerms } from "@/lib/kyc/queries";

export type TermsRead = {
  /** Undefined until they are read. */
  terms: DecisionTerms | undefined;
  hasFailed: boolean;
  isReading: boolean;
  readAgain: () => void;
};

/** What is before somebody who decides a case; read again whenever the case changes under their eyes. */
export function useDecisionTerms(kycUUID: string): TermsRead {
  const read = useRead();
  const { follow } = useLive();
  const client = useQueryClient();
  const queryKey = useMemo(() => ["decision-terms", kycUUID], [kycUUID]);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read<DecisionTerms>(`/api/kyc/${encodeURIComponent(kycUUID)}/decision`, signal),
    // What somebody decides upon is read when they begin to.
    staleTime: 0,
    gcTime: 0,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT && error.cause !== OTHER_DESK,
  });
  useEffect(() => {
    const { ask, end } = createRefresher(() => void client.refetchQueries({ queryKey }));
    const unfollow = follow((heard) => {
      if (heard.kind === "reset") ask();
      if (heard.kind !== "changed" || heard.topic !== "kyc") return;
      if (heard.objects === null || heard.objects.includes(kycUUID)) ask();
    });
    return () => {
      unfollow();
      end();
    };
  }, [client, follow, kycUUID, queryKey]);
  return {
    terms: query.data,
    hasFailed: query.isError,
    isReading: query.isFetching,
    readAgain: () => void query.refetch(),
  };
}
