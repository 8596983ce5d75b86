"use client";

import { ShieldCheck } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { KeepView } from "@/app/(console)/views/keep-view";
import { DataTable } from "@/components/data-table";
import { useDesk } from "@/components/desk";
import { Freshness } from "@/components/freshness";
import { ReadRows } from "@/components/read-state";
import { hrefWith } from "@/lib/href";
import type { KycQueue } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/rules";
import { filterValues, queueSearch, sortOf } from "@/lib/kyc-view";
import type { SavedView } from "@/lib/views/queries";
import { useQueueColumns } from "./queue-columns";
import { QueueNews } from "./queue-news";
import { QueuePages } from "./queue-pages";
import { QueueRow, SELECT_CLASS } from "./queue-row";
import { QueueTabs } from "./queue-tabs";
import { QueueToolbar } from "./queue-toolbar";
import { ReadSoFar } from "./read-so-far";
import { NextButton } from "./triage/next-button";
import { loadDecisionDialog } from "./triage/use-decision";
import { useQueue } from "./use-queue";
import type { useSelection } from "./use-selection";
import type { SteadyRow } from "./use-steady-cases";

const EmptyQueue = dynamic(() => import("./empty-queue").then((loaded) => loaded.EmptyQueue));
const QueueBulk = dynamic(() => import("./queue-bulk").then((loaded) => loaded.QueueBulk), { ssr: false });

type QueueProps = {
  initial: KycQueue;
  filter: KycFilter;
  saved: readonly SavedView[];
  /** Why the person may not decide; null: they may. */
  denial: string | null;
  mayAssign: boolean;
  /** Whether shortcuts of one key are on. */
  shortcuts: boolean;
  reasonLimit: number;
};

export function Queue({ initial, filter, saved, denial, mayAssign, shortcuts, reasonLimit }: QueueProps) {
  const t = useTranslations("kyc");
  const desk = useDesk();
  const { live, table, steady, selection, isSelecting, triage, refresh, say } = useQueue({
    initial,
    filter,
    denial,
    shortcuts,
    reasonLimit,
  });
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
      isSelected={mayAssign ? selection.isOn(row.kycUUID) : null}
      onSelect={(isRange) => selection.toggle(row.kycUUID, isRange)}
      onIntent={() => void loadDecisionDialog()}
      onDecide={() => triage.begin(row)}
    />
  );

  return (
    <>
      <QueueTabs filter={filter} views={page.views} fresh={page} saved={saved}>
        <KeepView area="kyc" search={queueSearch(filter)} plainHref="/kyc?view=all" saved={saved} onSaid={say} />
        {triage.hint}
        <NextButton isPrimary next={triage.next} denial={denial} />
        <Freshness
          asOf={page.asOf}
          wasTried={page.failure !== null || page.rows.length > 0}
          isRefreshing={live.isRefreshing}
          refresh={refresh}
        />
      </QueueTabs>
      <QueueToolbar filter={filter} counts={page.counts} fresh={page} desk={desk.id} />
      {page.asOf === null ? null : <ReadSoFar count={page.readSoFar} />}
      <ReadRows
        fresh={page}
        trouble={live.trouble}
        icon={ShieldCheck}
        empty={steady.rows.length === 0 ? <EmptyQueue filter={filter} isWhole={page.readSoFar === null} /> : null}
      >
        <div ref={table}>
          <QueueNews arrivals={steady.arrivals} hasMoved={steady.hasMoved} onShow={steady.showNow} />
          <DataTable label={t("title")} columns={columns} isPaired>
            {steady.rows.map(rowOf)}
          </DataTable>
        </div>
        <QueuePages
          filter={filter}
          total={page.total}
          readSoFar={page.readSoFar}
          previous={page.previous}
          next={page.next}
        />
      </ReadRows>
      {isSelecting ? (
        <QueueBulk selection={selection} total={page.total} search={queueSearch(filter)} onDone={say} />
      ) : null}
      {triage.front}
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
      className={SELECT_CLASS}
    />
  );
}
