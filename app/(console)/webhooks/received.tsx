"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useMemo, useState } from "react";
import { SaveView } from "@/app/(console)/saved-views/save-view";
import { deferred } from "@/components/layout/deferred";
import { NeighbourLinks } from "@/components/layout/page-header";
import { ListScreen } from "@/components/list-screen/list-screen";
import { NoRows } from "@/components/layout/empty-view";
import { useLivePage } from "@/components/live/use-live-page";
import { BELOW, type Columns, RowMoment } from "@/components/table/data-table";
import { OpenableTable } from "@/components/table/openable-table";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { Checked } from "@/components/table/filter-text";
import { useAddressText } from "@/components/table/use-address-text";
import { FilterSearch } from "@/components/table/filter-search";
import { FilterPeriod } from "@/components/table/filter-period";
import { RecordLink } from "@/components/table/row-details";
import { useOpenRows } from "@/components/table/use-steady-rows";
import { Notice } from "@/components/ui/notice";
import { cn } from "@/components/ui/cn";
import { formatCount, formatMoment, formatTime } from "@/lib/text/format";
import { formatDuration } from "@/lib/text/measures";
import type { SavedView } from "@/lib/preferences/queries";
import { hrefWith, SEARCH_MAX } from "@/lib/text/page";
import { civilDay } from "@/lib/text/time";
import type { ReceivedFileColumn, ReceivedList, ReceivedRow, RecentlyRefused } from "@/lib/webhooks/queries";
import type { ReceivedFilter } from "@/lib/webhooks/inputs";
import { ABOUT, EVENT_STATES, RECEIVED_VIEWS, type Refusal, REFUSALS, WEBHOOK_EVENTS } from "@/lib/webhooks/view";
import { EventName } from "./event-name";
import { EventStatus } from "./event-status";
import { InboxTabs, PATH } from "./inbox-tabs";
import { ReplayButton } from "./replay-button";

const loadDetails = () => import("./received-details").then((loaded) => loaded.ReceivedDetails);
const ReceivedDetails = deferred(loadDetails);

/** Columns of the file that the screen shows with a row's details. */
type Within = "done" | "last" | "eventId" | "signature" | "size" | "failure";

function useReceivedColumns(
  hasDays: boolean,
  seesWallets: boolean,
): Columns<ReceivedRow, Exclude<ReceivedFileColumn, Within>> {
  const t = useTranslations("received.columns");
  return {
    at: {
      header: t("at"),
      width: "date",
      cell: ({ receivedAt }) => <RowMoment at={receivedAt} hasDay={hasDays} />,
    },
    event: {
      header: t("event"),
      width: "text",
      td: cn(BELOW, "py-1.5 whitespace-normal!"),
      cell: ({ event }) => <EventName event={event} />,
    },
    state: { header: t("state"), width: "status", cell: ({ state }) => <EventStatus state={state} /> },
    object: {
      header: t("object"),
      width: "address",
      td: BELOW,
      cell: ({ object }) =>
        object === null ? (
          <span className="text-faint">–</span>
        ) : (
          <RecordLink object={object} seesWallets={seesWallets} />
        ),
    },
    wakes: {
      header: t("wakes"),
      width: "text",
      from: "wide",
      td: "text-muted",
      cell: (row) => <Woken row={row} />,
    },
    arrivals: {
      header: t("arrivals"),
      width: "short",
      align: "end",
      from: "wide",
      td: "tabular-nums",
      cell: ({ arrivals }) => arrivals,
    },
  };
}

function Woken({ row: { wakes, doneAt, receivedAt, state } }: { row: ReceivedRow }) {
  const t = useTranslations("received");
  const locale = useLocale();
  if (wakes === null) return <span className="text-faint">{t("wakesNothing")}</span>;
  const what = t(`wakes.${wakes}`);
  if (state !== "DONE" || doneAt === null) return what;
  const duration = formatDuration(Math.max(0, Date.parse(doneAt) - Date.parse(receivedAt)), locale);
  return t("wokeAfter", { what, duration });
}

const PLAIN_HREF = `${PATH}?view=all`;

const hrefOf = (filter: ReceivedFilter, change: Partial<ReceivedFilter>): string =>
  hrefWith(PATH, { ...filter, before: undefined, after: undefined, ...change });

