"use client";

import { useTranslations, useLocale } from "next-intl";
import dynamic from "next/dynamic";
import Link from "next/link";
import { Age } from "@/components/freshness/age";
import { BELOW, type Columns } from "@/components/table/data-table";
import type { Selection } from "@/components/table/use-selection";
import { buttonClass } from "@/components/ui/button";
import { OpenableTable } from "@/components/table/openable-table";
import { useOpenRows } from "@/components/table/use-steady-rows";
import { Badge } from "@/components/ui/badge";
import type { ApprovalFileColumn, ApprovalRow, ApprovalList } from "@/lib/approvals/queries";
import { cn } from "@/components/ui/cn";
import { ApprovalAmount, ApprovalKindName, ApprovalStateBadge, ApprovalSummary } from "./approval-words";
import { Countdown } from "./countdown";
import { useMemo, useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { NoRows } from "@/components/layout/empty-view";
import { ListScreen } from "@/components/list-screen/list-screen";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterPeriod } from "@/components/table/filter-period";
import { Pagination } from "@/components/table/pagination";
import type { ApprovalFilter } from "@/lib/approvals/inputs";
import type { ApprovalKindName as Kind } from "@/lib/permission/writes";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import type { SavedView } from "@/lib/preferences/queries";
import { useLivePage } from "@/components/live/use-live-page";
import { APPROVAL_VIEWS, type ApprovalSort, type ApprovalView } from "@/lib/approvals/view";
import { formatCount, formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { ShortcutSheet } from "@/app/(console)/shell/list-keys";
import { SeeResults } from "./see-results";
import { ShortcutButton, useShortcuts } from "./shortcuts";
import { useRefusing } from "./use-refusing";

const PATH = "/approvals";

const hrefOf = (filter: ApprovalFilter, change: Partial<ApprovalFilter> = {}, path = PATH): string => {
  const { page, ...rest } = { ...filter, page: 1, ...change };
  return hrefWith(path, { ...rest, page: page === 1 ? null : page });
};

type Sorting = {
  view: ApprovalView;
  sort: ApprovalSort | undefined;
  order: "asc" | "desc" | undefined;
  filter: ApprovalFilter;
};

/** Oldest and nearest first, until the same column is pressed again. */
function sortLink({ view, sort, order, filter }: Sorting, column: "created" | "expires") {
  const natural = view === "waiting" ? "expires" : "created";
  const isCurrent = (sort ?? natural) === column;
  const now = order ?? (view !== "waiting" && column === "created" ? "desc" : "asc");
  const next = isCurrent && now === "asc" ? "desc" : "asc";
  return { href: hrefOf(filter, { sort: column, order: next }), direction: isCurrent ? now : null };
}

/** Columns of the file that the screen shows within others, or in one of its views. */
type Within = "id" | "asset" | "from" | "to" | "by" | "expires" | "state" | "reason";

type InboxColumns = Columns<ApprovalRow> & Columns<ApprovalRow, Exclude<ApprovalFileColumn, Within>>;

type ColumnsOf = { sorting: Sorting; asOf: string | null; selection: Selection | null };

function useInboxColumns({ sorting, asOf, selection }: ColumnsOf): InboxColumns {
  const t = useTranslations("approvals.columns");
  const many = useTranslations("approvals.many");
  const isWaiting = sorting.view === "waiting";
  const words = useTranslations("common");
  return {
    what: {
      header: t("what"),
      content:
        selection === null ? undefined : (
          <>
            <input
              type="checkbox"
              checked={selection.isWholePage}
              aria-label={many("selectPage")}
              onChange={selection.togglePage}
              className="relative z-1 mr-3 size-4 align-middle accent-accent"
            />
            {t("what")}
          </>
        ),
      width: "title",
      td: "py-1.5 whitespace-normal! @max-medium:row-span-2",
      cell: ({ id, kind, decision, owes, isRefusable, makerName }) => (
        <>
          {selection === null || !isRefusable ? null : (
            <input
              type="checkbox"
              checked={selection.isOn(id)}
              aria-label={many("select", { what: makerName })}
              onChange={({ nativeEvent }) =>
                selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
              className="row-select"
            />
          )}
          <span className="block min-w-0 overflow-hidden">
            <Link href={`/approvals/${id}`} prefetch={false} data-approval className="row-link font-medium">
              <ApprovalKindName kind={kind} />
            </Link>
            <WhoActs decision={decision} owes={owes} />
          </span>
        </>
      ),
    },
    about: {
      header: t("about"),
      width: "text",
      td: cn(BELOW, "py-1.5 whitespace-normal!"),
      cell: (row) => <ApprovalSummary row={row} isAmountApart />,
    },
    amount: {
      header: t("amount"),
      width: "amount",
      align: "end",
      td: "wraps font-medium @max-medium:empty:hidden!",
      cell: ({ headline }) => <ApprovalAmount headline={headline} />,
    },
    created: {
      header: t("created"),
      width: "date",
      from: "widest",
      align: "end",
      sort: sortLink(sorting, "created"),
      cell: ({ createdAt }) => <Age since={createdAt} now={asOf ?? createdAt} />,
    },
    ...(isWaiting
      ? {
          expires: {
            header: t("expires"),
            width: "name",
            align: "end",
            td: "whitespace-normal!",
            sort: sortLink(sorting, "expires"),
            cell: ({ expiresAt, createdAt }) => <Countdown expiresAt={expiresAt} now={asOf ?? createdAt} />,
          },
        }
      : {
          state: {
            header: t("state"),
            width: "status",
            td: "@max-medium:text-end!",
            cell: ({ word, state, expiresAt, createdAt }) => (
              <>
                <ApprovalStateBadge word={word} />
                {sorting.view !== "owed" || state !== "PENDING" ? null : (
                  <span className="block text-sm whitespace-normal">
                    <Countdown expiresAt={expiresAt} now={asOf ?? createdAt} />
                  </span>
                )}
              </>
            ),
          },
        }),
    peek: {
      header: words("peek"),
      isHeaderHidden: true,
      width: "short",
      from: "wide",
      align: "end",
      cell: () => <span className="text-accent">{words("peek")}</span>,
    },
  };
}

function WhoActs({ decision, owes }: Pick<ApprovalRow, "decision" | "owes">) {
  const t = useTranslations("approvals");
  if (decision === null && owes === null) return null;
  return (
    <span className="block text-sm">
      {owes === null ? null : <Badge tone="info">{t(owes === "decide" ? "decision.may" : `owes.${owes}`)}</Badge>}
      {owes !== null || decision === null || decision === "may" ? null : (
        <span className="text-muted">{t(`decision.${decision}`)}</span>
      )}
    </span>
  );
}

const PeekedApproval = deferred(() => import("./peeked-approval").then((loaded) => loaded.PeekedApproval));

const GroupedTable = dynamic(() => import("./grouped-table").then((loaded) => loaded.GroupedTable));

const searchOf = (filter: ApprovalFilter): string => hrefOf(filter).slice(PATH.length + 1);

type FiltersProps = {
  filter: ApprovalFilter;
  kinds: readonly Kind[];
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
};

function Filters({ filter, kinds, saved, onSaid }: FiltersProps) {
  const { view, kind, period, from, to, sort, order } = filter;
  const t = useTranslations();
  const chosen = [kind, period, from, to];
  return (
    <FilterBar
      path={PATH}
      params={{ view, sort, order }}
      isFiltered={chosen.some(Boolean)}
      words={{ apply: t("approvals.apply"), clear: t("approvals.clear") }}
      chosen={chosen}
      first={
        <FilterChoice
          name="kind"
          label={t("approvals.columns.what")}
          value={kind}
          any={t("approvals.anyKind")}
          options={kinds.map((value) => ({ value, label: t(`writes.${value}`) }))}
          isWide
        />
      }
      more={<FilterPeriod isByDay period={period} from={from} to={to} />}
      beside={
        <SaveView
          area="approvals"
          search={searchOf(filter)}
          plainHref={hrefWith(PATH, { view })}
          saved={saved}
          onSaid={onSaid}
        />
      }
    />
  );
}

type InboxProps = {
  initial: ApprovalList;
  filter: ApprovalFilter;
  kinds: readonly Kind[];
  saved: readonly SavedView[];
};

export function Inbox({ initial, filter: asked, kinds, saved }: InboxProps) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const opening = useOpenRows();
  const shortcuts = useMemo(() => ({ "?": () => setSheetOpen(true) }), []);
  useShortcuts(shortcuts);
  const { view } = initial;
  const filter = { ...asked, view };
  const { sort, order } = filter;
  const sorting = { view, sort, order, filter };
  const address = hrefOf(filter, { page: filter.page }, "/api/approvals");
  const live = useLivePage({ address, topic: "approvals", initial });
  const { page } = live;
  const isFiltered = [filter.kind, filter.period, filter.from, filter.to].some(Boolean);
  const refusing = useRefusing({ rows: page.rows, list: address, onDone: live.refresh });
  const columns = useInboxColumns({ sorting, asOf: page.asOf, selection: refusing.selection });
  const results = page.rows.flatMap(({ id, owes }) => (owes === "result" ? [id] : []));
  const { peek: _, ...grouped } = columns;
  const tabs = APPROVAL_VIEWS.map((name) => ({
    href: hrefOf(filter, { view: name }),
    label: t(`views.${name}`),
    count: formatCount(page.counts[name], locale),
    isCurrent: name === view,
  }));
  return (
    <>
      <ListScreen
        live={live}
        icon="list-checks"
        tabs={<ViewTabs label={t("filterView")} path={PATH} tabs={tabs} search={searchOf(filter)} saved={saved} />}
        beside={
          <>
            {view === "owed" && results.length > 0 && sort !== "account" ? (
              <SeeResults ids={results} onDone={live.refresh} />
            ) : (
              <Link
                href={hrefOf(filter, { sort: sort === "account" ? undefined : "account", order: undefined })}
                prefetch={false}
                className={buttonClass("quiet", "small")}
              >
                {t(sort === "account" ? "groupOff" : "groupOn")}
              </Link>
            )}
            <ShortcutButton onOpen={() => setSheetOpen(true)} />
          </>
        }
        filters={<Filters filter={filter} kinds={kinds} saved={saved} onSaid={setSaid} />}
        said={said}
        empty={page.rows.length === 0 ? <EmptyInbox view={view} isFiltered={isFiltered} /> : null}
        pages={<Pagination {...page} hrefOf={(number) => hrefOf(filter, { page: number })} />}
      >
        {sort === "account" ? (
          <GroupedTable columns={grouped} rows={page.rows} />
        ) : (
          <OpenableTable
            label={t("title")}
            columns={columns}
            rows={page.rows}
            keyOf={({ id }) => id}
            by="peek"
            details={{
              ...opening,
              labelOf: ({ createdAt }) => t("peekAt", { time: formatDateTime(createdAt, locale) }),
              contentOf: (row) => <PeekedApproval row={row} asOf={page.asOf} />,
            }}
            narrow="grid"
          />
        )}
      </ListScreen>
      {refusing.overlays}
      {isSheetOpen ? <ShortcutSheet of="approvals" onClose={() => setSheetOpen(false)} /> : null}
    </>
  );
}

function EmptyInbox({ view, isFiltered }: { view: ApprovalView; isFiltered: boolean }) {
  const t = useTranslations("approvals");
  const words = {
    owed: { title: t("emptyOwedTitle"), body: t("emptyOwedBody") },
    waiting: { title: t("emptyWaitingTitle"), body: t("emptyWaitingBody") },
    mine: { title: t("emptyMineTitle"), body: t("emptyMineBody") },
    decided: { title: t("emptyDecidedTitle"), body: t("emptyDecidedBody") },
  };
  return <NoRows icon="list-checks" isFiltered={isFiltered} plainHref={hrefWith(PATH, { view })} {...words[view]} />;
}
