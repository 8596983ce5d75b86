"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useRead } from "@/components/live/use-read";
import type { AuditRow } from "@/lib/audit/view";
import { cn } from "@/components/ui/cn";
import { formatMoment } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { AuditOutcome, useActorName, useCodeName } from "./audit-words";

type SameIntentProps = { intentId: string; seq: number };

export function SameIntent({ intentId, seq }: SameIntentProps) {
  const t = useTranslations();
  const locale = useLocale();
  const nameOf = useCodeName();
  const actorName = useActorName();
  const read = useRead();
  const address = hrefWith("/api/audit/intent", { id: intentId });
  const query = useQuery({
    queryKey: ["audit-intent", address],
    queryFn: ({ signal }) => read<AuditRow[]>(address, signal),
    gcTime: 0,
    retry: 1,
  });
  return (
    <section aria-label={t("audit.sameIntent")} className="mt-3.5 border-t border-line pt-3">
      <h2 className="text-sm text-muted">{t("audit.sameIntent")}</h2>
      {query.isError ? (
        <p role="alert" className="mt-1 flex items-center gap-3 text-sm text-muted">
          {t("audit.failed")}
          <Button size="small" isBusy={query.isFetching} onClick={() => void query.refetch()}>
            {t("common.retry")}
          </Button>
        </p>
      ) : null}
      {query.data === undefined && !query.isError ? <Skeleton className="mt-1.5 h-4 w-64" /> : null}
      <ol className="mt-1 grid gap-0.5">
        {query.data?.map((row) => (
          <li
            key={row.seq}
            aria-current={row.seq === seq || undefined}
            className={cn("flex flex-wrap items-center gap-x-4 text-sm", row.seq === seq && "font-medium")}
          >
            <time dateTime={row.at} className="tabular-nums">
              {formatMoment(row.at, locale).time}
            </time>
            <span>{nameOf(row.code)}</span>
            <AuditOutcome outcome={row.outcome} />
            <span className="text-muted">{actorName(row)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
