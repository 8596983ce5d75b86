import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TabLinks } from "@/components/ui/tab-links";
import type { KycQueue } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/rules";
import { countText, KYC_VIEWS, queueHref, queueSearch } from "@/lib/kyc-view";
import { countKnown, type Fresh } from "@/lib/page";
import type { SavedView } from "@/lib/views/queries";

type QueueTabsProps = {
  filter: KycFilter;
  views: KycQueue["views"];
  fresh: Fresh;
  saved: readonly SavedView[];
  children: ReactNode;
};

/** Whose cases, each with how many are open, and the filters that the person kept. */
export function QueueTabs({ filter, views, fresh, saved, children }: QueueTabsProps) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  const search = queueSearch(filter);
  const current = saved.find((view) => view.search === search);
  const own = saved.map((view) => ({
    href: `/kyc?${view.search}`,
    label: view.name,
    isCurrent: view === current,
  }));
  const tabs = KYC_VIEWS.map((view) => ({
    href: queueHref({ view, status: "open" }),
    label: t(`views.${view}`),
    count: countKnown(countText(views[view], locale), views[view].cases, fresh),
    isCurrent: current === undefined && view === filter.view,
  }));
  return (
    <div className="flex items-center gap-x-4 border-b border-line px-5 max-[1240px]:flex-wrap max-[1240px]:pb-1.5">
      <div className="min-w-0 flex-1 max-[1240px]:basis-full">
        <TabLinks label={t("viewsLabel")} tabs={[...tabs, ...own]} />
      </div>
      {children}
    </div>
  );
}
