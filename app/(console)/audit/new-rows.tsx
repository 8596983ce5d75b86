"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useLive } from "@/components/live-provider";
import { StaleNotice } from "@/components/stale-notice";
import { SIGNED_OUT, useQuietRead } from "@/components/use-read";
import type { AuditFilter } from "@/lib/audit/rules";
import { hrefWith } from "@/lib/href";

const LOOK_MS = 30_000;
/** As many as the server counts. */
const MOST = 100;

type NewRowsProps = { filter: Omit<AuditFilter, "before" | "after">; newest: number };

/** How many rows came since the page was opened; they are shown when the reader asks for them. */
export function NewRows({ filter, newest }: NewRowsProps) {
  const t = useTranslations("audit");
  const router = useRouter();
  const read = useQuietRead();
  const { follow } = useLive();
  const address = hrefWith("/api/audit/new", { ...filter, after: newest || undefined });
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ["audit-new", address],
    queryFn: ({ signal }) => read<{ count: number }>(address, signal),
    refetchInterval: LOOK_MS,
    gcTime: 0,
    retry: (failures, cause) => failures < 1 && cause.cause !== SIGNED_OUT,
  });
  useEffect(
    () => follow((heard) => heard.kind === "changed" && heard.topic === "audit" && void refetch()),
    [follow, refetch],
  );
  if (error !== null) {
    const asOf = dataUpdatedAt === 0 ? null : new Date(dataUpdatedAt).toISOString();
    return <StaleNotice fresh={{ asOf }} trouble={error.cause === SIGNED_OUT ? "signed-out" : "failed"} />;
  }
  const count = data?.count ?? 0;
  return (
    <p aria-live="polite" className={count === 0 ? "sr-only" : "border-b border-line px-5 py-1.5"}>
      {count === 0 ? null : (
        <button
          type="button"
          onClick={() => router.refresh()}
          className="inline-flex min-h-6 items-center gap-1.5 text-sm font-medium text-accent hover:underline"
        >
          <ArrowUp aria-hidden size={13} />
          {count >= MOST ? t("newMany", { count: MOST }) : t("newRows", { count })}
        </button>
      )}
    </p>
  );
}
