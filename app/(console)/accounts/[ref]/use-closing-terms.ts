"use client";

import { useQuery } from "@tanstack/react-query";
import { OTHER_DESK, SIGNED_OUT, useRead } from "@/components/live/use-read";
import type { ClosingTerms } from "@/lib/accounts/view";

export type ClosingTermsRead = {
  /** Undefined until they are read; never those of an earlier reading. */
  terms: ClosingTerms | undefined;
  /** Whether the policy asks for a second person, by the last reading. */
  needsApproval: boolean;
  hasFailed: boolean;
  readAgain: () => void;
};

/** What stands before closing the account, read from the provider as the dialog opens. */
export function useClosingTerms(accountRef: string): ClosingTermsRead {
  const read = useRead();
  const query = useQuery({
    queryKey: ["closing-terms", accountRef],
    queryFn: ({ signal }) => read<ClosingTerms>(`/api/accounts/${accountRef}/closing`, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT && error.cause !== OTHER_DESK,
  });
  return {
    terms: query.isFetching ? undefined : query.data,
    needsApproval: query.data?.needsApproval ?? true,
    hasFailed: query.isError && !query.isFetching,
    readAgain: () => void query.refetch(),
  };
}
