import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TabLinks } from "@/components/ui/tab-links";
import { formatCount } from "@/lib/format";
import type { OnboardingQueue } from "@/lib/onboarding/queries";
import { ONBOARDING_VIEWS, type QueueFilter, queueHref, queueSearch } from "@/lib/onboarding-view";
import { countKnown, type Fresh } from "@/lib/page";
import type { SavedView } from "@/lib/views/queries";

type QueueTabsProps = {
  filter: QueueFilter;
  counts: OnboardingQueue["counts"];
  fresh: Fresh;
  saved: readonly SavedView[];
  children: ReactNode;
};

/** The views, each with how many it has under what narrows the list down, and the filters that the person kept. */
export function QueueTabs({ filter, counts, fresh, saved, children }: QueueTabsProps) {
  const t = useTranslations("onboarding");
  const locale = useLocale();
  const current = saved.find(({ search }) => search === queueSearch(filter));
  const own = saved.map((view) => ({
    href: `/onboarding?${view.search}`,
    label: view.name,
    isCurrent: view === current,
  }));
  const tabs = ONBOARDING_VIEWS.map((view) => ({
    href: queueHref(filter, { status: view, acts: undefined }),
    label: t(`filters.${view}`),
    count: countKnown(formatCount(counts[view], locale), counts[view], fresh),
    isCurrent: current === undefined && view === filter.status,
  }));
  return (
    <div className="flex items-center gap-4 border-b border-line px-5">
      <div className="min-w-0 flex-1">
        <TabLinks label={t("filterStatus")} tabs={[...tabs, ...own]} />
      </div>
      {children}
    </div>
  );
}
