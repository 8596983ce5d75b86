import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { listPolicies } from "@/lib/approvals/queries";
import { getCalendar } from "@/lib/calendar/queries";
import { getCaseRules } from "@/lib/kyc/queries";
import { getAlarmBounds } from "@/lib/privacy/queries";
import { ValueTable } from "./value-table";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("settingValues"))("title") };
}

async function ValuesPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) return <ForbiddenView screen="settings" />;
  const [calendar, rules, policies, bounds, t] = await Promise.all([
    getCalendar(),
    getCaseRules(),
    listPolicies(),
    getAlarmBounds(),
    getTranslations(),
  ]);
  return (
    <>
      <LiveRefresh topics={["kyc", "approvals", "audit"]} />
      <PageHeader title={t("settings.title")} lead={t("settingValues.lead")} />
      <SettingsAreas current="values" />
      <p className="max-w-prose px-5 py-4 text-muted">{t("settingValues.explain")}</p>
      <ValueTable calendar={calendar} rules={rules} policies={policies} bounds={bounds} />
    </>
  );
}

export default screen("app/(console)/settings/values/page", ValuesPage);
