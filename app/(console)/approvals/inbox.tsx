"use client";

import { useTranslations, useLocale } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/freshness/age";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { Badge } from "@/components/ui/badge";
import type { ApprovalRow, ApprovalList } from "@/lib/approvals/queries";
import { cn } from "@/components/ui/cn";
import { ApprovalKindName, ApprovalStateBadge, ApprovalSummary } from "./approval-words";
import { Countdown } from "./countdown";
import { useMemo, useState } from "react";
import { EmptyView } from "@/components/layout/empty-view";
import { ListScreen } from "@/components/list-screen/list-screen";
import { Pagination } from "@/components/table/pagination";
import { TabLinks } from "@/components/ui/tab-links";
import { useLivePage } from "@/components/live/use-live-page";
import { APPROVAL_VIEWS, type ApprovalView } from "@/lib/approvals/view";
import { formatCount } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { ShortcutSheet } from "@/app/(console)/shell/list-keys";
import { ShortcutButton, useShortcuts } from "./shortcuts";

function useInboxColumns(isWaiting: boolean, asOf: string | null): Columns<ApprovalRow> {
  const t = useTranslations("approvals.columns");
  return {
    what: {
      header: t("what"),
      width: "name",
      td: "py-1.5 whitespace-normal!",
      cell: ({ id, kind, decision }) => (
        <>
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
      cell: ({ createdAt }) => <Age since={createdAt} now={asOf ?? createdAt} />,
    },
    ...(isWaiting
      ? {
          expires: {
            header: t("expires"),
            width: "date",
            align: "end",
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

type InboxProps = { initial: ApprovalList; pageNumber: number };

export function Inbox({ initial, pageNumber }: InboxProps) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  const { view } = initial;
  const isWaiting = view === "waiting";
  const address = hrefWith("/api/approvals", { view, page: pageNumber });
  const live = useLivePage({ address, topic: "approvals", initial });
  const [isSheetOpen, setSheetOpen] = useState(false);
  const shortcuts = useMemo(() => ({ "?": () => setSheetOpen(true) }), []);
  useShortcuts(shortcuts);
  const { page } = live;
  const columns = useInboxColumns(isWaiting, page.asOf);
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
        beside={<ShortcutButton onOpen={() => setSheetOpen(true)} />}
        empty={page.rows.length === 0 ? <EmptyInbox view={view} /> : null}
        pages={<Pagination {...page} hrefOf={(number) => hrefWith("/approvals", { view, page: number })} />}
      >
        <DataTable label={t("title")} columns={columns} rows={page.rows} keyOf={({ id }) => id} narrow="grid" />
      </ListScreen>
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
