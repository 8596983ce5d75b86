import { Webhook } from "lucide-react";
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { EmptyView } from "@/components/empty-view";
import { PageHeader } from "@/components/page-header";
import { formatTime } from "@/lib/format";
import { listSubscriptions } from "@/lib/webhooks/queries";
import { Subscriptions } from "./subscriptions";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("webhooks"))("title") };
}

async function WebhooksPage() {
  const desk = await requireDesk();
  if (!desk.permissions.includes("webhooks:read"))
    return <ForbiddenView screen="webhooks" permission="webhooks:read" />;
  const [{ rows, asOf }, t, locale] = await Promise.all([listSubscriptions(), getTranslations(), getLocale()]);
  return (
    <>
      <PageHeader title={t("webhooks.title")} lead={t("webhooks.lead")}>
        <span className="text-sm text-muted tabular-nums max-desk:hidden">
          {t("common.updatedAt", { time: formatTime(asOf, locale) })}
        </span>
      </PageHeader>
      <div className="border-t border-line">
        {rows.length === 0 ? (
          <EmptyView icon={Webhook} title={t("webhooks.emptyTitle")} body={t("webhooks.emptyBody")} />
        ) : (
          <Subscriptions subscriptions={rows} />
        )}
        <p className="px-5 py-3 text-sm text-muted">{t("webhooks.kycNote")}</p>
      </div>
    </>
  );
}

export default screen(WebhooksPage);
