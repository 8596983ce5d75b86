import { useTranslations } from "next-intl";
import { ChoiceField } from "@/components/ui/choice-field";
import { FormSection } from "@/components/form-section";
import { Notice } from "@/components/ui/notice";
import type { Fields } from "@/components/use-field-errors";
import type { OnboardingKind } from "@/lib/onboarding-view";
import { isLetteredCnpj, typingCnpj } from "@/lib/typed";
import { DateLine, MaskedLine, PersonLines, TextLine } from "./bound-fields";

const PEP = "person.isPoliticallyExposedPerson";

/** Nobody is one by default, nor not: it is asked. */
function PepQuestion({ fields }: { fields: Fields }) {
  const t = useTranslations("accountForm");
  const error = fields.error(PEP);
  return (
    <ChoiceField legend={t("pep")} hint={t("pepHint")} error={error}>
      <div className="flex gap-5">
        {(["no", "yes"] as const).map((answer) => (
          <label key={answer} className="flex cursor-pointer items-center gap-2">
            <input
              type="radio"
              name={PEP}
              value={answer}
              checked={fields.value(PEP) === answer}
              onChange={() => fields.set(PEP, answer)}
              className="size-3.5 accent-accent"
            />
            {t(answer)}
          </label>
        ))}
      </div>
    </ChoiceField>
  );
}

function CompanyLines({ fields }: { fields: Fields }) {
  const t = useTranslations("accountForm");
  return (
    <>
      <MaskedLine
        fields={fields}
        name="legalPerson.documentNumber"
        label={t("cnpj")}
        mask={typingCnpj}
        className="max-w-60"
      />
      {isLetteredCnpj(fields.value("legalPerson.documentNumber")) ? (
        <Notice tone="warning" live="polite">
          {t("lettered")}
        </Notice>
      ) : null}
      <TextLine
        fields={fields}
        name="legalPerson.businessName"
        label={t("businessName")}
        hint={t("businessNameHint")}
      />
      <TextLine fields={fields} name="legalPerson.tradingName" label={t("tradingName")} />
      <DateLine fields={fields} name="legalPerson.establishmentDate" label={t("establishmentDate")} />
    </>
  );
}

/** Who the account is for. */
export function WhoStep({ kind, fields }: { kind: OnboardingKind; fields: Fields }) {
  const t = useTranslations("accountForm");
  return (
    <FormSection title={t(`who.${kind}.title`)} lead={t(`who.${kind}.lead`)}>
      {kind === "PJ" ? (
        <CompanyLines fields={fields} />
      ) : (
        <>
          <PersonLines fields={fields} at="person." />
          <PepQuestion fields={fields} />
        </>
      )}
    </FormSection>
  );
}
