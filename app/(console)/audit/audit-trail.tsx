"use client";

import { useQuery } from "@tanstack/react-query";
import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import { deferred } from "@/components/layout/deferred";
import { NeighbourLinks } from "@/components/layout/page-header";
import { useLive } from "@/components/live/live-provider";
import { StaleNotice } from "@/components/freshness/stale-notice";
import { SIGNED_OUT, useQuietRead } from "@/components/session/use-read";
import { BELOW, type Columns, RowMoment } from "@/components/table/data-table";
import { OpenableTable } from "@/components/table/openable-table";
import { NoRows } from "@/components/layout/empty-view";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterSearch } from "@/components/table/filter-search";
import { FilterPeriod } from "@/components/table/filter-period";
import { useActorName } from "@/components/table/actor-name";
import { useOpenRows } from "@/components/table/use-steady-rows";
import { cn } from "@/components/ui/cn";
import { statusCell } from "@/components/ui/status";
import type { AuditFileColumn, auditChoices, Trail } from "@/lib/audit-trail/queries";
import type { AuditFilter } from "@/lib/audit-trail/inputs";
import type { AuditRow } from "@/lib/audit-trail/view";
import type { SavedView } from "@/lib/preferences/queries";
import { formatCount } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { civilDay } from "@/lib/text/time";
import { type Known, ObjectLink, OUTCOME_LOOKS, OutcomeWord, useCodeName, useEventName } from "./audit-words";
import { StateOfRecord } from "./state-of-record";

const loadDetails = () => import("./audit-details").then((loaded) => loaded.AuditDetails);
const AuditDetails = deferred(loadDetails);

/** Columns of the file that other screen columns contain. */
type Within = "code" | "person" | "subject" | "reason" | "intent" | "detail" | "hash";

function useAuditColumns(known: Known, hasDays: boolean): Columns<AuditRow, Exclude<AuditFileColumn, Within>> {
  const t = useTranslations("audit.columns");
  const nameOf = useEventName();
  const actorName = useActorName();
  const objectOf = ({ object, objectName }: AuditRow) =>
    object === null ? null : <ObjectLink object={object} name={objectName ?? known.names[object]} />;
  return {
    at: {
      header: t("at"),
      width: "date",
      cell: ({ at }) => <RowMoment at={at} hasDay={hasDays} />,
    },
    event: {
      header: t("event"),
      width: "text",
      td: ({ code }) => ({ title: code, className: cn(BELOW, "py-1.5 whitespace-normal!") }),
      cell: (row) => (
        <>
          {nameOf(row)}
          {row.object === null ? null : <span className="block pb-1 text-sm @wide:hidden">{objectOf(row)}</span>}
        </>
      ),
    },
    outcome: {
      header: t("outcome"),
      width: "status",
      td: ({ outcome }) => ({ className: statusCell(OUTCOME_LOOKS[outcome]) }),
      cell: (row) => <OutcomeWord {...row} />,
    },
    actor: {
      header: t("actor"),
      width: "name",
      td: cn(BELOW, "whitespace-normal! text-muted"),
      cell: actorName,
    },
    object: {
      header: t("object"),
      width: "title",
      from: "wide",
      td: "py-1.5 wraps",
      cell: objectOf,
    },
    seq: {
      header: t("row"),
      width: "short",
      align: "end",
      from: "wide",
      td: "text-faint tabular-nums",
      cell: ({ seq }) => seq,
    },
  };
}

type AuditTableProps = { rows: readonly AuditRow[]; known: Known; hasDays: boolean };

export function AuditTable({ rows, known, hasDays }: AuditTableProps) {
  const t = useTranslations("audit");
  return (
    <OpenableTable
      label={t("title")}
      columns={useAuditColumns(known, hasDays)}
      rows={rows}
      keyOf={({ seq }) => seq}
      details={{
        ...useOpenRows(),
        labelOf: ({ seq }) => t("details", { row: seq }),
        contentOf: (row) => <AuditDetails row={row} known={known} />,
        onIntent: () => void loadDetails(),
      }}
      narrow="grid"
    />
  );
}

type FilterChoices = typeof auditChoices;

const PATH = "/audit";
const PLAIN_HREF = `${PATH}?view=all`;

/** `view` names the list, as the plain URL opens the person's default view. */
const hrefOf = (filter: AuditFilter, change: Partial<AuditFilter>): string =>
  hrefWith(PATH, { view: "all", ...filter, before: null, after: null, ...change });

const searchOf = (filter: AuditFilter): string => hrefOf(filter, {}).slice(PATH.length + 1);

type FilterFormProps = {
  filter: AuditFilter;
  choices: FilterChoices;
  people: Trail["people"];
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
};

