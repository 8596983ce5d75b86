"use client";

import { useTranslations, useLocale } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/freshness/age";
import { BELOW, type Columns, DataTable, TableFrame, TableRow } from "@/components/table/data-table";
import type { Selection } from "@/components/table/use-selection";
import { buttonClass } from "@/components/ui/button";
import { Badge } from "@/components/ui/badge";
import type { ApprovalRow, ApprovalList } from "@/lib/approvals/queries";
import { cn } from "@/components/ui/cn";
import { ApprovalKindName, ApprovalStateBadge, ApprovalSummary } from "./approval-words";
import { Countdown } from "./countdown";
import { Fragment, useMemo, useState } from "react";
import { EmptyView } from "@/components/layout/empty-view";
import { ListScreen } from "@/components/list-screen/list-screen";
import { Pagination } from "@/components/table/pagination";
import { TabLinks } from "@/components/ui/tab-links";
import { useLivePage } from "@/components/live/use-live-page";
import { APPROVAL_VIEWS, type ApprovalSort, type ApprovalView } from "@/lib/approvals/view";
import { formatCount } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { ShortcutSheet } from "@/app/(console)/shell/list-keys";
import { ShortcutButton, useShortcuts } from "./shortcuts";
import { ShownValue } from "./shown-value";
import { useRefusing } from "./use-refusing";

type Sorting = { view: ApprovalView; sort: ApprovalSort | undefined; order: "asc" | "desc" | undefined };

/** Oldest and nearest first, until the same column is pressed again. */
function sortLink({ view, sort, order }: Sorting, column: "created" | "expires") {
  const natural = view === "waiting" ? "expires" : "created";
  const isCurrent = (sort ?? natural) === column;
  const now = order ?? (view !== "waiting" && column === "created" ? "desc" : "asc");
  const next = isCurrent && now === "asc" ? "desc" : "asc";
  return { href: hrefWith("/approvals", { view, sort: column, order: next }), direction: isCurrent ? now : null };
}

type InboxColumns = { sorting: Sorting; asOf: string | null; selection: Selection | null };

function useInboxColumns({ sorting, asOf, selection }: InboxColumns): Columns<ApprovalRow> {
  const t = useTranslations("approvals.columns");
  const many = useTranslations("approvals.many");
  const isWaiting = sorting.view === "waiting";
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
      width: "name",
      td: "py-1.5 whitespace-normal!",
      cell: ({ id, kind, decision, isRefusable, makerName }) => (
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
          <Link href={`/approvals/${id}`} prefetch={false} data-approval className="row-link font-medium">
            <ApprovalKindName kind={kind} />
          </Link>
          <WhoDecides decision={decision} />
        </>
      ),
    },
    about: {
      header: t("about"),
      width: "text",
      td: cn(BELOW, "py-1.5 whitespace-normal!"),
      cell: (row) => <ApprovalSummary row={row} />,
    },
    created: {
      header: t("created"),
      width: "date",
      from: "medium",
      align: "end",
      sort: sortLink(sorting, "created"),
      cell: ({ createdAt }) => <Age since={createdAt} now={asOf ?? createdAt} />,
    },
    ...(isWaiting
      ? {
          expires: {
            header: t("expires"),
            width: "date",
            align: "end",
            sort: sortLink(sorting, "expires"),
            cell: ({ expiresAt, createdAt }) => <Countdown expiresAt={expiresAt} now={asOf ?? createdAt} />,
          },
        }
      : {
          state: {
            header: t("state"),
            width: "status",
            cell: ({ word }) => <ApprovalStateBadge word={word} />,
          },
        }),
  };
}

function WhoDecides({ decision }: Pick<ApprovalRow, "decision">) {
  const t = useTranslations("approvals.decision");
  if (decision === null) return null;
  return (
    <span className="block text-sm">
      {decision === "may" ? <Badge tone="info">{t("may")}</Badge> : <span className="text-muted">{t(decision)}</span>}
    </span>
  );
}

