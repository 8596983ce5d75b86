import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { screen } from "@/app/(console)/screen";
import { EmptyView } from "@/components/table/empty-view";
import { ClientMessages } from "@/components/layout/client-messages";
import { ReadAt } from "@/components/live/freshness";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { UnreadView } from "@/components/live/read-state";
import { StaleNotice } from "@/components/live/stale-notice";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { FIGURE_DAYS, readDays } from "@/lib/text/filter-minute";
import { hrefWith } from "@/lib/text/page";
import { getFigures } from "@/lib/kyc/queries";
import { troubleOf } from "@/lib/text/page";
import { ChartNoAxesColumn } from "lucide-react";
import { ReadSoFar } from "@/app/(console)/kyc/read-so-far";
import { AgeChart } from "./day-chart";
import { DayChart } from "./day-chart";
import { HeadFigures } from "./people-table";
import { PeopleTable } from "./people-table";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("kycFigures"))("title") };
}

async function FiguresPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const days = readDays((await searchParams)["days"]);
  const [figures, t, kyc] = await Promise.all([
    getFigures(days),
    getTranslations("kycFigures"),
    getTranslations("kyc"),
  ]);
  const periods = FIGURE_DAYS.map((count) => ({
    href: hrefWith("/kyc/figures", { days: count === FIGURE_DAYS[0] ? null : count }),
    label: t("days", { count }),
    isCurrent: count === days,
  }));
  const isEmpty = figures.open === 0 && figures.decided.total === 0 && figures.people.length === 0;
  const trouble = troubleOf(figures);
  const isUnread = isEmpty && (figures.asOf === null || figures.failure !== null);
  return (
    <ClientMessages namespaces={[]}>
      <LiveRefresh topics={["kyc"]} tellsFreshness />
      <PageHeader title={t("title")} parent={{ href: "/kyc", label: kyc("title") }}>
        <span className="text-sm text-muted tabular-nums max-desk:hidden">
          <ReadAt asOf={figures.asOf} wasTried={figures.failure !== null || !isEmpty} />
        </span>
        <ChoiceLinks label={t("period")} choices={periods} />
      </PageHeader>
      {trouble === null || isUnread ? null : <StaleNotice fresh={figures} trouble={trouble} />}
      {figures.asOf === null ? null : <ReadSoFar count={figures.readSoFar} />}
      <HeadFigures figures={figures} days={days} />
      {isUnread ? (
        <UnreadView fresh={figures} icon={ChartNoAxesColumn} />
      ) : isEmpty ? (
        <EmptyView icon={ChartNoAxesColumn} title={t("emptyTitle")} body={t("emptyBody")} />
      ) : (
        <div className="grid gap-x-8 border-t border-line xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <DayChart days={figures.perDay} />
          {figures.asOf === null && figures.open === 0 ? (
            <UnreadView fresh={figures} icon={ChartNoAxesColumn} />
          ) : (
            <AgeChart ages={figures.ages} open={figures.open} />
          )}
          <div className="xl:col-span-2">
            <PeopleTable people={figures.people} days={days} />
          </div>
        </div>
      )}
    </ClientMessages>
  );
}

export default screen(FiguresPage);
