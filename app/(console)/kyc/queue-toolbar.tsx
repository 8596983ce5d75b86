"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { TabLinks } from "@/components/ui/tab-links";
import { formatCount } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import type { KycFilter } from "@/lib/kyc/rules";
import { KYC_VIEWS, type KycView } from "@/lib/kyc-view";

type QueueToolbarProps = { filter: KycFilter; counts: Record<KycView, number>; children: ReactNode };

export function QueueToolbar({ filter, counts, children }: QueueToolbarProps) {
  const t = useTranslations("kyc");
  const locale = useLocale();
  const tabs = KYC_VIEWS.map((view) => ({
    href: hrefWith("/kyc", { status: view === "open" ? null : view, type: filter.type }),
    label: t(`filters.${view}`),
    count: formatCount(counts[view], locale),
    isCurrent: view === filter.status,
  }));
  const choices = ([undefined, "PF", "PJ"] as const).map((type) => ({
    href: hrefWith("/kyc", { status: filter.status === "open" ? null : filter.status, type }),
    label: type ?? t("allTypes"),
    isCurrent: type === filter.type,
  }));
  return (
    <div className="flex flex-wrap items-center gap-x-4 border-b border-line px-5 max-desk:pb-2">
      <div className="min-w-0 flex-1 max-desk:basis-full">
        <TabLinks label={t("filterStatus")} tabs={tabs} />
      </div>
      <ChoiceLinks label={t("filterType")} choices={choices} />
      {children}
    </div>
  );
}
