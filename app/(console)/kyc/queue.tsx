"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirmation } from "@/components/confirmation";
import { DataTable } from "@/components/data-table";
import { Freshness } from "@/components/freshness";
import { Pagination } from "@/components/pagination";
import { StaleNotice } from "@/components/stale-notice";
import { useLivePage } from "@/components/use-live-page";
import { hrefWith } from "@/lib/href";
import type { KycQueue, KycRow } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/rules";
import { QueueRow, useQueueColumns } from "./queue-row";
import { EmptyQueue } from "./empty-queue";
import { QueueToolbar } from "./queue-toolbar";
import { useFocusHeir } from "./use-focus-heir";

const loadDialog = () => import("./decision-dialog");
// Without ssr: false the dialog would suspend the whole screen while it loads.
const DecisionDialog = dynamic(() => loadDialog().then((loaded) => loaded.DecisionDialog), { ssr: false });

type QueueProps = { initial: KycQueue; filter: KycFilter; readAt: string; denial: string | null; reasonLimit: number };

export function Queue({ initial, filter, readAt, denial, reasonLimit }: QueueProps) {
  const t = useTranslations("kyc");
  const values = { status: filter.status, type: filter.type };
  const live = useLivePage({ address: hrefWith("/api/kyc", { ...values, page: filter.page }), topic: "kyc", initial });
  const [deciding, setDeciding] = useState<KycRow | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const columns = useQueueColumns();
  const { page } = live;
  const { rememberOrder, passFocusOn } = useFocusHeir(page.rows);
  const hrefOf = (number: number) =>
    hrefWith("/kyc", { ...values, status: filter.status === "open" ? null : filter.status, page: number });

  return (
    <>
      <QueueToolbar filter={filter} counts={page.counts}>
        <Freshness asOf={page.asOf} isRefreshing={live.isRefreshing} refresh={live.refresh} />
      </QueueToolbar>
      {live.trouble ? <StaleNotice asOf={page.asOf} isSignedOut={live.trouble === "signed-out"} /> : null}
      {page.rows.length === 0 ? (
        <EmptyQueue filter={filter} />
      ) : (
        <>
          <DataTable label={t("title")} columns={columns}>
            {page.rows.map((row) => (
              <QueueRow
                key={row.kycUUID}
                row={row}
                now={page.asOf ?? readAt}
                denial={denial}
                onIntent={() => void loadDialog()}
                onDecide={() => {
                  rememberOrder();
                  setDeciding(row);
                }}
              />
            ))}
          </DataTable>
          <Pagination page={page.page} totalPages={page.totalPages} total={page.total} hrefOf={hrefOf} />
        </>
      )}
      {deciding ? (
        <DecisionDialog
          subject={deciding}
          reasonLimit={reasonLimit}
          onClose={() => setDeciding(null)}
          onDone={(message) => {
            setDeciding(null);
            setDone(message);
            passFocusOn(deciding);
            live.refresh();
          }}
        />
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
