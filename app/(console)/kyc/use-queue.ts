"use client";

import { useRef, useState } from "react";
import { useLivePage } from "@/components/use-live-page";
import { hrefWith } from "@/lib/href";
import type { KycQueue } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/rules";
import { filterValues } from "@/lib/kyc-view";
import { useQueueKeys } from "./triage/use-queue-keys";
import { useTriage } from "./triage/use-triage";
import { useFocusHeir } from "./use-focus-heir";
import { useSelection } from "./use-selection";
import { useSteadyCases } from "./use-steady-cases";

type Options = {
  initial: KycQueue;
  filter: KycFilter;
  /** Why the person may not decide; null: they may. */
  denial: string | null;
  /** Whether shortcuts of one key are on. */
  shortcuts: boolean;
  reasonLimit: number;
};

/** The rows, of which none moves while somebody is on them, and what is done with them. */
export function useQueue({ initial, filter, denial, shortcuts, reasonLimit }: Options) {
  const values = { ...filterValues(filter), after: filter.after, before: filter.before };
  const address = hrefWith("/api/kyc", values);
  const live = useLivePage({ address, topic: "kyc", initial });
  const table = useRef<HTMLDivElement>(null);
  const [hasSelected, setSelected] = useState(false);
  const steady = useSteadyCases(live.page, { table, isSelecting: hasSelected, list: address });
  const selection = useSelection(
    steady.rows.map(({ kycUUID }) => kycUUID),
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
    shortcuts,
    reasonLimit,
    onBegin: heir.rememberOrder,
    onDecided: (subject) => {
      heir.passFocusOn(subject);
      refresh();
    },
    onChanged: live.refresh,
  });
  useQueueKeys({ rows: steady.rows, isOn: shortcuts, denial, triage });
  const say = (said: string) => {
    triage.say(said);
    refresh();
  };
  return { live, table, steady, selection, isSelecting, triage, refresh, say };
}
