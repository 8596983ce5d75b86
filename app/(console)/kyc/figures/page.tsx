import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { RecordSection } from "@/components/layout/record-columns";
import { type Columns, DataTable } from "@/components/table/data-table";
import { cn } from "@/components/ui/cn";
import { type Figures, type PersonFigures, getFigures } from "@/lib/kyc/queries";
import { type FigureDays, FIGURE_DAYS, readDays } from "@/lib/text/filter";
import { formatCount, formatDateTime } from "@/lib/text/format";
import { formatShare } from "@/lib/text/measures";
import { countKnown, hrefWith, troubleOf } from "@/lib/text/page";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/text/time";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { screen } from "@/app/(console)/screen";
import { EmptyView } from "@/components/layout/empty-view";
import { ReadAt } from "@/components/freshness/freshness";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { UnreadView } from "@/components/freshness/read-state";
import { StaleNotice } from "@/components/freshness/stale-notice";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { ReadSoFar } from "@/app/(console)/kyc/case-words";
import { AgeChart, DayChart } from "./day-chart";

/** A duration in its two largest units; null for none. */
function useLength(): (ms: number | null) => string {
  const t = useTranslations("kycFigures.length");
  return (ms) => {
    if (ms === null) return t("none");
    const days = Math.floor(ms / DAY_MS);
    const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
    const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
    if (days > 0) return t("days", { days, hours });
    return hours > 0 ? t("hours", { hours, minutes }) : t("minutes", { minutes });
  };
}

function HeadFigures({ figures, days }: { figures: Figures; days: FigureDays }) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  const length = useLength();
  const { open, waiting, due, late, medianAgeMs, decided, dueSoonHours } = figures;
  const none = t("length.none");
  const listed = (value: number) => countKnown(formatCount(value, locale), value, figures) ?? none;
  return (
    <section aria-label={t("now")}>
      <dl className="grid grid-cols-2 gap-px border-t border-line bg-line medium:grid-cols-4">
        <Figure name={t("open")} href="/kyc?view=all" value={listed(open)} note={t("openNote")} />
        <Figure name={t("waiting")} href="/kyc?status=PENDING" value={listed(waiting)} note={t("waitingNote")} />
        <Figure
          name={t("due")}
          href="/kyc?status=PENDING&due=soon"
          value={listed(due)}
          note={t("dueNote", { hours: dueSoonHours })}
        />
        <Figure
          name={t("late")}
          href="/kyc?status=PENDING&due=late"
          value={listed(late)}
          note={late === 0 ? (figures.asOf === null ? null : t("noneLate")) : t("lateNote")}
          isBad={late > 0}
        />
        <Figure name={t("medianAge")} value={length(medianAgeMs)} note={t("medianAgeNote")} />
        <Figure name={t("medianDecision")} value={length(decided.medianMs)} note={t("inDays", { count: days })} />
        <Figure
          name={t("inTime")}
          value={decided.total === 0 ? none : formatShare(decided.inTime, decided.total, locale)}
          note={t("inTimeNote", { inTime: decided.inTime, total: decided.total })}
        />
        <Figure name={t("decided")} value={listed(decided.total)} note={t("decidedNote", { count: days })} />
      </dl>
    </section>
  );
}

type FigureProps = { name: string; value: string; note: string | null; href?: string; isBad?: boolean };

function Figure({ name, value, note, href, isBad = false }: FigureProps): ReactNode {
  return (
    <div className="relative bg-surface px-5 py-3 has-[a]:hover:bg-hover">
      <dt className="text-sm text-muted">
        {href === undefined ? (
          name
        ) : (
          <Link href={href} prefetch={false} className="after:absolute after:inset-0">
            {name}
          </Link>
        )}
      </dt>
      <dd>
        <span className={cn("block text-xl font-semibold tabular-nums", isBad && "text-negative")}>{value}</span>
        <span className="text-sm text-muted">{note}</span>
      </dd>
    </div>
  );
}

