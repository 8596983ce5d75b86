"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/freshness/age";
import { useNow } from "@/components/freshness/use-now";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { OnboardingStatusBadge } from "@/components/layout/badges";
import { ProviderText } from "@/components/layout/provider-text";
import { type Steady, useSteadyRows } from "@/components/table/use-steady-rows";
import { cn } from "@/components/ui/cn";
import type { OnboardingRow, OnboardingQueue } from "@/lib/onboarding/queries";
import { WhoActs } from "./onboarding-words";
import { type ReactNode, useRef, useState } from "react";
import { ListScreen } from "@/components/list-screen/list-screen";
import { NoRows } from "@/components/layout/empty-view";
import { useLivePage } from "@/components/live/use-live-page";
import { NewsButton } from "@/components/table/news-button";
import { Pagination } from "@/components/table/pagination";
import { ViewTabs } from "@/app/(console)/saved-views/save-view";
import {
  addressedFilter,
  ONBOARDING_VIEWS,
  type QueueFilter,
  onboardingQueueHref,
  onboardingQueueSearch,
} from "@/lib/onboarding/view";
import { formatCount } from "@/lib/text/format";
import { countKnown, hrefWith } from "@/lib/text/page";
import { isThisMachine } from "@/lib/text/safe-link";
import type { SavedView } from "@/lib/preferences/queries";
import { QueueToolbar } from "./queue-toolbar";

type Row = Steady<OnboardingRow>;

type QueueColumnsOf = { now: string; view: QueueFilter["status"] };

function useQueueColumns({ now, view }: QueueColumnsOf): Columns<Row> {
  const t = useTranslations("onboarding");
  const isOneStatus = view === "ERROR" || view === "CONFIRMED";
  return {
    ...(isOneStatus
      ? {}
      : {
          status: {
            header: t("columns.status"),
            width: "status",
            td: "@max-medium:text-end!",
            cell: ({ status }) => <OnboardingStatusBadge status={status} />,
          },
        }),
    document: {
      header: t("columns.document"),
      width: "address",
      td: "py-1.5 whitespace-normal! @max-medium:order-first @max-medium:text-start!",
      cell: (row) => <Document row={row} />,
    },
    acts: {
      header: t("columns.acts"),
      width: "short",
      td: cn("@max-medium:text-end!", !isOneStatus && "@max-medium:order-2"),
      cell: ({ whoActs }) => <WhoActs who={whoActs} />,
    },
    stage: {
      header: t(view === "ERROR" ? "columns.reason" : "columns.stage"),
      width: "text",
      td: cn("py-1.5 whitespace-normal!", isOneStatus ? BELOW : "@max-medium:order-1 @max-medium:text-start!"),
      cell: ({ stage, biometric, reason }) => (
        <>
          {reason === null ? t(`stage.${stage}`) : <ProviderText text={reason} />}
          {reason === null ? null : (
            <span data-from="medium" className="block text-sm text-muted">
              {t(`stage.${stage}`)}
            </span>
          )}
          {biometric === null ? null : (
            <span data-from="widest" className="block text-sm wrap-anywhere text-muted">
              <BiometricHost biometric={biometric} />
            </span>
          )}
        </>
      ),
    },
    kind: { header: t("columns.kind"), width: "name", from: "wide", cell: ({ kind }) => t(`kinds.${kind}`) },
    returns: {
      header: t("columns.returns"),
      width: "short",
      from: "wide",
      align: "end",
      cell: ({ returns }) => <Returns count={returns} />,
    },
    firstSeen: {
      header: t("columns.firstSeen"),
      width: "short",
      from: "medium",
      align: "end",
      cell: ({ firstSeenAt }) => <Age since={firstSeenAt} now={now} />,
    },
    checked: {
      header: t("columns.checked"),
      width: "short",
      from: "widest",
      align: "end",
      cell: ({ checkedAt }) => <Age since={checkedAt} now={now} />,
    },
  };
}

function Document({ row: { id, document, isRetry, isGone } }: { row: Row }) {
  const t = useTranslations("onboarding");
  return (
    <>
      <Link href={`/onboarding/${id}`} prefetch={false} className="row-link font-medium whitespace-nowrap">
        {document}
      </Link>
      {isRetry ? (
        <span title={t("retry")} className="ml-1.5 inline-block align-middle text-faint">
          <Icon of="repeat-2" size={13} />
          <span className="sr-only">{t("retry")}</span>
        </span>
      ) : null}
      {isGone === true ? <span className="ml-1.5 text-sm text-muted">{t("gone")}</span> : null}
    </>
  );
}

