import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireScope } from "@/app/(console)/scope";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { screen } from "@/app/(console)/screen";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { ClientMessages } from "@/components/layout/client-messages";
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
    return <ForbiddenView screen="settings" permission="settings:manage" />;
  }
  const [policies, t] = await Promise.all([listPolicies(), getTranslations()]);
  return (
    <>
      <LiveRefresh topics={["approvals"]} />
      <PageHeader title={t("settings.title")} lead={t("approvalPolicy.lead")} />
      <SettingsAreas current="approvals" />
      <ClientMessages namespaces={["approvalPolicy", "approvals"]}>
        <Policies policies={policies} />
      </ClientMessages>
    </>
  );
}

export default screen(ApprovalPolicyPage);