function PeopleTable({ people, days }: { people: readonly PersonFigures[]; days: FigureDays }) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  const most = Math.max(1, ...people.map(({ approved, reproved }) => approved + reproved));
  const count = (value: number) => formatCount(value, locale);
  const columns: Columns<PersonFigures> = {
    person: {
      header: t("person"),
      width: "text",
      td: "py-1.5 whitespace-normal!",
      cell: ({ id, name, awayUntil }) => (
        <>
          <Link href={`/kyc?assignee=${id}`} prefetch={false} className="row-link font-medium">
            {name}
          </Link>
          {awayUntil === null ? null : (
            <span className="text-muted"> · {t("away", { time: formatDateTime(awayUntil, locale) })}</span>
          )}
        </>
      ),
    },
    approved: {
      header: t("approved"),
      width: "short",
      align: "end",
      cell: ({ approved }) => count(approved),
    },
    reproved: {
      header: t("reproved"),
      width: "short",
      align: "end",
      cell: ({ reproved }) => count(reproved),
    },
    share: {
      header: t("share"),
      width: "text",
      from: "medium",
      cell: (person) => <Share person={person} most={most} />,
    },
    held: { header: t("held"), width: "short", align: "end", cell: ({ open }) => count(open) },
    heldLate: {
      header: t("heldLate"),
      width: "short",
      align: "end",
      from: "medium",
      td: ({ late }) => ({ className: cn(late > 0 && "font-medium text-negative") }),
      cell: ({ late }) => count(late),
    },
  };
  return (
    <RecordSection id="people" title={t("people", { count: days })}>
      {people.length === 0 ? null : <p className="px-5 pb-2.5 text-sm text-muted">{t("peopleNote")}</p>}
      {people.length === 0 ? (
        <p className="border-y border-line px-5 py-3 text-muted">{t("noPeople")}</p>
      ) : (
        <DataTable label={t("people", { count: days })} columns={columns} rows={people} keyOf={({ id }) => id} />
      )}
    </RecordSection>
  );
}

function Share({ person: { approved, reproved }, most }: { person: PersonFigures; most: number }) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  const width = (count: number) => (count / most) * 100;
  return (
    <>
      <span className="sr-only">
        {t("approvedShare", { share: formatShare(approved, approved + reproved, locale) })}
      </span>
      <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className="h-3 w-full">
        <rect width={width(approved)} height="1" className="fill-positive" />
        <rect x={width(approved)} width={width(reproved)} height="1" className="fill-negative" />
      </svg>
    </>
  );
}

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
    <>
      <LiveRefresh topics={["kyc"]} everyMinute />
      <PageHeader title={t("title")} parent={{ href: "/kyc", label: kyc("title") }}>
        <span className="text-sm text-muted tabular-nums max-wide:hidden">
          <ReadAt {...figures} wasTried={figures.failure !== null || !isEmpty} />
        </span>
        <ChoiceLinks label={t("period")} choices={periods} />
      </PageHeader>
      {trouble === null || isUnread ? null : <StaleNotice fresh={figures} trouble={trouble} />}
      {figures.asOf === null ? null : <ReadSoFar count={figures.readSoFar} />}
      <HeadFigures figures={figures} days={days} />
      {isUnread ? (
        <UnreadView fresh={figures} icon="chart-no-axes-column" />
      ) : isEmpty ? (
        <EmptyView icon="chart-no-axes-column" title={t("emptyTitle")} body={t("emptyBody")} />
      ) : (
        <div className="grid gap-x-8 border-t border-line @widest:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <DayChart days={figures.perDay} />
          {figures.asOf === null && figures.open === 0 ? (
            <UnreadView fresh={figures} icon="chart-no-axes-column" />
          ) : (
            <AgeChart ages={figures.ages} open={figures.open} />
          )}
          <div className="@widest:col-span-2">
            <PeopleTable people={figures.people} days={days} />
          </div>
        </div>
      )}
    </>
  );
}

export default screen("app/(console)/kyc/figures/page", FiguresPage);
