import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TabLinks } from "@/components/ui/tab-links";
import { formatCount } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import type { OnboardingQueue } from "@/lib/onboarding/queries";
import { addressedFilter, ONBOARDING_VIEWS, type QueueFilter } from "@/lib/onboarding-view";

type QueueTabsProps = { filter: QueueFilter; counts: OnboardingQueue["counts"]; children: ReactNode };

/** The views, each with how many it has under the other filters. */
export function QueueTabs({ filter, counts, children }: QueueTabsProps) {
  const t = useTranslations("onboarding");
  const locale = useLocale();
  const tabs = ONBOARDING_VIEWS.map((view) => ({
    href: hrefWith("/onboarding", addressedFilter({ ...filter, status: view, acts: undefined, page: 1 })),
    label: t(`filters.${view}`),
    count: formatCount(counts[view], locale),
    isCurrent: view === filter.status,
  }));
  return (
    <div className="flex items-center gap-4 border-b border-line px-5">
      <div className="min-w-0 flex-1">
        <TabLinks label={t("filterStatus")} tabs={tabs} />
      </div>
      {children}
    </div>
  );
}
