import { useTranslations } from "next-intl";
import { TabLinks } from "@/components/ui/tab-links";

const AREAS = ["approvals", "kyc", "calendar", "addresses", "alarms", "values", "company", "data"] as const;
export type SettingsArea = (typeof AREAS)[number];

export function SettingsAreas({ current }: { current: SettingsArea }) {
  const t = useTranslations("settings");
  const tabs = AREAS.map((area) => ({ href: `/settings/${area}`, label: t(area), isCurrent: area === current }));
  return (
    <div className="border-b border-line px-5">
      <TabLinks label={t("areas")} tabs={tabs} />
    </div>
  );
}
