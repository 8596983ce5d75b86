import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { PageHeader } from "@/components/layout/page-header";
import { getCompany } from "@/lib/accounts/queries";
import { CompanyFacts } from "./company-facts";

const PAPERS = ["receipt", "statement"] as const;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("companySettings"))("title") };
}

async function CompanyPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) {
    return <ForbiddenView screen="settings" />;
  }
  const [company, t] = await Promise.all([getCompany(), getTranslations()]);
  return (
    <>
      <PageHeader title={t("settings.title")} lead={t("companySettings.lead")} />
      <SettingsAreas current="company" />
      <section aria-labelledby="company" className="max-w-4xl">
        <h2 id="company" className="px-5 pt-4 pb-2 font-semibold">
          {t("companySettings.title")}
        </h2>
        <CompanyFacts company={company} />
      </section>
      <section aria-labelledby="company-use" className="max-w-prose px-5 py-4">
        <h2 id="company-use" className="font-semibold">
          {t("companySettings.usedOn")}
        </h2>
        <ul className="mt-1 list-disc ps-5">
          {PAPERS.map((paper) => (
            <li key={paper}>{t(`companySettings.papers.${paper}`)}</li>
          ))}
        </ul>
        <p className="mt-3 text-sm text-muted">{t("companySettings.byOperator")}</p>
      </section>
    </>
  );
}

export default screen("app/(console)/settings/company/page", CompanyPage);
