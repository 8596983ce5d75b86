import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { useUnreadReason } from "@/components/freshness/read-state";
import { BarList, type BarRow } from "@/components/table/bar-list";
import { ProviderText } from "@/components/layout/provider-text";
import { TwoWayChart, type TwoWayChartProps } from "@/components/table/two-way-chart";
import type { Oversight } from "@/lib/audit-trail/queries";
import { REFUSED_SIGN_IN, REVEALED } from "@/lib/audit-trail/view";
import type { CallMinute } from "@/lib/calls/queries";
import type { Workload } from "@/lib/kyc/queries";
import { DEADLINES } from "@/lib/kyc/view";
import type { Funnel } from "@/lib/onboarding/queries";
import { formatClock, formatCount, formatDate, formatMoment } from "@/lib/text/format";
import { countKnown, type Fresh, hrefWith } from "@/lib/text/page";
import type { DeliveryHour } from "@/lib/webhooks/queries";

const UP_TONE = "fill-accent";
const FAILED_TONE = "fill-negative-tint stroke-negative";

type PictureProps = { id: string; title: string; aside?: ReactNode; children: ReactNode };

function Picture({ id, title, aside, children }: PictureProps) {
  return (
    <section aria-labelledby={id} className="min-w-0 border-b border-line pb-4 @widest:not-first:border-l">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 px-5">
        <h2 id={id} className="text-sm font-medium text-muted">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

const Quiet = ({ children }: { children: string }) => <p className="px-5 text-faint">{children}</p>;

type Counted = { day: string; up: number; down: number };

function useDays(days: readonly Counted[], period: number) {
  const t = useTranslations("home.pictures");
  const locale = useLocale();
  const text = (day: string | undefined) => (day === undefined ? "" : formatDate(day, locale));
  const isWhole = days.length >= period;
  return {
    period: isWhole ? t("lastDays", { count: period }) : t("sinceDay", { day: text(days[0]?.day) }),
    chart: {
      asTable: t("asTable"),
      names: days.map(({ day }) => text(day)),
      bars: days.flatMap(({ up, down }, at) => (up + down === 0 ? [] : [{ at, up, down }])),
      marks: [text(days[0]?.day), text(days.at(-1)?.day)],
    } satisfies Partial<TwoWayChartProps>,
  };
}

const PERIOD_DAYS = 14;

const sumOf = (bars: readonly { up: number; down: number }[], side: "up" | "down") =>
  bars.reduce((sum, bar) => sum + bar[side], 0);

const Period = ({ children }: { children: string }) => <span className="text-sm text-muted">{children}</span>;

export function CaseFlow({ workload, cases }: { workload: Workload; cases: Fresh }) {
  const t = useTranslations("home.pictures");
  const reasonOf = useUnreadReason();
  const days = workload.days.map(({ day, arrived, decided }) => ({ day, up: arrived, down: decided }));
  const { period, chart } = useDays(days, PERIOD_DAYS);
  const empty = cases.asOf === null ? reasonOf(cases.failure) : days.length === 0 ? t("flowSoon") : t("noFlow");
  return (
    <Picture id="case-flow" title={t("caseFlow")} aside={days.length === 0 ? null : <Period>{period}</Period>}>
      {chart.bars.length === 0 ? (
        <Quiet>{empty}</Quiet>
      ) : (
        <div className="px-5">
          <TwoWayChart
            {...chart}
            label={t("caseFlowChart")}
            legend={[t("arrived", { count: sumOf(days, "up") }), t("decided", { count: sumOf(days, "down") })]}
            head={[t("day"), t("arrivals"), t("decisions")]}
            tones={[UP_TONE, "fill-positive"]}
          />
        </div>
      )}
    </Picture>
  );
}

const DEADLINE_TONES = {
  late: "fill-negative",
  today: "fill-warning",
  tomorrow: "fill-accent",
  "after-tomorrow": "fill-accent",
} as const satisfies Record<(typeof DEADLINES)[number], string>;

/** A list that was not read to its end cannot show 0. */
function useShown(fresh: Fresh): (count: number) => string {
  const common = useTranslations("common");
  const locale = useLocale();
  return (count) => countKnown(formatCount(count, locale), count, fresh) ?? common("none");
}

export function Deadlines({ workload: { deadlines }, cases }: { workload: Workload; cases: Fresh }) {
  const t = useTranslations("home.pictures");
  const shown = useShown(cases);
  const rows = DEADLINES.map((due): BarRow => {
    const count = deadlines[due];
    const href = hrefWith("/kyc", { due });
    return { id: due, name: t(`deadline.${due}`), href, count, shown: shown(count), tone: DEADLINE_TONES[due] };
  });
  return (
    <Picture id="deadlines" title={t("deadlines")}>
      <BarList rows={rows} />
    </Picture>
  );
}

export function OnboardingFunnel({ funnel, onboardings }: { funnel: Funnel; onboardings: Fresh }) {
  const t = useTranslations();
  const shown = useShown(onboardings);
  const reasonOf = useUnreadReason();
  const { started, waiting, confirmed, refused, others } = funnel;
  const rowOf = (id: string, name: ReactNode, count: number, tone = "fill-accent"): BarRow => ({
    id,
    name,
    count,
    shown: shown(count),
    tone,
  });
  return (
    <Picture id="funnel" title={t("home.pictures.funnel")}>
      {started === 0 ? (
        <Quiet>{onboardings.asOf === null ? reasonOf(onboardings.failure) : t("home.pictures.nothingStarted")}</Quiet>
      ) : (
        <BarList
          rows={[
            rowOf("started", t("home.pictures.started"), started),
            ...waiting
              .filter(({ count }) => count > 0)
              .map(({ stage, count }) => rowOf(stage, t(`onboarding.stage.${stage}`), count)),
            rowOf("confirmed", t("onboarding.status.CONFIRMED"), confirmed, "fill-positive"),
            rowOf("refused", t("onboarding.status.ERROR"), refused, "fill-negative"),
            ...others.map(({ word, count }) => rowOf(`word ${word}`, <ProviderText text={word} />, count)),
          ]}
        />
      )}
    </Picture>
  );
}

export function OversightPicture({ oversight }: { oversight: Pick<Oversight, "days"> }) {
  const t = useTranslations("home.pictures");
  const days = oversight.days.map(({ day, reveals, refused }) => ({ day, up: reveals, down: refused }));
  const { period, chart } = useDays(days, PERIOD_DAYS);
  const from = days[0] === undefined ? null : `${days[0].day}T00:00`;
  const link = (name: string, values: Record<string, string>) => (
    <Link href={hrefWith("/audit", { ...values, from })} prefetch={false} className="text-accent hover:underline">
      {name}
    </Link>
  );
  return (
    <Picture
      id="oversight"
      title={t("oversight")}
      aside={
        <span className="flex flex-wrap gap-x-4 text-sm">
          {days.length === 0 ? null : <Period>{period}</Period>}
          {link(t("reveals"), REVEALED)}
          {link(t("refusals"), REFUSED_SIGN_IN)}
        </span>
      }
    >
      {chart.bars.length === 0 ? (
        <Quiet>{t("noOversight")}</Quiet>
      ) : (
        <div className="px-5">
          <TwoWayChart
            {...chart}
            label={t("oversightChart")}
            legend={[t("revealed", { count: sumOf(days, "up") }), t("refusedSignIns", { count: sumOf(days, "down") })]}
            head={[t("day"), t("reveals"), t("refusals")]}
            tones={[UP_TONE, FAILED_TONE]}
          />
        </div>
      )}
    </Picture>
  );
}

const MINUTE_MS = 60_000;
const MINUTES = 60;
const HOURS = 24;
/** The first and the last are parts of one. */
const PARTS = 1;
const DAY_MS = HOURS * MINUTES * MINUTE_MS;

type Spans = { now: string; spanMs: number; columns: number };

/** By minutes or hours of the clock, the one that is under way last. */
function useSpans({ now, spanMs, columns }: Spans, counted: readonly { from: string; up: number; down: number }[]) {
  const t = useTranslations("home.pictures");
  const locale = useLocale();
  const placeOf = (at: string) => Math.floor(Date.parse(at) / spanMs);
  const last = Math.max(placeOf(now), ...counted.map(({ from }) => placeOf(from)));
  const first = last - columns + 1;
  const instant = (at: number) => new Date((first + at) * spanMs).toISOString();
  const clock = (at: number) => formatClock(instant(at), locale);
  const isOverADay = columns * spanMs >= DAY_MS;
  const mark = (at: number) => (isOverADay ? `${formatMoment(instant(at), locale).day} ${clock(at)}` : clock(at));
  return {
    asTable: t("asTable"),
    names: Array.from({ length: columns }, (_, at) => clock(at)),
    bars: counted.map(({ from, ...counts }) => ({ at: placeOf(from) - first, ...counts })).filter(({ at }) => at >= 0),
    marks: [mark(0), mark(columns - 1)],
  } satisfies Partial<TwoWayChartProps>;
}

export function CallsPicture({ minutes, now }: { minutes: readonly CallMinute[]; now: string }) {
  const t = useTranslations("home.pictures");
  const counted = minutes.map(({ from, calls, failed }) => ({ from, up: calls - failed, down: failed }));
  const chart = useSpans({ now, spanMs: MINUTE_MS, columns: MINUTES + PARTS }, counted);
  return (
    <Picture id="calls" title={t("calls")}>
      {counted.length === 0 ? (
        <Quiet>{t("noCalls")}</Quiet>
      ) : (
        <div className="px-5">
          <TwoWayChart
            {...chart}
            label={t("callsChart")}
            legend={[t("answered", { count: sumOf(counted, "up") }), t("failed", { count: sumOf(counted, "down") })]}
            head={[t("minute"), t("answers"), t("failures")]}
            tones={[UP_TONE, FAILED_TONE]}
          />
        </div>
      )}
    </Picture>
  );
}

/** Drawn when something failed, otherwise one line. */
export function DeliveriesPicture({ hours, now }: { hours: readonly DeliveryHour[]; now: string }) {
  const t = useTranslations("home.pictures");
  const counted = hours.map(({ from, taken, failed }) => ({ from, up: taken, down: failed }));
  const taken = sumOf(counted, "up");
  const failed = sumOf(counted, "down");
  const chart = useSpans({ now, spanMs: MINUTES * MINUTE_MS, columns: HOURS + PARTS }, counted);
  return (
    <Picture id="deliveries" title={t("deliveries")}>
      {failed === 0 ? (
        <Quiet>{counted.length === 0 ? t("noDeliveries") : t("noneFailed", { count: taken })}</Quiet>
      ) : (
        <div className="px-5">
          <TwoWayChart
            {...chart}
            label={t("deliveriesChart")}
            legend={[t("taken", { count: taken }), t("unwell", { count: failed })]}
            head={[t("hour"), t("received"), t("unwellHead")]}
            tones={[UP_TONE, FAILED_TONE]}
          />
        </div>
      )}
    </Picture>
  );
}
