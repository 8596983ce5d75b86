import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { Badge, type Tone } from "@/components/ui/badge";
import type { CompanySettings } from "@/lib/accounts/queries";

type MissingProps = { tone?: Tone; label: string; children: ReactNode };

function Missing({ tone = "neutral", label, children }: MissingProps) {
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <span className="text-muted">{children}</span>
    </>
  );
}

export function CompanyFacts({ company }: { company: CompanySettings }) {
  const t = useTranslations("companySettings");
  const { name, isNamed, cnpj, customerService, logo } = company;
  const missing = t("missing");
  return (
    <DescriptionList>
      <Described name={t("name")}>
        {isNamed ? null : `${t("nameMissing")} `}
        <bdi className="font-medium">{name}</bdi>
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