function FilterForm({ filter, choices, people, saved, onSaid }: FilterFormProps) {
  const t = useTranslations("audit");
  const nameOf = useCodeName();
  const actorName = useActorName();
  const isFiltered = Object.values({ ...filter, before: undefined, after: undefined }).some(Boolean);
  const codes = choices.codes
    .map((code) => ({ value: code, label: nameOf(code) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const known = people.map(({ id, name }) => ({ value: id, label: name }));
  const others = filter.actor === undefined || people.some(({ id }) => id === filter.actor) ? [] : [filter.actor];

  return (
    <FilterBar
      path={PATH}
      params={{ view: "all" }}
      isFiltered={isFiltered}
      words={{ apply: t("apply"), clear: t("clear") }}
      chosen={[filter.code, filter.actor, filter.outcome, filter.period, filter.from, filter.to]}
      first={<FilterSearch value={filter.search} label={t("searchLabel")} hint={t("searchHint")} />}
      more={<FilterPeriod period={filter.period} from={filter.from} to={filter.to} />}
      beside={<SaveView area="audit" search={searchOf(filter)} plainHref={PLAIN_HREF} saved={saved} onSaid={onSaid} />}
    >
      <FilterChoice name="code" label={t("code")} value={filter.code} any={t("anyCode")} options={codes} isWide />
      <FilterChoice
        name="actor"
        label={t("actor")}
        value={filter.actor}
        any={t("anyActor")}
        options={[...known, ...others.map((actor) => ({ value: actor, label: actorName({ actor, byName: null }) }))]}
      />
      <FilterChoice
        name="outcome"
        label={t("outcome")}
        value={filter.outcome}
        any={t("anyOutcome")}
        options={choices.outcomes.map((outcome) => ({ value: outcome, label: t(`outcomes.${outcome}`) }))}
      />
    </FilterBar>
  );
}

const POLL_INTERVAL_MS = 30_000;
const MAX = 100;

type NewRowsProps = { filter: Omit<AuditFilter, "before" | "after">; newest: number };

function NewRows({ filter, newest }: NewRowsProps) {
  const t = useTranslations("audit");
  const router = useRouter();
  const read = useQuietRead();
  const { follow } = useLive();
  const address = hrefWith("/api/audit/new", { ...filter, after: newest || undefined });
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ["audit-new", address],
    gcTime: 0,
    queryFn: ({ signal }) => read<{ count: number }>(address, signal),
    refetchInterval: POLL_INTERVAL_MS,
    retry: (failures, cause) => failures < 1 && cause.cause !== SIGNED_OUT,
  });
  useEffect(
    () => follow((signal) => signal.kind === "changed" && signal.topic === "audit" && void refetch()),
    [follow, refetch],
  );
  if (error !== null) {
    const asOf = dataUpdatedAt === 0 ? null : new Date(dataUpdatedAt).toISOString();
    return <StaleNotice fresh={{ asOf }} trouble={error.cause === SIGNED_OUT ? "signed-out" : "failed"} />;
  }
  const count = data?.count ?? 0;
  return (
    <p aria-live="polite" className={count === 0 ? "sr-only" : "border-b border-line px-5 py-1.5"}>
      {count === 0 ? null : (
        <button
          type="button"
          onClick={() => router.refresh()}
          className="inline-flex min-h-6 items-center gap-1.5 text-sm font-medium text-accent hover:underline"
        >
          <Icon of="arrow-up" size={13} />
          {count >= MAX ? t("newMany", { count: MAX }) : t("newRows", { count })}
        </button>
      )}
    </p>
  );
}

type AuditTrailProps = {
  trail: Trail;
  known: Known;
  filter: AuditFilter;
  choices: FilterChoices;
  saved: readonly SavedView[];
};

/** The rows stay as they were on opening; later ones are only counted. */
export function AuditTrail({ trail, known, filter, choices, saved }: AuditTrailProps) {
  const t = useTranslations("audit");
  const locale = useLocale();
  const [said, setSaid] = useState<string | null>(null);
  const { before, after, ...params } = filter;
  const hasDays = trail.rows.some(({ at }) => civilDay(new Date(at)) !== civilDay(new Date(trail.asOf)));
  const whole = {
    href: PLAIN_HREF,
    label: t("all"),
    count: formatCount(trail.state.last, locale),
    isCurrent: Object.values(filter).every((one) => one === undefined),
  };
  return (
    <>
      <StateOfRecord state={trail.state} />
      <div className="tabs-bar border-b border-line px-5">
        <ViewTabs label={t("viewLabel")} path={PATH} tabs={[whole]} search={searchOf(filter)} saved={saved} />
      </div>
      <FilterForm filter={filter} choices={choices} people={trail.people} saved={saved} onSaid={setSaid} />
      {before === undefined && after === undefined ? <NewRows filter={params} newest={trail.state.last} /> : null}
      {trail.rows.length === 0 ? (
        <NoRows
          icon="scroll-text"
          isFiltered={Object.values(filter).some(Boolean)}
          plainHref={PLAIN_HREF}
          title={t("emptyTitle")}
          body={t("emptyBody")}
        />
      ) : (
        <>
          <AuditTable rows={trail.rows} known={known} hasDays={hasDays} />
          <NeighbourLinks
            newer={trail.newer === null ? null : hrefOf(filter, { after: trail.newer })}
            older={trail.older === null ? null : hrefOf(filter, { before: trail.older })}
          />
        </>
      )}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </>
  );
}
