import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/denial";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { PageHeader } from "@/components/layout/page-header";
import { Badge, type Tone } from "@/components/ui/badge";
import { type CompanySettings, getCompany } from "@/lib/accounts/queries";

const PAPERS = ["receipt", "statement"] as const;

type MissingProps = { tone?: Tone; label: string; children: ReactNode };

function Missing({ tone = "neutral", label, children }: MissingProps) {
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <span className="text-muted">{children}</span>
    </>
  );
}

async function CompanyFacts({ company }: { company: CompanySettings }) {
  const t = await getTranslations("companySettings");
  const { name, isNamed, cnpj, customerService, logo } = company;
  const missing = t("missing");
  return (
    <DescriptionList>
      <Described name={t("name")}>
        <bdi className="font-medium">{name}</bdi>
        {isNamed ? null : <Missing label={missing}>{t("nameMissing")}</Missing>}
      </Described>
      <Described name={t("cnpj")}>{cnpj ?? <Missing label={missing}>{t("cnpjMissing")}</Missing>}</Described>
      <Described name={t("customerService")}>
        {customerService === null ? (
          <Missing label={missing}>{t("customerServiceMissing")}</Missing>
        ) : (
          <bdi>{customerService}</bdi>
        )}
      </Described>
      <Described name={t("logo")}>
        {logo === null ? <Missing label={missing}>{t("logoMissing")}</Missing> : null}
        {logo === "unreadable" ? (
          <Missing tone="warning" label={t("unreadable")}>
            {t("logoUnreadable")}
          </Missing>
        ) : null}
        {logo === "shown" ? t("logoShown") : null}
      </Described>
    </DescriptionList>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("companySettings"))("title") };
}

async function CompanyPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) {
    return <ForbiddenView screen="settings" permission="settings:manage" />;
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
