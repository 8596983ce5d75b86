"use client";

import { useTranslations, useLocale } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/freshness/age";
import { type Column, BELOW, WIDE_ONLY, DataTable } from "@/components/table/data-table";
import { Badge } from "@/components/ui/badge";
import type { ApprovalRow, ApprovalList } from "@/lib/approvals/queries";
import { cn } from "@/components/ui/cn";
import { ApprovalKindName, ApprovalStateBadge, ApprovalSummary } from "./approval-words";
import { Countdown } from "./countdown";
import { useMemo, useState } from "react";
import { EmptyView } from "@/components/layout/empty-view";
import { Freshness } from "@/components/freshness/freshness";
import { Pagination } from "@/components/table/pagination";
import { StaleNotice } from "@/components/freshness/stale-notice";
import { TabLinks } from "@/components/ui/tab-links";
import { useLivePage } from "@/components/live/use-live-page";
import { APPROVAL_VIEWS, type ApprovalView } from "@/lib/approvals/view";
import { formatCount } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { ShortcutSheet } from "@/app/(console)/shell/list-keys";
import { ShortcutButton, useShortcuts } from "./shortcuts";

function useInboxColumns(isWaiting: boolean): Column[] {
  const t = useTranslations("approvals.columns");
  return [
    { header: t("what"), width: "w-[clamp(10rem,20cqi,15rem)]" },
    { header: t("about") },
    { header: t("created"), width: "w-[7rem]", from: "medium", align: "end" },
    isWaiting
      ? { header: t("expires"), width: "w-[7.5rem]", align: "end" }
      : { header: t("state"), width: "w-[clamp(9.75rem,16cqi,12rem)]" },
  ];
}

type InboxRowProps = { row: ApprovalRow; now: string; isWaiting: boolean };

function InboxRow({ row, now, isWaiting }: InboxRowProps) {
  return (
    <tr className="stacked-row @max-[38rem]:gap-x-3">
      <td className="py-1.5 whitespace-normal!">
        <Link href={`/approvals/${row.id}`} prefetch={false} data-approval className="row-link font-medium">
          <ApprovalKindName kind={row.kind} />
        </Link>
        <WhoDecides decision={row.decision} />
      </td>
      <td className={cn(BELOW, "py-1.5 whitespace-normal!")}>
        <ApprovalSummary row={row} />
      </td>
      <td data-from="medium" data-align="end" className={WIDE_ONLY}>
        <Age since={row.createdAt} now={now} />
      </td>
      {isWaiting ? (
        <td data-align="end">
          <Countdown expiresAt={row.expiresAt} now={now} />
        </td>
      ) : (
        <td>
          <ApprovalStateBadge state={row.state} />
        </td>
      )}
    </tr>
  );
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

type InboxProps = { initial: ApprovalList; pageNumber: number };

export function Inbox({ initial, pageNumber }: InboxProps) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  const { view } = initial;
  const isWaiting = view === "waiting";
  const columns = useInboxColumns(isWaiting);
  const address = hrefWith("/api/approvals", { view, page: pageNumber });
  const live = useLivePage({ address, topic: "approvals", initial });
  const [isSheetOpen, setSheetOpen] = useState(false);
  const shortcuts = useMemo(() => ({ "?": () => setSheetOpen(true) }), []);
  useShortcuts(shortcuts);
  const { page } = live;
  const tabs = APPROVAL_VIEWS.map((name) => ({
    href: hrefWith("/approvals", { view: name }),
    label: name === "waiting" && !page.canDecide ? t("views.waitingOwn") : t(`views.${name}`),
    count: formatCount(page.counts[name], locale),
    isCurrent: name === view,
  }));
  return (
    <>
      <div className="flex items-center gap-4 border-b border-line px-5">
        <div className="min-w-0 flex-1">
          <TabLinks label={t("filterView")} tabs={tabs} />
        </div>
        <ShortcutButton onOpen={() => setSheetOpen(true)} />
        <Freshness asOf={page.asOf} isRefreshing={live.isRefreshing} refresh={live.refresh} />
      </div>
      {live.trouble ? <StaleNotice fresh={page} trouble={live.trouble} /> : null}
      {page.rows.length === 0 ? (
        <EmptyInbox view={view} />
      ) : (
        <>
          <DataTable label={t("title")} columns={columns} isStacked>
            {page.rows.map((row) => (
              <InboxRow key={row.id} row={row} now={page.asOf ?? row.createdAt} isWaiting={isWaiting} />
            ))}
          </DataTable>
          <Pagination
            page={page.page}
            totalPages={page.totalPages}
            total={page.total}
            hrefOf={(number) => hrefWith("/approvals", { view, page: number })}
          />
        </>
      )}
      {isSheetOpen ? <ShortcutSheet of="approvals" onClose={() => setSheetOpen(false)} /> : null}
    </>
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