const searchOf = (filter: ReceivedFilter): string => hrefOf(filter, {}).slice(PATH.length + 1);

type FiltersProps = { filter: ReceivedFilter; saved: readonly SavedView[]; onSaid: (said: string) => void };

function Filters({ filter, saved, onSaid }: FiltersProps) {
  const t = useTranslations();
  const { view, search, event, outcome, about, text, period, from, to } = filter;
  const chosen = [event, outcome, about, text, period, from, to];
  return (
    <FilterBar
      path={PATH}
      params={{ view }}
      isFiltered={[search, ...chosen].some(Boolean)}
      words={{ apply: t("received.search"), clear: t("received.clear") }}
      chosen={chosen}
      first={<FilterSearch value={search} label={t("received.searchLabel")} hint={t("received.searchHint")} />}
      more={
        <>
          <FilterChoice
            name="about"
            label={t("received.about")}
            value={about}
            any={t("received.anyAbout")}
            options={ABOUT.map((value) => ({
              value,
              label: value === "nothing" ? t("received.aboutNothing") : t(`received.wakes.${value}`),
            }))}
          />
          <ContentSearch value={text} />
          <FilterPeriod period={period} from={from} to={to} />
        </>
      }
      beside={
        <SaveView area="webhooks" search={searchOf(filter)} plainHref={PLAIN_HREF} saved={saved} onSaid={onSaid} />
      }
    >
      <FilterChoice
        name="outcome"
        label={t("received.columns.state")}
        value={outcome}
        any={t("received.anyOutcome")}
        options={EVENT_STATES.map((value) => ({ value, label: t(`received.states.${value}`) }))}
      />
      <FilterChoice
        name="event"
        label={t("received.columns.event")}
        value={event}
        any={t("received.anyEvent")}
        options={WEBHOOK_EVENTS.map((value) => ({ value, label: t(`webhooks.events.${value}`) }))}
        isWide
      />
    </FilterBar>
  );
}

/** What the address dropped stays as typed, with why. */
function ContentSearch({ value }: { value: string | undefined }) {
  const t = useTranslations();
  const asked = useSearchParams().get("text")?.trim() ?? "";
  const isDropped = value === undefined && asked !== "";
  const [typed, setTyped] = useState("");
  const unsought = t("common.notSearched", { hint: t("received.textHint") });
  const { load, isUnread, isLost, isRefused } = useAddressText();
  const refusal = isRefused(typed) ? unsought : undefined;
  return (
    <div className="w-56 @max-medium:w-full">
      <Checked
        key={isDropped ? asked : ""}
        type="search"
        name="text"
        maxLength={SEARCH_MAX}
        defaultValue={isDropped ? asked : value}
        title={t("received.textHint")}
        label={t("received.textLabel")}
        problem={isLost(typed) ? t("states.partOffline") : refusal}
        isUnread={isUnread(typed)}
        misfit={unsought}
        onFocus={load}
        onChange={({ target }) => {
          load();
          setTyped(target.value);
        }}
        wasTried={isDropped}
      />
    </div>
  );
}

type ReceivedProps = {
  initial: ReceivedList;
  filter: ReceivedFilter;
  saved: readonly SavedView[];
  seesWallets: boolean;
  /** Null: they may look at deliveries again. */
  replayDenial: string | null;
  /** The file of what is listed. */
  csv: ReactNode;
};

