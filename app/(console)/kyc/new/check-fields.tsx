import { useTranslations } from "next-intl";
import { useId } from "react";
import { START_MODELS } from "@/lib/kyc-start";
import { FormSection } from "@/components/form-section";
import type { Fields } from "@/components/use-field-errors";

/** What is checked, and with it in which class the start is billed. */
export function CheckFields({ fields }: { fields: Fields }) {
  const t = useTranslations("kycStart");
  const id = useId();
  const error = fields.error("backgroundcheckModel") === undefined ? undefined : t("modelFirst");
  return (
    <FormSection title={t("checkTitle")} lead={t("checkLead")}>
      <fieldset
        className="group/model"
        data-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      >
        <legend className="mb-1.5 text-sm font-medium">{t("model")}</legend>
        <div className="grid gap-2 sm:grid-cols-3">
          {START_MODELS.map((model) => (
            <label
              key={model}
              className="relative cursor-pointer rounded border border-control px-3 py-2.5 group-data-[invalid]/model:border-negative has-checked:border-accent has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="backgroundcheckModel"
                value={model}
                checked={fields.value("backgroundcheckModel") === model}
                aria-describedby={`${id}-${model}`}
                aria-label={t(`models.${model}.name`)}
                onChange={() => fields.set("backgroundcheckModel", model)}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              <span className="flex items-baseline justify-between gap-2">
                <span className="font-medium">{t(`models.${model}.name`)}</span>
                <span className="text-sm text-muted">{model}</span>
              </span>
              <span id={`${id}-${model}`} className="mt-0.5 block text-sm text-muted">
                {t(`models.${model}.what`)}
              </span>
            </label>
          ))}
        </div>
        {error ? (
          <p id={`${id}-error`} className="mt-1.5 text-sm text-negative">
            {error}
          </p>
        ) : null}
      </fieldset>
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
