import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Described, DescriptionList } from "@/components/description-list";
import { Button } from "@/components/ui/button";
import type { HeldDraft } from "@/components/use-draft";
import type { FormStep } from "@/lib/account-creation";
import type { OnboardingKind } from "@/lib/onboarding-view";
import { coveredAddress, coveredDate, coveredDocument, coveredEmail, coveredName, coveredPhone } from "./covered";
import { hostOf } from "./documents-step";
import { hasOwnAddress, ownerAt, ownersOf } from "./form-values";
import { useStepName } from "./progress";

type ReviewedProps = { kind: OnboardingKind; draft: HeldDraft; onGo: (step: FormStep) => void };

type PartProps = Pick<ReviewedProps, "kind" | "onGo"> & { step: FormStep; children: ReactNode };

/** One part of the form, with the way back to it. */
function Part({ kind, step, onGo, children }: PartProps) {
  const t = useTranslations("accountForm");
  const name = useStepName(kind)(step);
  return (
    <section aria-label={name}>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h3 className="font-medium">{name}</h3>
        <Button tone="quiet" size="small" onClick={() => onGo(step)}>
          {t("edit", { step: name })}
        </Button>
      </div>
      <DescriptionList>{children}</DescriptionList>
    </section>
  );
}

function Individual({ draft, at }: { draft: HeldDraft; at: string }) {
  const t = useTranslations("accountForm");
  const typed = (part: string) => draft.value(`${at}${part}`);
  return (
    <>
      <Described name={t("cpf")}>{coveredDocument(typed("documentNumber"))}</Described>
      <Described name={t("birthDate")}>{coveredDate(typed("birthDate"))}</Described>
      <Described name={t("motherName")}>{coveredName(typed("motherName"))}</Described>
    </>
  );
}

function Who({ kind, draft }: Pick<ReviewedProps, "kind" | "draft">) {
  const t = useTranslations("accountForm");
  if (kind === "PF") {
    const isExposed = draft.value("person.isPoliticallyExposedPerson") === "yes";
    return (
      <>
        <Described name={t("fullName")}>{coveredName(draft.value("person.fullName"))}</Described>
        <Individual draft={draft} at="person." />
        <Described name={t("pep")}>{t(isExposed ? "yes" : "no")}</Described>
      </>
    );
  }
  const typed = (part: string) => draft.value(`legalPerson.${part}`);
  return (
    <>
      <Described name={t("cnpj")}>{coveredDocument(typed("documentNumber"))}</Described>
      <Described name={t("businessName")}>{typed("businessName")}</Described>
      <Described name={t("tradingName")}>{typed("tradingName")}</Described>
      <Described name={t("establishmentDate")}>{typed("establishmentDate")}</Described>
    </>
  );
}

const addressAt = (draft: HeldDraft, at: string) =>
  coveredAddress(draft.value(`${at}postalCode`), draft.value(`${at}city`), draft.value(`${at}state`));

function Contact({ kind, draft }: Pick<ReviewedProps, "kind" | "draft">) {
  const t = useTranslations("accountForm");
  const isPerson = kind === "PF";
  const other = draft.value(isPerson ? "person.email" : "legalPerson.businessEmail");
  return (
    <>
      <Described name={t("email")}>{coveredEmail(draft.value("email"))}</Described>
      {other.trim() === "" ? null : (
        <Described name={t(isPerson ? "personEmail" : "businessEmail")}>{coveredEmail(other)}</Described>
      )}
      <Described name={t("phone")}>
        {coveredPhone(draft.value(isPerson ? "person.phoneNumber" : "legalPerson.contactNumber"))}
      </Described>
      <Described name={t("addressTitle")}>
        {addressAt(draft, isPerson ? "person.address." : "legalPerson.businessAddress.")}
      </Described>
    </>
  );
}

function Owner({ draft, place }: { draft: HeldDraft; place: number }) {
  const t = useTranslations("accountForm");
  const at = ownerAt(place);
  return (
    <>
      <Described name={t("owner", { number: place + 1 })}>{coveredName(draft.value(`${at}fullName`))}</Described>
      <Individual draft={draft} at={at} />
      <Described name={t("ownerEmail")}>{coveredEmail(draft.value(`${at}email`))}</Described>
      <Described name={t("phone")}>{coveredPhone(draft.value(`${at}phoneNumber`))}</Described>
      <Described name={t("addressTitle")}>
        {hasOwnAddress(draft, place) ? addressAt(draft, `${at}address.`) : t("sameAsCompany")}
      </Described>
    </>
  );
}

function Documents({ kind, draft }: Pick<ReviewedProps, "kind" | "draft">) {
  const t = useTranslations("accountForm");
  const links = ["documentLink", "documentBackLink", "selfieLink"] as const;
  const all = kind === "PF" ? links : ([...links, "socialContractLink"] as const);
  return all.map((link) => (
    <Described key={link} name={t(link)}>
      {hostOf(draft.value(`bankDocuments.${link}`)) ?? t("notGiven")}
    </Described>
  ));
}

/** What is about to be sent, its personal data covered. */
export function ReviewedForm({ kind, draft, onGo }: ReviewedProps) {
  const owners = kind === "PF" ? 0 : ownersOf(draft);
  return (
    <div className="space-y-6">
      <Part kind={kind} step="who" onGo={onGo}>
        <Who kind={kind} draft={draft} />
      </Part>
      <Part kind={kind} step="contact" onGo={onGo}>
        <Contact kind={kind} draft={draft} />
      </Part>
      {owners === 0 ? null : (
        <Part kind={kind} step="owners" onGo={onGo}>
          {Array.from({ length: owners }, (_, place) => (
            <Owner key={place} draft={draft} place={place} />
          ))}
        </Part>
      )}
      <Part kind={kind} step="documents" onGo={onGo}>
        <Documents kind={kind} draft={draft} />
      </Part>
    </div>
  );
}
