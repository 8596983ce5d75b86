"use client";

import { ListChecks } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { DataTable } from "@/components/table/data-table";
import { EmptyView } from "@/components/table/empty-view";
import { Freshness } from "@/components/live/freshness";
import { Pagination } from "@/components/table/pagination";
import { StaleNotice } from "@/components/live/stale-notice";
import { TabLinks } from "@/components/ui/tab-links";
import { useLivePage } from "@/components/live/use-live-page";
import { APPROVAL_VIEWS, type ApprovalView } from "@/lib/approvals/view";
import type { ApprovalList } from "@/lib/approvals/queries";
import { formatCount } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { InboxRow, useInboxColumns } from "./inbox-row";
import { ShortcutButton, ShortcutSheet } from "./shortcut-button";
import { useShortcuts } from "./use-shortcuts";

function focusRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("a[data-approval]")];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = at === -1 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1);
  links[next]?.focus();
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
  const shortcuts = useMemo(() => ({ j: () => focusRow(1), k: () => focusRow(-1), "?": () => setSheetOpen(true) }), []);
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
      {isSheetOpen ? <ShortcutSheet onClose={() => setSheetOpen(false)} /> : null}
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
  return <EmptyView icon={ListChecks} {...words[view]} />;
}
