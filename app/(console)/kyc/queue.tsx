"use client";

import { useLocale, useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import { type ReactNode, useRef, useState } from "react";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import { StepLinks } from "@/components/layout/page-header";
import { ListScreen } from "@/components/list-screen/list-screen";
import { useLivePage } from "@/components/live/use-live-page";
import { useScope } from "@/components/session/scope";
import { DataTable } from "@/components/table/data-table";
import { NewsButton } from "@/components/table/news-button";
import { deferred } from "@/components/layout/deferred";
import { cn } from "@/components/ui/cn";
import type { KycQueue } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/inputs";
import { countText, queueFilterValues, KYC_VIEWS, mayHoldUnread, caseQueueHref, caseQueueSearch } from "@/lib/kyc/view";
import { formatCount } from "@/lib/text/format";
import { countKnown, isWhole, hrefWith } from "@/lib/text/page";
import type { SavedView } from "@/lib/preferences/queries";
import { useQueueKeys } from "@/app/(console)/kyc/triage/use-queue-keys";
import { loadDecisionDialog, NextButton, useTriage } from "@/app/(console)/kyc/triage/use-triage";
import { ReadSoFar } from "./case-words";
import { useQueueColumns } from "./queue-columns";
import { QueueToolbar } from "./queue-toolbar";
import { useSelection } from "@/components/table/use-selection";
import { idOf, type SteadyRow, useFocusHeir, useSteadyCases } from "./use-steady-cases";

type QueueNewsProps = { arrivals: number; hasMoved: boolean; onShow: () => void };

function QueueNews({ arrivals, hasMoved, onShow }: QueueNewsProps) {
  const t = useTranslations("kycQueue");
  const news = arrivals > 0 ? t("arrivals", { count: arrivals }) : t("moved");
  return <NewsButton label={hasMoved ? news : null} onShow={onShow} />;
}

type QueuePagesProps = { filter: KycFilter; page: KycQueue };

function QueuePages({ filter, page }: QueuePagesProps) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  const { total, previous, next } = page;
  const { cases: count, isExact } = total;
  const exactly = isWhole(page) ? t("total", { exact: "yes", count }) : t("totalSoFar", { count });
  const steps = [
    { label: t("first"), href: previous && caseQueueHref(filter) },
    { label: t("previous"), href: previous && caseQueueHref(filter, { before: previous }) },
    { label: t("next"), href: next && caseQueueHref(filter, { after: next }) },
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

type Options = {
  initial: KycQueue;
  filter: KycFilter;
  denial: string | null;
};

function useQueue({ initial, filter, denial }: Options) {
  const values = { ...queueFilterValues(filter), after: filter.after, before: filter.before };
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
  unread: ReactNode;
};

export function Queue({ initial, filter, saved, denial, mayAssign, unread }: QueueProps) {
  const t = useTranslations("kyc");
  const queueWords = useTranslations("kycQueue");
  const locale = useLocale();
  const scope = useScope();
  const queue = useQueue({ initial, filter, denial });
  const { live, table, steady, selection, isSelecting, triage, refresh, say } = queue;
  const { page } = live;
  const columns = useQueueColumns({
    filter,
    page,
    selection: mayAssign ? selection : null,
    denial,
    onIntent: () => void loadDecisionDialog(),
    onDecide: triage.begin,
  });
  const rowAttributes = ({ kycUUID, isGone }: SteadyRow) => ({
    "data-case": kycUUID,
    className: cn(isGone && "text-faint", !isGone && selection.isOn(kycUUID) && "bg-accent-tint!") || undefined,
  });

  const tabs = KYC_VIEWS.map((view) => ({
    href: caseQueueHref({ view, status: "open" }),
    label: queueWords(`views.${view}`),
    count: countKnown(countText(page.views[view], locale), page.views[view].cases, page),
    isCurrent: view === filter.view,
  }));
  const search = caseQueueSearch(filter);
  const isEmpty = steady.rows.length === 0;
  return (
    <>
      <ListScreen
        live={{ ...live, refresh }}
        icon="shield-check"
        tabs={<ViewTabs label={queueWords("viewsLabel")} path="/kyc" tabs={tabs} search={search} saved={saved} />}
        beside={
          <>
            <SaveView area="kyc" search={search} plainHref="/kyc?view=all" saved={saved} onSaid={say} />
            {triage.hint}
            <NextButton isPrimary next={triage.next} denial={denial} />
          </>
        }
        filters={
          <>
            <QueueToolbar
              filter={filter}
              counts={page.counts}
              sameDocumentShown={page.sameDocumentShown}
              fresh={page}
              scope={scope.id}
            />
            {page.asOf === null ? null : <ReadSoFar count={page.readSoFar} />}
          </>
        }
        empty={
          isEmpty && (unread === null || !mayHoldUnread(filter)) ? (
            <EmptyQueue filter={filter} isWhole={isWhole(page)} />
          ) : null
        }
        pages={isEmpty ? null : <QueuePages filter={filter} page={page} />}
        unread={unread}
      >
        <div ref={table}>
          <QueueNews arrivals={steady.arrivals} hasMoved={steady.hasMoved} onShow={steady.showNow} />
          {isEmpty ? null : (
            <DataTable
              label={t("title")}
              columns={columns}
              rows={steady.rows}
              keyOf={idOf}
              tr={rowAttributes}
              narrow="pairs"
            />
          )}
        </div>
      </ListScreen>
      {isSelecting ? <QueueBulk selection={selection} total={page.total} search={search} onDone={say} /> : null}
      {triage.overlays}
    </>
  );
}