export function Received({ initial, filter, saved, seesWallets, replayDenial, csv }: ReceivedProps) {
  const t = useTranslations("received");
  const locale = useLocale();
  const [said, setSaid] = useState<string | null>(null);
  const opening = useOpenRows();
  const { view, before, after, ...sifted } = filter;
  const address = hrefWith("/api/webhooks", filter);
  const live = useLivePage<ReceivedList>({ address, topic: "webhooks", initial });
  const { page } = live;
  const tabs = RECEIVED_VIEWS.map((one) => ({
    href: hrefOf(filter, { view: one }),
    label: t(`views.${one}`),
    count: formatCount(page.counts[one], locale),
    isCurrent: one === view,
  }));
  const today = civilDay(new Date(page.asOf));
  const hasDays = page.rows.some(({ receivedAt }) => civilDay(new Date(receivedAt)) !== today);
  const columns = useReceivedColumns(hasDays, seesWallets);
  const unfound = useUnfound(page.refused);
  const scope = useMemo(() => ({ filter: { ...filter, before: undefined, after: undefined } }), [filter]);
  const { search, ...others } = sifted;
  const isSearchAlone =
    search !== undefined && view === "all" && ![before, after, ...Object.values(others)].some(Boolean);
  const noRows = {
    isFiltered: view === "waiting" || [before, after, ...Object.values(sifted)].some(Boolean),
    plainHref: PLAIN_HREF,
    title: view === "needs-attention" ? t("noneNeedAttention") : t("emptyTitle"),
    body: view === "needs-attention" ? t("noneNeedAttentionBody") : t("emptyBody"),
    filteredBody: isSearchAlone ? unfound : undefined,
  };
  return (
    <ListScreen
      live={live}
      icon="inbox"
      tabs={<InboxTabs current="received" views={tabs} search={searchOf(filter)} saved={saved} />}
      beside={
        <>
          {page.rows.length === 0 ? null : <ReplayButton scope={scope} denial={replayDenial} />}
          {csv}
        </>
      }
      filters={
        <>
          <Filters filter={filter} saved={saved} onSaid={setSaid} />
          <RefusedNotice refused={page.refused} />
          <ReplayNotice count={page.replaying} />
          {page.searched === null ? null : (
            <p className="px-5 py-2 text-sm text-muted">{t("searchedOnly", { count: page.searched })}</p>
          )}
        </>
      }
      empty={page.rows.length === 0 ? <NoRows icon="inbox" {...noRows} /> : null}
      pages={
        <NeighbourLinks
          newer={page.newer && hrefOf(filter, { after: page.newer })}
          older={page.older && hrefOf(filter, { before: page.older })}
        />
      }
      said={said}
    >
      <OpenableTable
        label={t("title")}
        columns={columns}
        rows={page.rows}
        keyOf={({ seq }) => seq}
        details={{
          ...opening,
          labelOf: ({ receivedAt }) => t("details", { time: formatMoment(receivedAt, locale).time }),
          contentOf: (row) => <ReceivedDetails row={row} seesWallets={seesWallets} />,
          onIntent: () => void loadDetails(),
        }}
        narrow="grid"
      />
    </ListScreen>
  );
}

/** The missing event may have been refused on arrival. */
function useUnfound({ count, lastAt }: RecentlyRefused): string {
  const t = useTranslations("received");
  const locale = useLocale();
  return `${t("unfound")} ${t("unfoundRefused", { count, time: lastAt === null ? "" : formatTime(lastAt, locale) })}`;
}

function ReplayNotice({ count }: { count: number }) {
  const t = useTranslations("replays");
  if (count === 0) return null;
  return (
    <Notice tone="info" className="mx-5 my-3">
      {t("running", { count })}{" "}
      <Link href={`${PATH}/replays`} prefetch={false} className="text-accent underline">
        {t("watch")}
      </Link>
    </Notice>
  );
}

const ADVICE = {
  unsigned: "unsigned",
  signature: "signature",
  unreadable: "unreadable",
  "too-large": "tooLarge",
  "too-slow": "broken",
  cut: "broken",
  "no-room": "noRoom",
} as const satisfies Record<Refusal, string>;

export function RefusedNotice({ refused }: { refused: RecentlyRefused }) {
  const t = useTranslations("received");
  const locale = useLocale();
  const { count, lastAt } = refused;
  if (count === 0 || lastAt === null) return null;
  const causes = REFUSALS.filter((why) => refused[why] > 0).map((why) =>
    t(`refusedFor.${why}`, { count: refused[why] }),
  );
  const advice = new Set(REFUSALS.filter((why) => refused[why] > 0).map((why) => t(`refusedAdvice.${ADVICE[why]}`)));
  return (
    <Notice tone="warning" className="mx-5 my-3">
      {[t("refused", { count, time: formatTime(lastAt, locale), causes: causes.join(", ") }), ...advice].join(" ")}{" "}
      <Link href={`${PATH}/refused`} prefetch={false} className="text-accent underline">
        {t("refusedList")}
      </Link>
    </Notice>
  );
}
