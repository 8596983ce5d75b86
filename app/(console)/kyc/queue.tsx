"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import { StepLinks } from "@/components/layout/page-header";
import { Freshness } from "@/components/freshness/freshness";
import { ReadRows } from "@/components/freshness/read-state";
import { useLivePage } from "@/components/live/use-live-page";
import { useRead } from "@/components/session/use-read";
import { useScope } from "@/components/session/scope";
import { DataTable, type Column } from "@/components/table/data-table";
import { NewsButton } from "@/components/table/news-button";
import { type Steady, useSteadyRows } from "@/components/table/use-steady-rows";
import { deferred } from "@/components/layout/deferred";
import type { KycQueue, KycRow } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/inputs";
import {
  countText,
  filterValues,
  KYC_VIEWS,
  mayHoldUnread,
  queueHref,
  queueSearch,
  sortOf,
  type KycSort,
  NATURAL_ORDER,
  orderOf,
} from "@/lib/kyc/view";
import { formatCount, formatDateTime, initialsOf } from "@/lib/text/format";
import { isUnknown } from "@/lib/text/provider-word";
import { countKnown, type Fresh, hrefWith } from "@/lib/text/page";
import type { SavedView } from "@/lib/preferences/queries";
import { QueueToolbar } from "./queue-toolbar";
import { ReadSoFar, KycStepName, KycTypeName, useDue } from "./case-words";
import { useQueueKeys } from "@/app/(console)/kyc/triage/use-queue-keys";
import { loadDecisionDialog, NextButton, useTriage } from "@/app/(console)/kyc/triage/use-triage";
import Link from "next/link";
import { kycLookOf, KycStatusBadge } from "@/components/layout/badges";
import { Age } from "@/components/freshness/age";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { statusCell } from "@/components/ui/status";
import { cn } from "@/components/ui/cn";

type QueueNewsProps = { arrivals: number; hasMoved: boolean; onShow: () => void };

function QueueNews({ arrivals, hasMoved, onShow }: QueueNewsProps) {
  const t = useTranslations("kycQueue");
  const news = arrivals > 0 ? t("arrivals", { count: arrivals }) : t("moved");
  return <NewsButton label={hasMoved ? news : null} onShow={onShow} />;
}

type QueuePagesProps = Pick<KycQueue, "total" | "readSoFar" | "previous" | "next"> & { filter: KycFilter };

function QueuePages({ filter, total, readSoFar, previous, next }: QueuePagesProps) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  const { cases: count, isExact } = total;
  const exactly = readSoFar === null ? t("total", { exact: "yes", count }) : t("totalSoFar", { count });
  const steps = [
    { label: t("first"), href: previous && queueHref(filter) },
    { label: t("previous"), href: previous && queueHref(filter, { before: previous }) },
    { label: t("next"), href: next && queueHref(filter, { after: next }) },
  ];
  return (
    <nav aria-label={t("pages")} className="flex h-12 items-center gap-2 px-5 text-sm text-muted tabular-nums">
      <span className="flex-1">
        {isExact ? exactly : t("total", { exact: "no", count: formatCount(count, locale) })}
      </span>
      {previous === null && next === null ? null : <StepLinks steps={steps} />}
    </nav>
  );
}

type QueueTabsProps = {
  filter: KycFilter;
  views: KycQueue["views"];
  fresh: Fresh;
  saved: readonly SavedView[];
  children: ReactNode;
};

function QueueTabs({ filter, views, fresh, saved, children }: QueueTabsProps) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  const tabs = KYC_VIEWS.map((view) => ({
    href: queueHref({ view, status: "open" }),
    label: t(`views.${view}`),
    count: countKnown(countText(views[view], locale), views[view].cases, fresh),
    isCurrent: view === filter.view,
  }));
  return (
    <div className="flex items-center gap-x-4 border-b border-line px-5 max-[1240px]:flex-wrap max-[1240px]:pb-1.5">
      <div className="min-w-0 flex-1 max-[1240px]:basis-full">
        <ViewTabs label={t("viewsLabel")} path="/kyc" tabs={tabs} search={queueSearch(filter)} saved={saved} />
      </div>
      {children}
    </div>
  );
}

