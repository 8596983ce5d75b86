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
    { header: t("status"), width: "clamp(9rem, 13vw, 10.5rem)" },
    { header: t("document"), width: "clamp(8.5rem, 20%, 15rem)" },
    { header: t("kind"), width: "13%", isWide: true },
    { header: t("stage"), isWide: true },
    { header: t("acts"), width: "clamp(5.5rem, 9vw, 8rem)" },
    { header: t("biometric"), width: "16%", isWide: true },
    { header: t("firstSeen"), width: "6.5rem", isWide: true, align: "end" },
    { header: t("checked"), width: "8rem", isWide: true, align: "end" },
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
      <td data-wide>{t(`onboarding.kind.${row.kind}`)}</td>
      <td data-wide>{t(`onboarding.stage.${row.stage}`)}</td>
      <td>
        <WhoActs who={row.whoActs} />
      </td>
      <td data-wide>{row.biometricUrl ? <SafeLink link={row.biometricUrl} /> : t("common.none")}</td>
      <td data-wide data-align="end">
        <Age since={row.firstSeenAt} now={now} />
      </td>
      <td data-wide data-align="end">
        <Age since={row.checkedAt} now={now} />
      </td>
    </tr>
  );
}
