import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { ReadAt } from "@/components/freshness/freshness";
import { SectionBoundary, UnreadSection } from "@/components/freshness/section-boundary";
import { EmptyView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { listChanges } from "@/lib/conformance/queries";
import type { Changes } from "@/lib/conformance/view";
import { readOrDigest } from "@/lib/errors/attempt";
import { type FigureDays, FIGURE_DAYS, readDays } from "@/lib/text/filter";
import { formatCount } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { ChangeTable } from "./change-table";
import { ProviderTabs } from "./provider-tabs";
import { RowsSkeleton } from "./rows-skeleton";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("provider"))("title") };
}

type ShownChanges = { changes: Changes; days: number };

function Rows({ changes: { rows, compared, hasMore }, days }: ShownChanges) {
  const t = useTranslations("conformance");
  const locale = useLocale();
  if (compared === 0) return <EmptyView icon="scale" title={t("emptyTitle")} body={t("emptyBody")} />;
  if (rows.length === 0)
    return <EmptyView icon="circle-check" title={t("soundTitle")} body={t("soundBody", { count: compared, days })} />;
  return (
    <>
      <ChangeTable rows={rows} />
      {hasMore ? (
        <p className="px-5 pt-3 text-sm text-muted">{t("more", { count: formatCount(rows.length, locale) })}</p>
      ) : null}
    </>
  );
}

function Shown({ changes, days }: ShownChanges) {
  const t = useTranslations("conformance");
  const { rows, compared, asOf } = changes;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-line px-5 py-2 text-sm text-muted tabular-nums">
        <p>{compared === 0 ? null : t("compared", { count: compared, rows: rows.length, days })}</p>
        <ReadAt asOf={asOf} />
      </div>
      <Rows changes={changes} days={days} />
      <p className="px-5 py-3 text-sm text-muted">{t("note")}</p>
    </>
  );
}

async function ChangeList({ days }: { days: FigureDays }) {
  const read = await readOrDigest(listChanges(days));
  return read.ok ? <Shown changes={read.data} days={days} /> : <UnreadSection digest={read.digest} said={read.said} />;
}

async function ProviderPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("audit:read")) return <ForbiddenView screen="provider" />;
  const days = readDays((await searchParams)["days"]);
  const t = await getTranslations();
  const choices = FIGURE_DAYS.map((one) => ({
    href: hrefWith("/provider", { days: one }),
    label: t("conformance.days.last", { days: one }),
    isCurrent: one === days,
  }));
  return (
    <>
      <PageHeader title={t("provider.title")} lead={t("conformance.lead")}>
        <ChoiceLinks label={t("conformance.days.label")} choices={choices} />
      </PageHeader>
      <ProviderTabs current="changes" mayExplore={scope.permissions.includes("explorer:use")} />
      <SectionBoundary>
        <Suspense key={days} fallback={<RowsSkeleton />}>
          <ChangeList days={days} />
        </Suspense>
      </SectionBoundary>
    </>
  );
}

export default screen("app/(console)/provider/page", ProviderPage);
