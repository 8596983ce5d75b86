import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { requireDesk } from "@/app/(console)/desk";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/client-messages";
import { PageHeader } from "@/components/page-header";
import { SectionBoundary } from "@/components/section-boundary";
import { listReceived } from "@/lib/webhooks/queries";
import { ReceivedFilter } from "@/lib/webhooks/rules";
import { Received } from "./received";
import { SubscriptionList, SubscriptionsSkeleton } from "./subscription-list";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("webhooks"))("title") };
}

async function WebhooksPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const desk = await requireDesk();
  if (!desk.permissions.includes("webhooks:read"))
    return <ForbiddenView screen="webhooks" permission="webhooks:read" />;
  const filter = ReceivedFilter.parse(await searchParams);
  const [received, t] = await Promise.all([listReceived(filter), getTranslations()]);
  return (
    <>
      <PageHeader title={t("webhooks.title")} lead={t("webhooks.lead")} />
      <section aria-label={t("webhooks.subscriptions")} className="border-t border-line">
        <SectionBoundary>
          <Suspense fallback={<SubscriptionsSkeleton />}>
            <SubscriptionList />
          </Suspense>
        </SectionBoundary>
      </section>
      <section aria-labelledby="received">
        <div className="px-5 pt-6 pb-2">
          <h2 id="received" className="font-semibold">
            {t("received.title")}
          </h2>
          <p className="text-sm text-muted">{t("received.lead")}</p>
        </div>
        <ClientMessages namespaces={["received", "webhooks"]}>
          <Received key={JSON.stringify(filter)} initial={received} filter={filter} />
        </ClientMessages>
      </section>
    </>
  );
}

export default screen(WebhooksPage);
