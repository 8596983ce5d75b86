"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/age";
import type { Column } from "@/components/data-table";
import { KycStatusBadge } from "@/components/status-badge";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import type { KycRow } from "@/lib/kyc/queries";
import { KycStepName, KycTypeName } from "./case-words";

/** The button of a case in the queue, by which it is found again. */
export const decideButtonId = (kycUUID: string) => `decide-${kycUUID}`;

export function useQueueColumns(): Column[] {
  const t = useTranslations("kyc.columns");
  return [
    { header: t("status"), width: "w-[clamp(7.75rem,12cqi,10rem)]" },
    { header: t("document"), width: "w-[clamp(10.25rem,20cqi,16rem)]" },
    { header: t("type"), width: "w-[16cqi]", from: "wide" },
    { header: t("process"), from: "medium" },
    { header: t("firstSeen"), width: "w-[5.75rem]", from: "medium", align: "end" },
    { header: t("changed"), width: "w-[6rem]", from: "wide", align: "end" },
    { header: t("action"), width: "w-[clamp(6rem,12cqi,9.5rem)]", align: "end", isHeaderHidden: true },
  ];
}

type QueueRowProps = {
  row: KycRow;
  /** When the rows were read (ISO); ages are counted from it. */
  now: string;
  denial: string | null;
  onIntent: () => void;
  onDecide: () => void;
};

export function QueueRow({ row, now, denial, onIntent, onDecide }: QueueRowProps) {
  const t = useTranslations("kyc");
  const approvals = useTranslations("approvals");
  // Until somebody decides about the one that waits, no other one is taken.
  const hindrance = denial ?? (row.proposal && approvals("alreadyWaits", { name: row.proposal.makerName }));
  const isDecided = row.status === "APPROVED" || row.status === "REPROVED";
  const name = `${isDecided ? t("decideAgain") : t("decide")}: ${row.vatNumber}`;
  return (
    <tr>
      <td>
        <KycStatusBadge status={row.status} />
      </td>
      <td>
        <Link href={`/kyc/${encodeURIComponent(row.kycUUID)}`} prefetch={false} className="row-link font-medium">
          {row.vatNumber}
        </Link>
      </td>
      <td data-from="wide">
        <KycTypeName type={row.kycType} />
      </td>
      <td data-from="medium">
        <KycStepName process={row.process} />
        {row.proposal === null ? null : <span className="text-muted"> · {approvals("waits")}</span>}
      </td>
      <td data-from="medium" data-align="end">
        <Age since={row.firstSeenAt} now={now} />
      </td>
      <td data-from="wide" data-align="end">
        <Age since={row.changedAt} now={now} />
      </td>
      <td data-align="end">
        {hindrance === null ? (
          <Button
            id={decideButtonId(row.kycUUID)}
            size="small"
            tone={isDecided ? "quiet" : "plain"}
            aria-label={name}
            onClick={onDecide}
            onFocus={onIntent}
            onPointerEnter={onIntent}
            className="relative z-1"
          >
            {t("decide")}
          </Button>
        ) : (
          <DeniedButton reason={hindrance} className={buttonClass("plain", "small")}>
            {t("decide")}
          </DeniedButton>
        )}
      </td>
    </tr>
  );
}
