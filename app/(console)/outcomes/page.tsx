import { CircleCheck } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { EmptyView } from "@/components/table/empty-view";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { listUnknownOutcomes } from "@/lib/outcomes/queries";
import { OutcomeTable } from "./outcome-table";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("outcomes"))("title") };
}

async function OutcomesPage() {
  const desk = await requireDesk();
  if (!desk.permissions.includes("outcomes:end")) return <ForbiddenView screen="outcomes" permission="outcomes:end" />;
  const [{ rows, isWhole }, t] = await Promise.all([listUnknownOutcomes(), getTranslations("outcomes")]);
  return (
    <ClientMessages namespaces={["outcomes"]}>
      <LiveRefresh topics={["outcomes", "kyc", "onboarding", "transfers", "approvals"]} />
      <PageHeader title={t("title")} lead={t("lead")} />
      {rows.length === 0 ? (
        <EmptyView icon={CircleCheck} title={t("emptyTitle")} body={t("emptyBody")} />
      ) : (
        <OutcomeTable rows={rows} />
      )}
      {isWhole ? null : <p className="px-5 py-3 text-sm text-muted">{t("notWhole")}</p>}
    </ClientMessages>
  );
}

export default screen(OutcomesPage);
