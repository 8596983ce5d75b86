import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { listPolicies } from "@/lib/approvals/queries";
import { Policies } from "./policies";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("approvalPolicy"))("title") };
}

async function ApprovalPolicyPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) {
    return <ForbiddenView screen="settings" />;
  }
  const [policies, t] = await Promise.all([listPolicies(), getTranslations()]);
  return (
    <>
      <LiveRefresh topics={["approvals"]} />
      <PageHeader title={t("settings.title")} lead={t("approvalPolicy.lead")} />
      <SettingsAreas current="approvals" />
      <Policies policies={policies} />
    </>
  );
}

export default screen("app/(console)/settings/approvals/page", ApprovalPolicyPage);
