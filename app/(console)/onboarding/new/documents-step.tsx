import { useTranslations } from "next-intl";
import { FormSection } from "@/components/form/fields";
import type { Fields } from "@/components/form/draft-keeper";
import type { OnboardingKind } from "@/lib/onboarding/view";
import { TextLine } from "./bound-fields";

const LINKS = {
  PF: ["documentLink", "documentBackLink", "selfieLink"],
  PJ: ["documentLink", "documentBackLink", "selfieLink", "socialContractLink"],
} as const satisfies Record<OnboardingKind, readonly string[]>;

/** In punycode; null for an address that may not be sent. */
export function hostOf(typed: string): string | null {
  const link = typed.trim();
  if (!URL.canParse(link)) return null;
  const { protocol, host } = new URL(link);
  return protocol === "https:" && host !== "" ? host : null;
}

/** Addresses, since the interface takes no files. */
export function DocumentsStep({ kind, fields }: { kind: OnboardingKind; fields: Fields }) {
  const t = useTranslations("accountForm");
  return (
    <FormSection title={t("documentsTitle")} lead={t("documentsLead")}>
      {LINKS[kind].map((link) => {
        const name = `bankDocuments.${link}`;
        const host = hostOf(fields.value(name));
        const hint = host === null ? {} : { hint: t("linkHost", { host }) };
        return <TextLine key={link} fields={fields} name={name} label={t(link)} type="url" {...hint} />;
      })}
    </FormSection>
  );
}