type InboxProps = { initial: ApprovalList } & Pick<Sorting, "sort" | "order">;

export function Inbox({ initial, sort, order }: InboxProps) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  const { view, page: pageNumber } = initial;
  const sorting = { view, sort, order };
  const address = hrefWith("/api/approvals", { ...sorting, page: pageNumber });
  const live = useLivePage({ address, topic: "approvals", initial });
  const [isSheetOpen, setSheetOpen] = useState(false);
  const shortcuts = useMemo(() => ({ "?": () => setSheetOpen(true) }), []);
  useShortcuts(shortcuts);
  const { page } = live;
  const refusing = useRefusing({ rows: page.rows, list: address, onDone: live.refresh });
  const columns = useInboxColumns({ sorting, asOf: page.asOf, selection: refusing.selection });
  const tabs = APPROVAL_VIEWS.map((name) => ({
    href: hrefWith("/approvals", { view: name }),
    label: name === "waiting" && !page.canDecide ? t("views.waitingOwn") : t(`views.${name}`),
    count: formatCount(page.counts[name], locale),
    isCurrent: name === view,
  }));
  return (
    <>
      <ListScreen
        live={live}
        icon="list-checks"
        tabs={<TabLinks label={t("filterView")} tabs={tabs} />}
        beside={
          <>
            <Link
              href={hrefWith("/approvals", { view, sort: sort === "account" ? undefined : "account" })}
              prefetch={false}
              className={buttonClass("quiet", "small")}
            >
              {t(sort === "account" ? "groupOff" : "groupOn")}
            </Link>
            <ShortcutButton onOpen={() => setSheetOpen(true)} />
          </>
        }
        empty={page.rows.length === 0 ? <EmptyInbox view={view} /> : null}
        pages={<Pagination {...page} hrefOf={(number) => hrefWith("/approvals", { ...sorting, page: number })} />}
      >
        {sort === "account" ? (
          <GroupedTable columns={columns} rows={page.rows} />
        ) : (
          <DataTable label={t("title")} columns={columns} rows={page.rows} keyOf={({ id }) => id} narrow="grid" />
        )}
      </ListScreen>
      {refusing.overlays}
      {isSheetOpen ? <ShortcutSheet of="approvals" onClose={() => setSheetOpen(false)} /> : null}
    </>
  );
}

type GroupedTableProps = { columns: Columns<ApprovalRow>; rows: readonly ApprovalRow[] };

function GroupedTable({ columns, rows }: GroupedTableProps) {
  const t = useTranslations("approvals");
  return (
    <TableFrame label={t("title")} columns={columns} narrow="grid">
      {rows.map((row, nth) => {
        const { account } = row;
        const isFirst = nth === 0 || rows[nth - 1]?.account?.key !== account?.key;
        return (
          <Fragment key={row.id}>
            {isFirst ? (
              <tr>
                <th scope="rowgroup" colSpan={Object.keys(columns).length} className="text-start font-medium">
                  {account === null ? (
                    t("groupOthers")
                  ) : (
                    <>
                      {account.name === null ? null : <ShownValue value={account.name} />}
                      <span className="text-muted"> · {t("group", { count: account.others + 1 })}</span>
                    </>
                  )}
                </th>
              </tr>
            ) : null}
            <TableRow columns={columns} row={row} />
          </Fragment>
        );
      })}
    </TableFrame>
  );
}

function EmptyInbox({ view }: { view: ApprovalView }) {
  const t = useTranslations("approvals");
  const words = {
    waiting: { title: t("emptyWaitingTitle"), body: t("emptyWaitingBody") },
    mine: { title: t("emptyMineTitle"), body: t("emptyMineBody") },
    decided: { title: t("emptyDecidedTitle"), body: t("emptyDecidedBody") },
  };
  return <EmptyView icon="list-checks" {...words[view]} />;
}
