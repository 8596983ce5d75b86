"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/age";
import type { Column } from "@/components/data-table";
import { SafeLink } from "@/components/safe-link";
import { OnboardingStatusBadge } from "@/components/status-badge";
import type { OnboardingRow } from "@/lib/onboarding/queries";
import { WhoActs } from "./onboarding-words";

export function useQueueColumns(): Column[] {
  const t = useTranslations("onboarding.columns");
  return [
    { header: t("status"), width: "w-[clamp(8.625rem,13cqi,10.5rem)]" },
    { header: t("document"), width: "w-[clamp(10.25rem,17cqi,15rem)]" },
    { header: t("kind"), width: "w-[13cqi]", from: "wide" },
    { header: t("stage"), from: "medium" },
    { header: t("biometric"), width: "w-[18cqi]", from: "wide" },
    { header: t("firstSeen"), width: "w-[5.75rem]", from: "medium", align: "end" },
    { header: t("checked"), width: "w-[6.75rem]", from: "wide", align: "end" },
    { header: t("acts"), width: "w-[clamp(5.25rem,10cqi,8rem)]", align: "end" },
  ];
}

/** `now`: when the rows were read (ISO); ages are counted from it. */
export function QueueRow({ row, now }: { row: OnboardingRow; now: string }) {
  const t = useTranslations();
  return (
    <tr>
      <td>
        <OnboardingStatusBadge status={row.status} />
      </td>
      <td>
        <Link href={`/onboarding/${row.id}`} prefetch={false} className="row-link font-medium">
          {row.document}
        </Link>
      </td>
      <td data-from="wide">{t(`onboarding.kind.${row.kind}`)}</td>
      <td data-from="medium">{t(`onboarding.stage.${row.stage}`)}</td>
      <td data-from="wide">{row.biometricUrl ? <SafeLink link={row.biometricUrl} /> : t("common.none")}</td>
      <td data-from="medium" data-align="end">
        <Age since={row.firstSeenAt} now={now} />
      </td>
      <td data-from="wide" data-align="end">
        <Age since={row.checkedAt} now={now} />
      </td>
      <td data-align="end">
        <WhoActs who={row.whoActs} />
      </td>
    </tr>
  );
}
