import { useTranslations } from "next-intl";
import { FormSection } from "@/components/form-section";
import type { Fields } from "@/components/use-field-errors";
import type { OnboardingKind } from "@/lib/onboarding-view";
import { AddressFields } from "./address-fields";
import { PhoneLine, TextLine } from "./bound-fields";

/** How the holder is reached, and where they are. */
export function ContactStep({ kind, fields }: { kind: OnboardingKind; fields: Fields }) {
  const t = useTranslations("accountForm");
  const isPerson = kind === "PF";
  return (
    <>
      <FormSection title={t("contactTitle")} lead={t("contactLead")}>
        <TextLine fields={fields} name="email" label={t("email")} type="email" />
        <TextLine
          fields={fields}
          name={isPerson ? "person.email" : "legalPerson.businessEmail"}
          label={t(isPerson ? "personEmail" : "businessEmail")}
          hint={t("sameEmail")}
          type="email"
        />
        <PhoneLine fields={fields} name={isPerson ? "person.phoneNumber" : "legalPerson.contactNumber"} />
      </FormSection>
      <FormSection title={t("addressTitle")} lead={t(`addressLead.${kind}`)}>
        <AddressFields
          fields={fields}
          at={isPerson ? "person.address." : "legalPerson.businessAddress."}
          hasCoordinates={isPerson}
        />
      </FormSection>
    </>
  );
}
