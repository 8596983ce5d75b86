"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ShownFields } from "@/components/unread-records";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useRead } from "@/components/use-read";
import type { ShownBody } from "@/lib/shown-body";

/** What one delivery said, read when it is opened. */
export function ReceivedBody({ id }: { id: string }) {
  const t = useTranslations();
  const read = useRead();
  const address = `/api/webhooks/${id}`;
  const query = useQuery({
    queryKey: ["webhook", address],
    queryFn: ({ signal }) => read<ShownBody | null>(address, signal),
    gcTime: 0,
    retry: 1,
  });
  return (
    <section aria-label={t("received.body")} className="mt-3.5 border-t border-line pt-3">
      <h3 className="text-sm text-muted">
        {t("received.body")} <span className="text-faint">· {t("received.bodyNote")}</span>
      </h3>
      {query.isError ? (
        <p role="alert" className="mt-1 flex items-center gap-3 text-sm text-muted">
          {t("received.bodyFailed")}
          <Button size="small" isBusy={query.isFetching} onClick={() => void query.refetch()}>
            {t("common.retry")}
          </Button>
        </p>
      ) : null}
      {query.data === undefined && !query.isError ? <Skeleton className="mt-1.5 h-4 w-64" /> : null}
      {query.data === null ? <p className="mt-1 text-sm text-muted">{t("received.bodyGone")}</p> : null}
      {query.data ? <ShownFields body={query.data} /> : null}
    </section>
  );
}
