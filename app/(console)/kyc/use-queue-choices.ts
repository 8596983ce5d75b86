"use client";

import { useQuery } from "@tanstack/react-query";
import { useRead } from "@/components/use-read";
import type { QueueChoices } from "@/lib/kyc/queries";

/** Whom the filters and the bulk changes can name, and the tags in use; read when somebody opens them. */
export function useQueueChoices() {
  const read = useRead();
  return useQuery({
    queryKey: ["kyc-choices"],
    queryFn: ({ signal }) => read<QueueChoices>("/api/kyc/choices", signal),
    staleTime: 60_000,
  });
}
