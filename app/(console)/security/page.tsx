import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/client-messages";
import { PageHeader } from "@/components/page-header";
import { listOwnSessions } from "@/lib/auth/queries";
import { getOwnFactors } from "@/lib/factors/queries";
import { FactorSection } from "./factor-section";
import { SessionList } from "./session-list";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("security"))("title") };
}

async function SecurityPage() {
  const [sessions, factors, t] = await Promise.all([listOwnSessions(), getOwnFactors(), getTranslations("security")]);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="border-t border-line pb-8">
        <ClientMessages namespaces={["security", "age"]}>
          <SessionList sessions={sessions} now={new Date().toISOString()} />
        </ClientMessages>
        {factors === null ? null : <FactorSection factors={factors} />}
      </div>
    </>
  );
}

export default screen(SecurityPage);