function Returns({ count }: { count: number }) {
  const t = useTranslations();
  if (count === 0) return <span className="text-faint">{t("common.none")}</span>;
  return <span title={t("onboarding.returnedTimes", { count })}>{count}×</span>;
}

/** The link itself is on the onboarding's page, where taking it is audited. */
function BiometricHost({ biometric: { isSafe, host } }: { biometric: NonNullable<OnboardingRow["biometric"]> }) {
  const t = useTranslations();
  if (isSafe && isThisMachine(host)) return t("onboardingRecord.link");
  // Wrapped, never cut: the real owner is at the end of a host name.
  const shown = isSafe ? host : host === "" ? t("common.linkRefused") : t("common.linkNotHttps", { host });
  return `${t("onboarding.columns.biometric")}: ${shown}`;
}

type QueueNewsProps = { arrivals: number; hasMoved: boolean; onShow: () => void };

function QueueNews({ arrivals, hasMoved, onShow }: QueueNewsProps) {
  const t = useTranslations("onboarding");
  const news = arrivals > 0 ? t("arrivals", { count: arrivals }) : t("moved");
  return <NewsButton label={hasMoved ? news : null} onShow={onShow} />;
}

type QueueProps = {
  initial: OnboardingQueue;
  filter: QueueFilter;
  saved: readonly SavedView[];
  readAt: string;
  unread: ReactNode;
};

const idOf = ({ id }: OnboardingRow) => id;

export function Queue({ initial, filter, saved, readAt, unread }: QueueProps) {
  const t = useTranslations("onboarding");
  const locale = useLocale();
  const [said, setSaid] = useState<string | null>(null);
  const address = hrefWith("/api/onboarding", addressedFilter(filter));
  const live = useLivePage({ address, topic: "onboarding", initial });
  const { page } = live;
  // While the provider is silent, the rows are older than this page.
  const columns = useQueueColumns({ now: new Date(useNow(readAt)).toISOString(), view: filter.status });
  const table = useRef<HTMLDivElement>(null);
  const { shown, waiting, showNow } = useSteadyRows(
    { rows: page.rows, mark: page.rows, list: address, idOf },
    { table },
  );
  const hasMoved = shown.length !== page.rows.length || shown.some((row, index) => page.rows[index]?.id !== row.id);
  const tabs = ONBOARDING_VIEWS.map((view) => ({
    href: onboardingQueueHref(filter, { status: view, acts: undefined }),
    label: t(`filters.${view}`),
    count: countKnown(formatCount(page.counts[view], locale), page.counts[view], page),
    isCurrent: view === filter.status,
  }));
  const isFiltered = narrows(filter);
  const isEmpty = shown.length === 0 && (unread === null || isFiltered);
  const noRows = { isFiltered, plainHref: ALL_HREF, title: t("emptyTitle"), body: t("emptyBody") };
  return (
    <ListScreen
      live={live}
      icon="user-round-plus"
      tabs={
        <ViewTabs
          label={t("filterStatus")}
          path="/onboarding"
          tabs={tabs}
          search={onboardingQueueSearch(filter)}
          saved={saved}
        />
      }
      filters={
        <QueueToolbar
          filter={filter}
          acts={page.acts}
          fresh={page}
          person={page.person}
          saved={saved}
          onSaid={setSaid}
        />
      }
      empty={isEmpty ? <NoRows icon="user-round-plus" {...noRows} /> : null}
      pages={<Pagination {...page} counted={page} hrefOf={(number) => onboardingQueueHref(filter, { page: number })} />}
      unread={unread}
      said={said}
    >
      <div ref={table}>
        <QueueNews arrivals={waiting.length} hasMoved={hasMoved} onShow={showNow} />
        {shown.length === 0 ? null : (
          <DataTable
            label={t("title")}
            columns={columns}
            rows={shown}
            keyOf={idOf}
            tr={({ isGone }) => ({ className: cn(isGone === true && "opacity-60") })}
            narrow="grid"
          />
        )}
      </div>
    </ListScreen>
  );
}

const ALL_HREF = "/onboarding?status=all";

const narrows = ({ status, acts, stage, kind, age, returns, person }: QueueFilter) =>
  status !== "open" || [acts, stage, kind, age, returns, person].some(Boolean);
