"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { useLive } from "@/components/live-provider";
import { createRefresher } from "@/components/refresher";
import { useQuietRead } from "@/components/use-read";
import type { Owed } from "@/lib/approvals/queries";

const QUERY_KEY = ["approvals", "owed"];

/** How many proposals wait for this person, and how many of their own came to an end that they have not seen. */
export function OwedBadge() {
  const t = useTranslations("owed");
  const read = useQuietRead();
  const client = useQueryClient();
  const { follow } = useLive();
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => read<Owed>("/api/approvals/owed", signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
    retry: false,
  });

  useEffect(() => {
    const { ask, end } = createRefresher(() => void client.refetchQueries({ queryKey: QUERY_KEY }));
    const unfollow = follow((heard) => {
      if (heard.kind === "reset" || (heard.kind === "changed" && heard.topic === "approvals")) ask();
    });
    return () => {
      unfollow();
      end();
    };
  }, [client, follow]);

  const count = data === undefined ? 0 : data.toDecide + data.news + data.toComplete;
  if (count === 0) return null;
  return (
    <span className="ml-auto rounded-full bg-accent px-1.5 text-xs font-medium text-accent-ink tabular-nums">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t("count", { count })}</span>
    </span>
  );
}
