import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { WaitingChange } from "@/app/(console)/settings/waiting-change";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { formatDateTime } from "@/lib/text/format";
import { getCaseRules } from "@/lib/kyc/queries";
import { RulesForm } from "./rules-form";
import { RulesHistory } from "./rules-history";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("caseRules"))("title") };
}

async function CaseRulesPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) {
    return <ForbiddenView screen="settings" />;
  }
  const [view, t, locale] = await Promise.all([getCaseRules(), getTranslations(), getLocale()]);
  const [last] = view.history;
  return (
    <>
      <LiveRefresh topics={["kyc", "approvals"]} />
      <PageHeader title={t("settings.title")} lead={t("caseRules.lead")} />
      <SettingsAreas current="kyc" />
      <div className="max-w-3xl px-5 py-4">
        <p className="max-w-prose text-muted">{t("caseRules.explain")}</p>
        <p className="mt-1 max-w-prose text-muted tabular-nums">
          {last === undefined
            ? t("caseRules.standard")
            : t("caseRules.inForce", {
                version: last.version,
                name: last.byName,
                time: formatDateTime(last.at, locale),
              })}
        </p>
        <p className="mt-1 max-w-prose text-muted">{t("caseRules.loosenNote")}</p>
        <WaitingChange proposed={view.proposed} />
        <RulesForm view={view} />
        <RulesHistory history={view.history} />
      </div>
    </>
  );
}

export default screen("app/(console)/settings/kyc/page", CaseRulesPage);
