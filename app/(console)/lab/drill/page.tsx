import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CsvLink } from "@/components/table/csv-link";
import { isLabOpen } from "@/lib/lab/queries";
import { hrefWith } from "@/lib/text/page";
import { DrillFilter } from "@/lib/webhooks/inputs";
import { getDrillSheet } from "@/lib/webhooks/queries";
import { LostEvents } from "./lost-events";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("drill"))("title") };
}

async function DrillPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  if (!isLabOpen()) notFound();
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) return <ForbiddenView screen="lab" />;
  const filter = DrillFilter.parse(await searchParams);
  const [sheet, t] = await Promise.all([getDrillSheet(filter), getTranslations()]);
  if (filter.drill !== undefined && sheet.drill === null) notFound();
  const exported = hrefWith("/api/exports/drill", { drill: sheet.drill?.id, scope: scope.id });
  return (
    <>
      <LiveRefresh topics={["webhooks"]} everyMinute />
      <PageHeader title={t("drill.title")} lead={t("drill.lead")} parent={{ href: "/lab", label: t("lab.title") }} />
      <LostEvents sheet={sheet} csv={<CsvLink href={exported} label={t("drill.export")} />} />
    </>
  );
}

export default screen("app/(console)/lab/drill/page", DrillPage);
