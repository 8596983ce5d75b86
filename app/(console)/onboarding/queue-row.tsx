"use client";

import { Repeat2 } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { Age } from "@/components/live/age";
import type { Column } from "@/components/table/data-table";
import { OnboardingStatusBadge } from "@/components/layout/badges";
import type { Steady } from "@/components/table/use-steady-rows";
import { cn } from "@/components/ui/cn";
import type { OnboardingRow } from "@/lib/onboarding/queries";
import { WhoActs } from "./onboarding-words";

export function useQueueColumns(): Column[] {
  const t = useTranslations("onboarding.columns");
  return [
    { header: t("status"), width: "w-[clamp(8.625rem,12cqi,10.5rem)]" },
    { header: t("document"), width: "w-[clamp(10.25rem,22cqi,11.75rem)]" },
    { header: t("acts"), width: "w-[clamp(5.25rem,14cqi,8rem)]" },
    { header: t("stage"), from: "medium" },
    { header: t("kind"), width: "w-[6rem]", from: "wide" },
    { header: t("biometric"), width: "w-[clamp(9rem,13.5cqi,14rem)]", from: "full" },
    { header: t("returns"), width: "w-[5.5rem]", from: "wide", align: "end" },
    { header: t("firstSeen"), width: "w-[5.25rem]", from: "medium", align: "end" },
    { header: t("checked"), width: "w-[6.5rem]", from: "full", align: "end" },
  ];
}

export function QueueRow({ row, now }: { row: Steady<OnboardingRow>; now: string }) {
  const t = useTranslations();
  return (
    <tr className={cn(row.isGone === true && "opacity-60")}>
      <td>
        <OnboardingStatusBadge status={row.status} />
      </td>
      <td>
        <Link href={`/onboarding/${row.id}`} prefetch={false} className="row-link font-medium">
          {row.document}
        </Link>
        {row.isRetry ? (
          <span title={t("onboarding.retry")} className="ml-1.5 inline-block align-middle text-faint">
            <Repeat2 aria-hidden size={13} />
            <span className="sr-only">{t("onboarding.retry")}</span>
          </span>
        ) : null}
        {row.isGone === true ? <span className="ml-1.5 text-sm text-muted">{t("onboarding.gone")}</span> : null}
      </td>
      <td>
        <WhoActs who={row.whoActs} />
      </td>
      <td data-from="medium">{t(`onboarding.stage.${row.stage}`)}</td>
      <td data-from="wide">{t(`onboarding.kinds.${row.kind}`)}</td>
      <td data-from="full">
        <BiometricHost biometric={row.biometric} />
      </td>
      <td data-from="wide" data-align="end">
        {row.returns === 0 ? (
          <span className="text-faint">{t("common.none")}</span>
        ) : (
          <span title={t("onboarding.returnedTimes", { count: row.returns })}>{row.returns}×</span>
        )}
      </td>
      <td data-from="medium" data-align="end">
        <Age since={row.firstSeenAt} now={now} />
      </td>
      <td data-from="full" data-align="end">
        <Age since={row.checkedAt} now={now} />
      </td>
    </tr>
  );
}

/** The link itself is on the onboarding's page, where taking it is recorded. */
function BiometricHost({ biometric }: { biometric: Steady<OnboardingRow>["biometric"] }) {
  const t = useTranslations("common");
  if (biometric === null) return <span className="text-faint">{t("none")}</span>;
  if (!biometric.isSafe) {
    const refusal = biometric.host === "" ? t("linkRefused") : t("linkNotHttps", { host: biometric.host });
    return <span className="text-muted">{refusal}</span>;
  }
  // Wrapped, never cut: the real owner stands at a host's end.
  return <span className="block py-1 wrap-anywhere whitespace-normal">{biometric.host}</span>;
}
