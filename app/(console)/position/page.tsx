import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { redirect } from "next/navigation";
import { requireScope, screen } from "@/app/(console)/screen";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { DateFilter } from "@/components/form/date-field";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { UnreadView } from "@/components/freshness/read-state";
import { StaleNotice } from "@/components/freshness/stale-notice";
import { EmptyView } from "@/components/layout/empty-view";
import { Button, buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import { NarrowFold } from "@/components/ui/narrow-fold";
import {
  getPosition,
  listChanges,
  listFlow,
  listGroupLine,
  listLine,
  listParts,
  type Position,
} from "@/lib/position/queries";
import { ChosenGroup, keyValues, OpenedSum, PositionFilter } from "@/lib/position/inputs";
import { figuresOf, groupToDraw, idOfSum } from "@/lib/position/view";
import { formatDate } from "@/lib/text/format";
import { hrefWith, troubleOf } from "@/lib/text/page";
import { civilDaysAgo } from "@/lib/text/time";
import { Figures } from "./figures";
import { GroupLine } from "./group-line";
import { ImportRates } from "./import-rates";
import { OpenedSumSection } from "./opened-sum";
import { ReadAgainButton } from "./read-again-button";
import { RoundProgress } from "./round-progress";
import { SumsTable } from "./sums-table";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("position"))("title") };
}

type DaysFormProps = Pick<Position, "day" | "against"> & { isChosen: boolean };

async function DaysForm({ day, against, isChosen }: DaysFormProps) {
  const t = await getTranslations("position");
  return (
    <form action="/position" className="flex flex-wrap items-end gap-3 px-5 py-3">
      <DateFilter name="day" label={t("day")} value={day} last={civilDaysAgo(0)} isRequired />
      <DateFilter name="against" label={t("against")} value={against ?? undefined} last={civilDaysAgo(0)} />
      {isChosen || against === null ? null : <input type="hidden" name="unchosen" value={against} />}
      <Button type="submit">{t("show")}</Button>
    </form>
  );
}

type NoSumsProps = { position: Position; isDayAsked: boolean };

async function NoSums({ position, position: { listed, failure, round }, isDayAsked }: NoSumsProps) {
  const t = await getTranslations("position");
  if (listed !== null && listed > 0 && failure === null)
    return <EmptyView icon="chart-no-axes-column" title={t("noneTitle")} body={t("listed", { count: listed })} />;
  if (round === null && !isDayAsked) return <UnreadView fresh={position} icon="chart-no-axes-column" />;
  return (
    <EmptyView
      icon="chart-no-axes-column"
      title={t(round?.total === 0 ? "noneTitle" : "emptyTitle")}
      body={t(round?.total === 0 ? "noneBody" : "emptyBody")}
    />
  );
}

const BESIDE = "@max-wide:invisible [&_:is(a,button)]:scroll-mt-40";

const pageOf = (value: unknown): number => {
  const page = Number(value);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
};

async function PositionPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="position" />;
  const asked = await searchParams;
  const filter = PositionFilter.parse(asked);
  if (asked["unchosen"] !== undefined) redirect(hrefWith("/position", filter));
  const opened = OpenedSum.parse(asked);
  const [position, t, locale, rateDenial] = await Promise.all([
    getPosition(filter),
    getTranslations("position"),
    getLocale(),
    deniedReason(scope.permissions, "position:rate"),
  ]);
  const { day, against, againstMoment, round, sums } = position;
  const group = ChosenGroup.parse(asked) ?? groupToDraw(figuresOf(sums));
  const [groupLine, line, parts, flow, changes] = await Promise.all([
    group === null ? null : listGroupLine({ group, day }),
    opened === null ? [] : listLine({ key: opened, day }),
    opened === null ? null : listParts({ key: opened, day, page: pageOf(asked["page"]) }),
    opened === null ? null : listFlow({ key: opened, day }),
    opened === null || against === null ? null : listChanges({ key: opened, day, against }),
  ]);
  const progress = round === null || round.total === 0 ? null : <RoundProgress position={position} round={round} />;
  const figures = opened === null ? null : (sums.find((sum) => idOfSum(sum) === idOfSum(opened)) ?? null);
  const trouble = troubleOf(position);
  const hrefOf = (values: Record<string, string | number>) =>
    hrefWith("/position", {
      day: filter.day,
      against: filter.against,
      group: asked["group"] === undefined ? null : group,
      ...values,
    });
  return (
    <>
      <LiveRefresh topics={["position"]} everyMinute />
      <PageHeader title={t("title")} lead={t("lead")}>
        <a
          href={hrefWith("/api/exports/position", { day, against, scope: scope.id })}
          download
          aria-label={t("export")}
          className={buttonClass("plain")}
        >
          <Icon of="download" size={14} />
          CSV
        </a>
        <ImportRates denial={rateDenial} />
      </PageHeader>
      {trouble === null || round === null ? null : <StaleNotice fresh={position} trouble={trouble} />}
      <div className={cn("grid", opened !== null && "@wide:grid-cols-[minmax(0,1fr)_27rem]")}>
        <div className={cn("@container min-w-0 [grid-area:1/1]", opened !== null && BESIDE)}>
          <NarrowFold
            summary={
              against === null
                ? t("onDay", { day: formatDate(day, locale) })
                : t("onDays", { day: formatDate(day, locale), against: formatDate(against, locale) })
            }
            below="medium"
            startsOpen={(["day", "against"] as const).some((name) => asked[name] && asked[name] !== filter[name])}
            className="w-full px-5 pb-3"
          >
            <div className="flex flex-wrap items-end justify-between gap-x-3">
              <DaysForm key={`${day} ${against}`} day={day} against={against} isChosen={filter.against !== undefined} />
              {day !== civilDaysAgo(0) || round === null || round.total === 0 ? null : (
                <div className="px-5 pb-3">
                  <ReadAgainButton day={day} cost={position.againCost} denial={rateDenial} />
                </div>
              )}
            </div>
          </NarrowFold>
          {sums.length > 0 ? (
            <>
              {/* In a narrow window the figures stand before what is said of them. */}
              <div className="flex flex-col-reverse @medium:contents">
                {progress}
                <Figures
                  position={position}
                  chosen={group}
                  hrefOf={(one) => hrefOf({ group: one })}
                  isBeside={opened !== null}
                />
              </div>
              {group === null || groupLine === null ? null : (
                <GroupLine group={group} position={position} line={groupLine} />
              )}
              <SumsTable
                position={position}
                rateDenial={rateDenial}
                opened={opened}
                hrefOf={(key) => hrefOf(keyValues(key))}
              />
            </>
          ) : (
            <>
              {progress}
              <NoSums position={position} isDayAsked={filter.day !== undefined} />
            </>
          )}
        </div>
        {opened === null || parts === null || flow === null ? null : (
          <OpenedSumSection
            key={idOfSum(opened)}
            sum={opened}
            day={day}
            tellsOwn={position.tellsOwn}
            line={line}
            parts={parts}
            flow={flow}
            changed={changes === null || against === null ? null : { against, againstMoment, figures, changes }}
            hrefOf={(page) => `${hrefOf({ ...keyValues(opened), page })}#position-parts`}
            closeHref={hrefOf({})}
          />
        )}
      </div>
    </>
  );
}

export default screen("app/(console)/position/page", PositionPage);
