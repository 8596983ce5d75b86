import { useTranslations } from "next-intl";
import { useId } from "react";
import { START_MODELS } from "@/lib/kyc-start";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { FormSection } from "@/components/form-section";
import type { Fields } from "@/components/use-field-errors";

/** What is checked, and with it in which class the start is billed. */
export function CheckFields({ fields }: { fields: Fields }) {
  const t = useTranslations("kycStart");
  const id = useId();
  const error = fields.error("backgroundcheckModel") === undefined ? undefined : t("modelFirst");
  return (
    <FormSection title={t("checkTitle")} lead={t("checkLead")}>
      <ChoiceField legend={t("model")} error={error}>
        <div className="grid gap-2 sm:grid-cols-3">
          {START_MODELS.map((model) => (
            <RadioTile
              key={model}
              name="backgroundcheckModel"
              value={model}
              isChosen={fields.value("backgroundcheckModel") === model}
              onChoose={() => fields.set("backgroundcheckModel", model)}
              says={{ name: t(`models.${model}.name`), more: `${id}-${model}` }}
              className="px-3 py-2.5"
            >
              <span className="flex items-baseline justify-between gap-2">
                <span className="font-medium">{t(`models.${model}.name`)}</span>
                <span className="text-sm text-muted">{model}</span>
              </span>
              <span id={`${id}-${model}`} className="mt-0.5 block text-sm text-muted">
                {t(`models.${model}.what`)}
              </span>
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      <div className="grid grid-cols-[auto_1fr] gap-x-2.5">
        <input
          id={`${id}-documentscopy`}
          type="checkbox"
          name="documentscopyFlag"
          checked={fields.value("documentscopyFlag") === "true"}
          aria-describedby={`${id}-documentscopy-words`}
          onChange={({ target }) => fields.set("documentscopyFlag", target.checked ? "true" : "")}
          className="mt-1 size-3.5 accent-accent"
        />
        <label htmlFor={`${id}-documentscopy`} className="cursor-pointer font-medium">
          {t("documentscopy")}
        </label>
        <span id={`${id}-documentscopy-words`} className="col-start-2 text-sm text-muted">
          {t("documentscopyWords")}
        </span>
      </div>
    </FormSection>
  );
}
