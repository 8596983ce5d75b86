import { Webhook } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { EmptyView } from "@/components/empty-view";
import { UnreadRecords } from "@/components/unread-records";
import { Skeleton } from "@/components/ui/skeleton";
import { formatTime } from "@/lib/format";
import { listSubscriptions } from "@/lib/webhooks/queries";
import { Subscriptions } from "./subscriptions";

/** What is registered with the provider, as it says now. */
export async function SubscriptionList() {
  const [{ rows, unread, asOf }, t, locale] = await Promise.all([listSubscriptions(), getTranslations(), getLocale()]);
  return (
    <>
      {rows.length > 0 ? <Subscriptions subscriptions={rows} /> : null}
      {rows.length === 0 && unread.length === 0 ? (
        <EmptyView icon={Webhook} title={t("webhooks.emptyTitle")} body={t("webhooks.emptyBody")} />
      ) : null}
      <UnreadRecords records={unread} />
      <p className="flex flex-wrap gap-x-4 px-5 py-3 text-sm text-muted">
        <span>{t("webhooks.kycNote")}</span>
        <span className="tabular-nums">{t("common.updatedAt", { time: formatTime(asOf, locale) })}</span>
      </p>
    </>
  );
}

/** Its place while the provider is asked: a head, a row and the line below. */
export function SubscriptionsSkeleton() {
  return (
    <div aria-hidden>
      <div className="h-8 border-b border-line" />
      <div className="flex h-16 items-center gap-6 border-b border-line px-5">
        <Skeleton className="h-3.5 w-16" />
        <Skeleton className="h-3.5 w-1/3" />
        <Skeleton className="h-3.5 w-1/4" />
      </div>
      <div className="px-5 py-3">
        <Skeleton className="h-3.5 w-72" />
      </div>
    </div>
  );
}
