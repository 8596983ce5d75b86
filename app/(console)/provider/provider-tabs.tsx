import { useTranslations } from "next-intl";
import { TabLinks } from "@/components/ui/tab-links";

const TABS = { changes: "/provider", told: "/provider/capabilities", explorer: "/provider/explorer" } as const;

type Tab = keyof typeof TABS;

export function ProviderTabs({ current, mayExplore }: { current: Tab; mayExplore: boolean }) {
  const t = useTranslations("conformance.tabs");
  const tabs: Tab[] = ["changes", "told", ...(mayExplore ? (["explorer"] as const) : [])];
  return (
    <div className="border-b border-line px-5">
      <TabLinks
        label={t("label")}
        tabs={tabs.map((tab) => ({ href: TABS[tab], label: t(tab), isCurrent: tab === current }))}
      />
    </div>
  );
}
