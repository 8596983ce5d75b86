import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { CsvLink } from "@/components/table/csv-link";
import { hrefWith } from "@/lib/text/page";
import { RefusedFilter } from "@/lib/webhooks/inputs";
import { listRefused } from "@/lib/webhooks/queries";
import { RefusedDeliveries } from "./refused-deliveries";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("refusedDeliveries"))("title") };
}

async function RefusedPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("webhooks:read")) return <ForbiddenView screen="webhooks" />;
  const filter = RefusedFilter.parse(await searchParams);
  const [initial, t] = await Promise.all([listRefused(filter), getTranslations()]);
  const exported = hrefWith("/api/exports/webhooks/refused", { ...filter, scope: scope.id });
  return (
    <>
      <PageHeader
        title={t("refusedDeliveries.title")}
        lead={t("refusedDeliveries.lead")}
        parent={{ href: "/webhooks", label: t("webhooks.title") }}
      />
      <RefusedDeliveries
        key={JSON.stringify(filter)}
        initial={initial}
        filter={filter}
        csv={<CsvLink href={exported} label={t("refusedDeliveries.export")} />}
      />
    </>
  );
}

export default screen("app/(console)/webhooks/refused/page", RefusedPage);
