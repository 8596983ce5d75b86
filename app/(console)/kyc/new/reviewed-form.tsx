import { useTranslations } from "next-intl";
import { Described, DescriptionList } from "@/components/description-list";
import type { HeldDraft } from "@/components/use-draft";
import { MEMBER_TYPES, type StartReview } from "@/lib/kyc-start";
import { ownerOf, partnersOf } from "./form-fields";

function Individual({ draft, prefix = "" }: { draft: HeldDraft; prefix?: string }) {
  const t = useTranslations("kycStart");
  const typed = (part: string) => draft.value(`${prefix}${part}`).trim();
  return (
    <>
      <Described name={t("cpf")}>
        <span className="tabular-nums">{typed("vatNumber")}</span>
      </Described>
      <Described name={t("name")}>{typed("name")}</Described>
      <Described name={t("birthDate")}>
        <span className="tabular-nums">{typed("birthDate")}</span>
      </Described>
      <Described name={t("motherName")}>{typed("motherName")}</Described>
    </>
  );
}

/** What is about to be sent, as it was typed. */
export function ReviewedForm({ review, draft }: { review: StartReview; draft: HeldDraft }) {
  const t = useTranslations("kycStart");
  const { type, model, documentscopy } = review;
  const check = (
    <Described name={t("model")}>
      {t(`models.${model}.name`)} · {t(documentscopy ? "withDocumentscopy" : "withoutDocumentscopy")}
    </Described>
  );
  if (type === "PF") {
    return (
      <DescriptionList>
        {check}
        <Individual draft={draft} />
      </DescriptionList>
    );
  }
  const ownerName = (place: number) => {
    const known = MEMBER_TYPES.find((name) => name === ownerOf(draft, place));
    return known === undefined ? "" : t(`ownerTypes.${known}`);
  };
  return (
    <>
      <DescriptionList>
        {check}
        <Described name={t("cnpj")}>
          <span className="tabular-nums">{draft.value("vatNumber").trim()}</span>
        </Described>
        <Described name={t("legalName")}>{draft.value("legalName").trim()}</Described>
      </DescriptionList>
      {Array.from({ length: partnersOf(draft) }, (_, place) => (
        <section key={place} aria-label={t("partner", { number: place + 1 })}>
          <h3 className="mb-2 font-medium">
            {t("partner", { number: place + 1 })} · {ownerName(place)}
          </h3>
          <DescriptionList>
            <Individual draft={draft} prefix={`qsa.${place}.`} />
          </DescriptionList>
        </section>
      ))}
    </>
  );
}
