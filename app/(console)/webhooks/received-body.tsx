"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/provider-text";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useRead } from "@/components/use-read";
import { cn } from "@/lib/cn";
import type { ShownBody } from "@/lib/webhooks/queries";

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
      {query.data ? <Fields body={query.data} /> : null}
    </section>
  );
}

function Fields({ body: { fields, more } }: { body: ShownBody }) {
  const t = useTranslations("received");
  if (fields.length === 0) return <p className="mt-1 text-sm text-muted">{t("bodyEmpty")}</p>;
  return (
    <>
      <dl className="mt-1.5 grid gap-x-6 gap-y-0.5 font-mono text-sm sm:grid-cols-[minmax(9rem,max-content)_1fr]">
        {fields.map(({ path, value, isMasked }, place) => (
          <div key={`${place} ${path}`} className="contents">
            <dt className="text-muted wrap-anywhere">{path === "" ? t("wholeBody") : <ProviderText text={path} />}</dt>
            <dd className={cn("wrap-anywhere whitespace-pre-wrap max-sm:pl-3", isMasked && "text-muted")}>
              <ProviderText text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {more === 0 ? null : <p className="mt-1.5 text-sm text-muted">{t("bodyMore", { count: more })}</p>}
    </>
  );
}