const isLost = (focused: Element | null) => focused === null || focused.matches("body, main");

/** A decided case may leave with the focused button: focus goes to a neighbour or the title, unless the person has gone on. */
function useFocusHeir(rows: readonly KycRow[]) {
  const [order, setOrder] = useState<readonly string[]>([]);
  const [gone, setGone] = useState<string | null>(null);
  const passed = useRef<string | null>(null);

  useEffect(() => {
    if (gone === null || gone === passed.current || rows.some(({ kycUUID }) => kycUUID === gone)) return;
    passed.current = gone;
    const at = order.indexOf(gone);
    const heirs = [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0)).toReversed()];
    const heir = heirs.map((kycUUID) => document.getElementById(decideButtonId(kycUUID))).find(Boolean);
    if (isLost(document.activeElement)) (heir ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  }, [gone, order, rows]);

  return {
    /** On opening: a colleague's screen may learn of the decision first. */
    rememberOrder: () => {
      passed.current = null;
      setGone(null);
      setOrder(rows.map(({ kycUUID }) => kycUUID));
    },
    passFocusOn: (decided: KycRow) => setGone(decided.kycUUID),
  };
}

type Selected = { ids: readonly string[]; isAll: boolean };

const NOTHING: Selected = { ids: [], isAll: false };

/** A range goes on from the row chosen before. */
export function useSelection(order: readonly string[], list: string) {
  const [selected, setSelected] = useState(NOTHING);
  const [of, setOf] = useState(list);
  if (of !== list) {
    setOf(list);
    setSelected(NOTHING);
  }
  const last = useRef<string | null>(null);
  const isOn = (id: string) => selected.isAll || selected.ids.includes(id);

  const toggle = (id: string, isRange: boolean) => {
    const [from, to] = [order.indexOf(last.current ?? ""), order.indexOf(id)];
    const reached = isRange && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    const before = selected.isAll ? order : selected.ids;
    const rest = before.filter((one) => !reached.includes(one));
    setSelected({ ids: isOn(id) ? rest : [...rest, ...reached], isAll: false });
    last.current = id;
  };
  const isWholePage = order.length > 0 && order.every(isOn);
  return {
    ...selected,
    isOn,
    toggle,
    isWholePage,
    togglePage: () => setSelected(isWholePage ? NOTHING : { ids: order, isAll: false }),
    selectAll: () => setSelected({ ids: order, isAll: true }),
    clear: () => setSelected(NOTHING),
  };
}

export type SteadyRow = Steady<KycRow>;

const idOf = ({ kycUUID }: KycRow) => kycUUID;

