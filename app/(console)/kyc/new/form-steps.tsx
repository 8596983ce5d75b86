import { useTranslations } from "next-intl";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { HeldDraft } from "@/components/use-draft";
import type { StartType } from "@/lib/kyc-start";
import { isLetteredCnpj, typedDocument } from "@/lib/typed";
import { CheckFields } from "./check-fields";
import type { Fields } from "@/components/use-field-errors";
import { ownerOf, partnersOf, withoutPartner, withPartner } from "./form-fields";
import { FormSection } from "@/components/form-section";
import { IndividualFields } from "./individual-fields";
import { Partners } from "./partners";

function CompanyFields({ fields }: { fields: Fields }) {
  const t = useTranslations("kycStart");
  const typed = fields.value("vatNumber");
  return (
    <>
      <TextField
        label={t("cnpj")}
        name="vatNumber"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={fields.error("vatNumber")}
        className="max-w-60 tabular-nums"
        onChange={({ target }) => fields.set("vatNumber", target.value)}
        onBlur={({ target }) => fields.set("vatNumber", typedDocument(target.value))}
      />
      {isLetteredCnpj(typed) ? (
        <Notice tone="warning" live="polite">
          {t("lettered")}
        </Notice>
      ) : null}
      <TextField
        label={t("legalName")}
        hint={t("legalNameHint")}
        name="legalName"
        autoComplete="off"
        spellCheck={false}
        value={fields.value("legalName")}
        error={fields.error("legalName")}
        onChange={({ target }) => fields.set("legalName", target.value)}
      />
    </>
  );
}

type FormStepsProps = { type: StartType; draft: HeldDraft; fields: Fields; onPartners: () => void };

/** Everything that the interface asks to start a case of this kind. */
export function FormSteps({ type, draft, fields, onPartners }: FormStepsProps) {
  const t = useTranslations("kycStart");
  const change = (values: Record<string, string>) => {
    draft.replace(values);
    onPartners();
  };
  if (type === "PF") {
    return (
      <>
        <CheckFields fields={fields} />
        <FormSection title={t("personTitle")} lead={t("personLead")}>
          <IndividualFields fields={fields} />
        </FormSection>
      </>
    );
  }
  return (
    <>
      <CheckFields fields={fields} />
      <FormSection title={t("companyTitle")} lead={t("companyLead")}>
        <CompanyFields fields={fields} />
      </FormSection>
      <Partners
        fields={fields}
        count={partnersOf(draft)}
        ownerOf={(place) => ownerOf(draft, place)}
        onAdd={() => change(withPartner(draft))}
        onRemove={(place) => change(withoutPartner(draft, place))}
      />
    </>
  );
}
