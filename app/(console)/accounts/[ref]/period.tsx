import { Icon } from "@/components/ui/icons";
import { getLocale, getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { deniedReason } from "@/app/(console)/permission-denied";
import { DateFilter } from "@/components/form/date-field";
import { FilterAmounts } from "@/components/table/filter-amounts";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterSearch } from "@/components/table/filter-search";
import { Money } from "@/components/table/money";
import { buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { ABOVE_RESULTS, cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import { Notice } from "@/components/ui/notice";
import type { Opening, Totals } from "@/lib/accounts/queries";
import type { Permission } from "@/lib/permission/permission";
import {
  statementFilterValues,
  statementPageValues,
  isSifted,
  reachesNow,
  type StatementFilter,
} from "@/lib/accounts/inputs";
import { ENTRY_WORDS, entryText, STATEMENT_FILE, STATEMENT_PRESETS } from "@/lib/accounts/view";
import { formatCount, formatDate } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { daysOf, markedPreset } from "@/lib/text/period";
import { civilDaysAgo, daysBetween } from "@/lib/text/time";
import { NO_DOCUMENT } from "@/lib/text/typed-document";
import { Sum } from "./day-table";
import { dayAfter, movedDays } from "./moved-days";
import { LazyDayCharts } from "./lazy-day-charts";
import { NamedFile } from "./named-file";
import type { DaySums } from "./statement-rows";

type TotalsRead = Promise<Totals | null>;

type PeriodSumsProps = {
  totals: TotalsRead;
  filter: StatementFilter;
  openingRead: Promise<Opening | null>;
  daySums: Promise<DaySums>;
};

export async function PeriodSums({ totals, filter, openingRead, daySums }: PeriodSumsProps) {
  const [read, opening, sums, t, locale] = await Promise.all([
    totals,
    openingRead,
    daySums,
    getTranslations("statement"),
    getLocale(),
  ]);
  const gap = read === null ? t("sumsUnread") : read.gap === null ? null : t(`gap.${read.gap}`);
  const period = { from: formatDate(filter.from, locale), to: formatDate(filter.to, locale) };
  return (
    <section aria-label={t("sums")} className="border-b border-line">
      {read === null || read.sums === null ? (
        <p className="flex min-h-19 items-center px-5 py-4 text-muted">{gap}</p>
      ) : (
        <dl className="grid min-h-19 medium:grid-cols-2">
          {(["in", "out"] as const).map((side) => (
            <div
              key={side}
              className="px-5 py-3 max-medium:not-first:border-t medium:not-first:border-l not-first:border-line"
            >
              <dt className="text-sm text-muted">{t(side)}</dt>
              <dd>
                <span className="text-md font-semibold">
                  <Sum decimal={read.sums?.[side] ?? ""} side={side} />
                </span>
                <span className="mt-0.5 block text-sm text-muted tabular-nums">
                  {side === "in" ? t("ofPeriod", period) : t("ofEntries", { count: read.count })}
                  {side === "out" && read.left > 0
                    ? ` · ${t("left", { count: formatCount(read.left, locale) })}`
                    : null}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {read === null || read.sums === null ? null : <DayChart sums={sums} filter={filter} opening={opening} />}
      {opening === null ? null : (
        <p title={t("openingHow")} className="border-t border-line px-5 py-2 text-sm text-muted">
          {t("opening", { day: period.from })} <Money decimal={opening.balance} />
          {opening.blocked === "assumed" ? ` · ${t("blockedApart")}` : null}
        </p>
      )}
      {opening === null || opening.unexplained === null ? null : (
        <Notice tone="warning" className="mx-5 mb-3">
          {t("unexplained")} <Money decimal={opening.unexplained} />
        </Notice>
      )}
    </section>
  );
}

/** Beyond a quarter the bars become too thin to see. */
const MAX_DAYS = 92;

const daysIn = ({ from, to }: StatementFilter) => daysBetween(from, to) + 1;
const isDrawn = (count: number) => count >= 2 && count <= MAX_DAYS;

type DayChartProps = { sums: DaySums; filter: StatementFilter; opening: Opening | null };

/** The balance at the end of each day, including days without entries. */
function heldOn({ balances }: DaySums, filter: StatementFilter, opening: Opening): string[] {
  let held = opening.balance;
  return Array.from({ length: daysIn(filter) }, (_, nth) => (held = balances[dayAfter(filter.from, nth)] ?? held));
}

function DayChart({ sums, filter, opening }: DayChartProps) {
  if (!isDrawn(daysIn(filter)) || movedDays(sums, filter).length === 0) return null;
  const { from, to } = filter;
  return (
    <div className="border-t border-line px-5 pt-3 pb-2">
      <LazyDayCharts
        key={`${from} ${to}`}
        from={from}
        to={to}
        sums={sums}
        held={opening === null ? null : heldOn(sums, filter, opening)}
        isWithBlocked={opening?.blocked !== "none"}
      />
    </div>
  );
}

export function PeriodSumsSkeleton({ filter }: { filter: StatementFilter }) {
  return (
    <div aria-hidden className="border-b border-line">
      <div className="grid gap-px medium:grid-cols-2">
        {["in", "out"].map((side) => (
          <div key={side} className="h-21 space-y-2 px-5 py-3">
            <Skeleton className="h-3.5 w-20" />
            <Skeleton className="h-4.5 w-32" />
          </div>
        ))}
      </div>
      {isDrawn(daysIn(filter)) ? (
        <div className="h-108.25 border-t border-line px-5 pt-3">
          <Skeleton className="h-3.5 w-40" />
        </div>
      ) : null}
      {reachesNow(filter) ? <div className="h-8.75 border-t border-line max-medium:h-13.25" /> : null}
    </div>
  );
}

const PERIOD_OF = { today: "1", "7": "7", "30": "30", "90": "90", month: "month" } as const;

type StatementFiltersProps = { path: string; filter: StatementFilter; totals: TotalsRead };

export async function StatementFilters({ path, filter, totals }: StatementFiltersProps) {
  const [t, words, locale] = await Promise.all([
    getTranslations("accounts"),
    getTranslations("statement"),
    getLocale(),
  ]);
  const today = civilDaysAgo(0);
  const { from, to, pix, direction, type, status, search } = filter;
  const params = statementPageValues(filter);
  const periods = STATEMENT_PRESETS.map((name) => ({ name, first: daysOf(PERIOD_OF[name]).from ?? today }));
  const marked = to === today ? markedPreset(periods, { first: from, chosen: filter.preset }) : undefined;
  const presets = periods.map(({ name, first }) => ({
    href: hrefWith(path, { ...params, from: first, to: today, preset: name }),
    label: t(`presets.${name}`),
    isCurrent: name === marked,
  }));
  const types = ENTRY_WORDS.type.map((value) => ({ value, label: words(`words.${value}`) }));
  return (
    <div className={cn("flex flex-col gap-y-2 border-b border-line px-5 pb-3", ABOVE_RESULTS)}>
      <p className="hidden tabular-nums print:block">
        {t("printedPeriod", { from: formatDate(from, locale), to: formatDate(to, locale) })}
        {pix ? ` · ${t("onlyPix")}` : null}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
        <ChoiceLinks label={t("period")} choices={presets} />
        <ChoiceLinks
          label={t("entries")}
          choices={[false, true].map((onlyPix) => ({
            href: hrefWith(path, { ...params, pix: onlyPix }),
            label: onlyPix ? t("onlyPix") : t("allEntries"),
            isCurrent: pix === onlyPix,
          }))}
        />
      </div>
      <FilterBar
        path={path}
        params={{ ...(pix && { pix: "true" }), preset: filter.preset }}
        isFiltered={isSifted(filter)}
        words={{ apply: t("apply"), clear: words("clear") }}
        className=""
        isInstant={false}
        from="medium"
        chosen={[direction, type, status, filter.min, filter.max]}
        first={
          <FilterSearch
            key={`search ${search}`}
            value={search}
            label={words("searchLabel")}
            hint={words("searchHint")}
            pattern={NO_DOCUMENT}
          />
        }
        more={
          <>
            <FilterChoice
              key={`direction ${direction}`}
              name="direction"
              label={words("direction")}
              value={direction}
              any={words("anyDirection")}
              options={(["in", "out"] as const).map((value) => ({ value, label: words(value) }))}
            />
            <FilterChoice
              name="type"
              label={t("entryColumns.type")}
              value={type}
              any={words("anyType")}
              options={types}
            />
            <Suspense fallback={null}>
              <StatusChoice totals={totals} value={status} />
            </Suspense>
            <FilterAmounts
              key={`amounts ${filter.min} ${filter.max}`}
              value={{ min: filter.min, max: filter.max }}
              labels={{ min: words("min"), max: words("max") }}
            />
          </>
        }
      >
        <DateFilter key={`from ${from}`} name="from" label={t("from")} value={from} last={today} isRequired />
        <DateFilter key={`to ${to}`} name="to" label={t("to")} value={to} last={today} isRequired />
      </FilterBar>
    </div>
  );
}

async function StatusChoice({ totals, value }: { totals: TotalsRead; value: string | undefined }) {
  const [read, t] = await Promise.all([totals, getTranslations("statement")]);
  const statuses = [...new Set([...(read?.statuses ?? []), ...(value === undefined ? [] : [value])])];
  if (statuses.length === 0) return null;
  const options = statuses.map((status) => ({
    value: status,
    label: entryText("status", status, (word) => t(`words.${word}`)),
  }));
  return (
    <FilterChoice
      key={`status ${value}`}
      name="status"
      label={t("status")}
      value={value}
      any={t("anyStatus")}
      options={options}
    />
  );
}

const FORMATS = ["csv", "ofx", "pdf"] as const;

type StatementExportProps = {
  accountRef: string;
  totals: TotalsRead;
  filter: StatementFilter;
  scope: { id: string; permissions: readonly Permission[] };
};

export async function StatementExport({ accountRef, totals, filter, scope }: StatementExportProps) {
  const [t, denial] = await Promise.all([
    getTranslations("statement.export"),
    deniedReason(scope.permissions, "statement:export"),
  ]);
  const path = `/api/accounts/${accountRef}/statement`;
  const files = FORMATS.map((format) => ({
    format,
    href: hrefWith(path, { ...statementFilterValues(filter), format, scope: scope.id }),
  }));
  const plain = files.map(({ format, href }) => (
    <FileLink key={format} href={href} label={t(format)} denial={denial} />
  ));
  return (
    <div className="flex flex-wrap gap-1 print:hidden">
      <Suspense key={JSON.stringify(statementFilterValues(filter))} fallback={plain}>
        <CountedFiles files={files} totals={totals} denial={denial} />
      </Suspense>
      {denial === null ? (
        <NamedFile
          accountRef={accountRef}
          file={STATEMENT_FILE}
          href={hrefWith(path, { ...statementFilterValues(filter), format: "pdf", scope: scope.id })}
          tone="quiet"
          size="small"
        />
      ) : null}
    </div>
  );
}

type FileLinkProps = { href: string; label: string; denial: string | null; hint?: string };

function FileLink({ href, label, denial, hint }: FileLinkProps) {
  const text = (
    <>
      <Icon of="download" size={13} />
      {label}
    </>
  );
  return denial === null ? (
    <a href={href} download title={hint} className={buttonClass("quiet", "small")}>
      {text}
    </a>
  ) : (
    <DeniedButton reason={denial} className={buttonClass("quiet", "small")}>
      {text}
    </DeniedButton>
  );
}

type CountedFilesProps = Pick<StatementExportProps, "totals"> & {
  files: readonly { format: (typeof FORMATS)[number]; href: string }[];
  denial: string | null;
};

/** A PDF states its own gaps; an incomplete CSV or OFX is offered only as partial. */
async function CountedFiles({ files, totals, denial }: CountedFilesProps) {
  const [read, t] = await Promise.all([totals, getTranslations("statement.export")]);
  return files.map(({ format, href }) => {
    const isDoubted = read?.gap === "doubt" && format !== "pdf";
    const count = format === "ofx" ? (read?.unwritable ?? 0) : 0;
    return (
      <FileLink
        key={format}
        href={href}
        label={count === 0 ? t(format) : t("ofxInPart", { count })}
        denial={denial ?? (isDoubted ? t("notWhole") : null)}
        {...(count > 0 && { hint: t("ofxInPartHint") })}
      />
    );
  });
}