function useGone(shown: readonly SteadyRow[], readAt: string): ReadonlyMap<string, KycRow> {
  const read = useRead();
  const ids = shown.filter(({ isGone }) => isGone).map(idOf);
  const { data } = useQuery({
    queryKey: ["kyc-gone", ids, readAt],
    queryFn: ({ signal }) => read<KycQueue>(hrefWith("/api/kyc", { status: "all", ids: ids.join(",") }), signal),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  return new Map(data?.rows.map((row) => [row.kycUUID, row]));
}

type QueueState = {
  table: RefObject<HTMLElement | null>;
  isSelecting: boolean;
  isRenewed: boolean;
  list: string;
};

/** No row moves while somebody is on it or has some selected. */
function useSteadyCases({ rows, readAt }: KycQueue, { table, isSelecting, isRenewed, list }: QueueState) {
  const steady = useSteadyRows({ rows, mark: readAt, list, idOf }, { table, isHeld: isSelecting, isRenewed });
  const gone = useGone(steady.shown, readAt);
  return {
    rows: steady.shown.map((row) => (row.isGone === true ? { ...row, ...gone.get(row.kycUUID) } : row)),
    arrivals: steady.waiting.filter(({ firstSeenAt }) => firstSeenAt > steady.since).length,
    hasMoved: steady.waiting.length > 0,
    showNow: steady.showNow,
    letMove: steady.letMove,
  };
}

type Options = {
  initial: KycQueue;
  filter: KycFilter;
  denial: string | null;
  reasonLimit: number;
};

function useQueue({ initial, filter, denial, reasonLimit }: Options) {
  const values = { ...filterValues(filter), after: filter.after, before: filter.before };
  const address = hrefWith("/api/kyc", values);
  const live = useLivePage({ address, topic: "kyc", initial });
  const table = useRef<HTMLDivElement>(null);
  const [hasSelected, setSelected] = useState(false);
  const steady = useSteadyCases(live.page, {
    table,
    isSelecting: hasSelected,
    isRenewed: live.isRenewed,
    list: address,
  });
  const selection = useSelection(
    steady.rows.flatMap(({ kycUUID, isGone }) => (isGone ? [] : [kycUUID])),
    address,
  );
  const isSelecting = selection.isAll || selection.ids.length > 0;
  if (isSelecting !== hasSelected) setSelected(isSelecting);
  const heir = useFocusHeir(steady.rows);
  const refresh = () => {
    steady.letMove();
    live.refresh();
  };
  const triage = useTriage({
    reasonLimit,
    onBegin: heir.rememberOrder,
    onDecided: (subject) => {
      heir.passFocusOn(subject);
      refresh();
    },
    onChanged: live.refresh,
  });
  useQueueKeys({ rows: steady.rows, denial, triage });
  const say = (said: string) => {
    triage.say(said);
    refresh();
  };
  return { live, table, steady, selection, isSelecting, triage, refresh, say };
}

const EmptyQueue = dynamic(() => import("./empty-queue").then((loaded) => loaded.EmptyQueue));
const QueueBulk = deferred(() => import("./queue-bulk").then((loaded) => loaded.QueueBulk));

type QueueProps = {
  initial: KycQueue;
  filter: KycFilter;
  saved: readonly SavedView[];
  denial: string | null;
  mayAssign: boolean;
  reasonLimit: number;
  unread: ReactNode;
};

export function Queue({ initial, filter, saved, denial, mayAssign, reasonLimit, unread }: QueueProps) {
  const t = useTranslations("kyc");
  const scope = useScope();
  const queue = useQueue({ initial, filter, denial, reasonLimit });
  const { live, table, steady, selection, isSelecting, triage, refresh, say } = queue;
  const { page } = live;
  const columns = useQueueColumns({ filter, selectAll: mayAssign ? <SelectPage selection={selection} /> : null });
  const rowOf = (row: SteadyRow) => (
    <QueueRow
      key={row.kycUUID}
      row={row}
      href={hrefWith(`/kyc/${encodeURIComponent(row.kycUUID)}`, filterValues(filter))}
      now={page.readAt}
      dueSoonHours={page.dueSoonHours}
      sort={sortOf(filter)}
      denial={denial}
      isSelected={mayAssign && !row.isGone ? selection.isOn(row.kycUUID) : null}
      onSelect={(isRange) => selection.toggle(row.kycUUID, isRange)}
      onIntent={() => void loadDecisionDialog()}
      onDecide={() => triage.begin(row)}
    />
  );

  return (
    <>
      <QueueTabs filter={filter} views={page.views} fresh={page} saved={saved}>
        <SaveView area="kyc" search={queueSearch(filter)} plainHref="/kyc?view=all" saved={saved} onSaid={say} />
        {triage.hint}
        <NextButton isPrimary next={triage.next} denial={denial} />
        <Freshness
          asOf={page.asOf}
          wasTried={page.failure !== null || page.rows.length > 0}
          isRefreshing={live.isRefreshing}
          refresh={refresh}
        />
      </QueueTabs>
      <QueueToolbar filter={filter} counts={page.counts} likeShown={page.likeShown} fresh={page} scope={scope.id} />
      {page.asOf === null ? null : <ReadSoFar count={page.readSoFar} />}
      <ReadRows
        fresh={page}
        trouble={live.trouble}
        icon="shield-check"
        empty={
          steady.rows.length === 0 && (unread === null || !mayHoldUnread(filter)) ? (
            <EmptyQueue filter={filter} isWhole={page.readSoFar === null} />
          ) : null
        }
      >
        <div ref={table}>
          <QueueNews arrivals={steady.arrivals} hasMoved={steady.hasMoved} onShow={steady.showNow} />
          {steady.rows.length === 0 ? null : (
            <DataTable label={t("title")} columns={columns} isPaired>
              {steady.rows.map(rowOf)}
            </DataTable>
          )}
        </div>
        {steady.rows.length === 0 ? null : (
          <QueuePages
            filter={filter}
            total={page.total}
            readSoFar={page.readSoFar}
            previous={page.previous}
            next={page.next}
          />
        )}
      </ReadRows>
      {unread}
      {isSelecting ? (
        <QueueBulk selection={selection} total={page.total} search={queueSearch(filter)} onDone={say} />
      ) : null}
      {triage.overlays}
    </>
  );
}

function SelectPage({ selection }: { selection: ReturnType<typeof useSelection> }) {
  const t = useTranslations("kycQueue");
  return (
    <input
      type="checkbox"
      checked={selection.isWholePage}
      aria-label={t("selectPage")}
      onChange={selection.togglePage}
      className="relative z-1 mr-3 size-4 align-middle accent-accent @max-[47rem]:mr-2"
    />
  );
}

const OTHER = { asc: "desc", desc: "asc" } as const;

type QueueColumnsProps = { filter: KycFilter; selectAll: ReactNode };

export function useQueueColumns({ filter, selectAll }: QueueColumnsProps): Column[] {
  const t = useTranslations("kyc.columns");
  const queue = useTranslations("kycQueue");
  const [sort, order] = [sortOf(filter), orderOf(filter)];
  const by = (wanted: KycSort) => {
    const isCurrent = wanted === sort;
    return {
      href: queueHref(filter, { sort: wanted, order: isCurrent ? OTHER[order] : NATURAL_ORDER[wanted] }),
      direction: isCurrent ? order : null,
      icon: isCurrent ? <Icon of="arrow-up" size={11} className={order === "asc" ? "" : "rotate-180"} /> : null,
    };
  };
  const time = sort === "changed" ? t("changed") : sort === "waiting" ? queue("columns.waiting") : t("firstSeen");
  return [
    {
      header: t("status"),
      width: selectAll === null ? "w-[clamp(8.5rem,11cqi,9rem)]" : "w-[clamp(10rem,14cqi,11rem)]",
      content:
        selectAll === null ? undefined : (
          <>
            {selectAll}
            {t("status")}
          </>
        ),
    },
    { header: t("document"), width: "w-[clamp(10.75rem,16cqi,18rem)]" },
    {
      header: t("process"),
      from: "medium",
      content: (
        <>
          <span data-from="wide">{t("type")} · </span>
          {t("process")}
        </>
      ),
    },
    { header: queue("columns.assignee"), width: "w-[max(6.25rem,11cqi)]" },
    { header: queue("columns.due"), width: "w-[clamp(8.5rem,12cqi,9.25rem)]", sort: by("due") },
    {
      header: time,
      width: "w-[5.75rem]",
      from: "wide",
      align: "end",
      sort: by(sort === "due" ? "arrival" : sort),
    },
    { header: t("action"), width: "w-[clamp(6rem,8cqi,8rem)]", align: "end", isHeaderHidden: true },
  ];
}

export const decideButtonId = (kycUUID: string) => `decide-${kycUUID}`;

type QueueRowProps = {
  row: SteadyRow;
  href: string;
  now: string;
  dueSoonHours: number;
  sort: KycSort;
  denial: string | null;
  /** Null: nothing can be selected. */
  isSelected: boolean | null;
  onSelect: (isRange: boolean) => void;
  onIntent: () => void;
  onDecide: () => void;
};

/** By deadline, how long ago the case came. */
const timeOf = (row: SteadyRow, sort: KycSort) =>
  sort === "changed" ? row.changedAt : sort === "waiting" ? (row.waitingSince ?? row.firstSeenAt) : row.firstSeenAt;

export function QueueRow({ row, href, now, dueSoonHours, sort, ...given }: QueueRowProps) {
  const t = useTranslations("kycQueue");
  const status = useTranslations("kyc.status");
  const approvals = useTranslations("approvals");
  const locale = useLocale();
  const { isSelected, onSelect } = given;
  const due = useDue({ row, now, dueSoonHours });
  return (
    <tr
      data-case={row.kycUUID}
      className={cn(row.isGone && "text-faint", isSelected && "bg-accent-tint!") || undefined}
    >
      <td className={isUnknown(row.status) ? undefined : statusCell(kycLookOf(row.status))}>
        {isSelected === null ? null : (
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={t("select", { document: row.vatNumber })}
            onChange={({ nativeEvent }) => onSelect(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
            className="row-select"
          />
        )}
        {isUnknown(row.status) ? <KycStatusBadge status={row.status} /> : status(row.status)}
      </td>
      <td title={row.tags.join(", ") || undefined}>
        <Link href={href} prefetch={false} className="row-link font-medium">
          {row.vatNumber}
        </Link>
        {row.tags.length === 0 ? null : <span className="text-sm text-muted"> {row.tags.join(" · ")}</span>}
      </td>
      <td data-from="medium" className="py-1.5 wrap-anywhere whitespace-normal! @max-[58rem]:text-sm">
        <span data-from="wide">
          <KycTypeName type={row.kycType} /> ·{" "}
        </span>
        {row.isGone ? t("gone") : <KycStepName process={row.process} />}
        {row.pendingApproval === null ? null : <span className="text-muted"> · {approvals("waits")}</span>}
      </td>
      <td
        title={row.assignee?.name}
        className={row.assignee === null ? "text-faint" : undefined}
        data-initials={row.assignee ? initialsOf(row.assignee.name) : undefined}
      >
        {row.assignee === null ? t("nobody") : row.assignee.name}
      </td>
      <td
        title={row.dueAt === null ? undefined : t("due.until", { time: formatDateTime(row.dueAt, locale) })}
        className={due === null ? undefined : cn("whitespace-normal!", statusCell(due))}
      >
        {due?.text}
      </td>
      <td data-from="wide" data-align="end">
        <Age since={timeOf(row, sort)} now={now} />
      </td>
      <td data-align="end">
        <DecideCell row={row} {...given} />
      </td>
    </tr>
  );
}

type DecideCellProps = Pick<QueueRowProps, "row" | "denial" | "onIntent" | "onDecide">;

function DecideCell({ row, denial, onIntent, onDecide }: DecideCellProps) {
  const t = useTranslations("kyc");
  const approvals = useTranslations("approvals");
  // A waiting proposal excludes another.
  const blockedReason =
    denial ?? (row.pendingApproval && approvals("alreadyWaits", { name: row.pendingApproval.makerName }));
  const isDecided = row.status === "APPROVED" || row.status === "REPROVED";
  if (blockedReason !== null) {
    return (
      <DeniedButton reason={blockedReason} className={cn(buttonClass("plain", "small"), "row-action")}>
        {t("decide")}
      </DeniedButton>
    );
  }
  return (
    <Button
      id={decideButtonId(row.kycUUID)}
      size="small"
      tone={isDecided ? "quiet" : "plain"}
      aria-label={`${isDecided ? t("decideAgain") : t("decide")}: ${row.vatNumber}`}
      onClick={onDecide}
      onFocus={onIntent}
      onPointerEnter={onIntent}
      className="row-action"
    >
      {t("decide")}
    </Button>
  );
}
