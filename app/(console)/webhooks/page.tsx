import type { Metadata } from "next";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Suspense } from "react";
import { requireScope, screen } from "@/app/(console)/screen";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { PageHeader } from "@/components/layout/page-header";
import { SectionBoundary, UnreadSection } from "@/components/freshness/section-boundary";
import { EmptyView } from "@/components/layout/empty-view";
import { UnreadRecords } from "@/components/table/unread-records";
import { Skeleton } from "@/components/ui/skeleton";
import { readOrDigest } from "@/lib/errors/attempt";
import { listArrivals, listReceived, listSubscriptions } from "@/lib/webhooks/queries";
import { ReceivedFilter } from "@/lib/webhooks/inputs";
import { CsvLink } from "@/components/table/csv-link";
import { savedViews } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { buttonClass } from "@/components/ui/button";
import { Arrivals } from "./arrivals";
import { Received } from "./received";
import { OwnAddress, Subscriptions } from "./subscriptions";

async function SubscriptionList() {
  const [read, t] = await Promise.all([readOrDigest(listSubscriptions()), getTranslations()]);
  if (!read.ok) return <UnreadSection digest={read.digest} said={read.said} />;
  const { rows, unread, ownAddress } = read.data;
  return (
    <>
      {rows.length > 0 ? <Subscriptions subscriptions={rows} ownAddress={ownAddress} /> : null}
      {rows.length === 0 && unread.length === 0 ? (
        <EmptyView icon="hook" title={t("webhooks.emptyTitle")} body={t("webhooks.emptyBody")}>
          <OwnAddress address={ownAddress} />
        </EmptyView>
      ) : null}
      <UnreadRecords records={unread} />
      <p className="px-5 py-3 text-sm text-muted">{t("webhooks.kycNote")}</p>
    </>
  );
}

function SubscriptionsSkeleton() {
  const t = useTranslations("common");
  return (
    <div aria-busy>
      <p className="sr-only" aria-live="polite">
        {t("loading")}
      </p>
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

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("webhooks"))("title") };
}

async function WebhooksPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("webhooks:read")) return <ForbiddenView screen="webhooks" />;
  const asked = await searchParams;
  const filter = ReceivedFilter.parse(asked);
  const saved = await savedViews.webhooks();
  const own = saved.find(({ isDefault }) => isDefault);
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/webhooks?${own.search}`);
  const [received, arrivals, t] = await Promise.all([listReceived(filter), listArrivals(), getTranslations()]);
  return (
    <>
      <PageHeader title={t("webhooks.title")} lead={t("webhooks.lead")}>
        <Link href="/webhooks/missing" prefetch={false} className={buttonClass("plain")}>
          {t("missing.title")}
        </Link>
      </PageHeader>
      <section aria-label={t("webhooks.subscriptions")} className="border-t border-line">
        <SectionBoundary>
          <Suspense fallback={<SubscriptionsSkeleton />}>
            <SubscriptionList />
          </Suspense>
        </SectionBoundary>
        <Arrivals initial={arrivals} />
      </section>
      <section aria-labelledby="received">
        <div className="px-5 pt-6 pb-2">
          <h2 id="received" className="font-semibold">
            {t("received.title")}
          </h2>
          <p className="text-sm text-muted">{t("received.lead")}</p>
        </div>
        <Received
          key={JSON.stringify(filter)}
          initial={received}
          filter={filter}
          saved={saved}
          csv={
            <CsvLink
              href={hrefWith("/api/exports/webhooks", { ...filter, scope: scope.id })}
              label={t("received.export")}
            />
          }
          seesWallets={scope.permissions.includes("wallets:read")}
          replayDenial={await deniedReason(scope.permissions, "webhooks:replay")}
        />
      </section>
    </>
  );
}

export default screen("app/(console)/webhooks/page", WebhooksPage);
