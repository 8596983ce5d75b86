import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Button } from "@/components/ui/button";
import { MEMBER_TYPES, MEMBERS_MAX } from "@/lib/kyc-start";
import { FormSection } from "@/components/form-section";
import type { Fields } from "@/components/use-field-errors";
import { IndividualFields } from "./individual-fields";

type PartnersProps = {
  fields: Fields;
  count: number;
  ownerOf: (place: number) => string;
  onAdd: () => void;
  onRemove: (place: number) => void;
};

/** The one to three partners the interface takes, of whom one at least is an administrator. */
export function Partners({ fields, count, ownerOf, onAdd, onRemove }: PartnersProps) {
  const t = useTranslations("kycStart");
  const id = useId();
  const error = fields.error("qsa");
  return (
    <FormSection title={t("partnersTitle")} lead={t("partnersLead")}>
      {error ? (
        <p id={`${id}-error`} className="text-sm text-negative">
          {error}
        </p>
      ) : null}
      {Array.from({ length: count }, (_, place) => (
        <fieldset key={place} className="space-y-4 rounded border border-line bg-canvas p-4">
          <legend className="sr-only">{t("partner", { number: place + 1 })}</legend>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p aria-hidden className="font-medium">
              {t("partner", { number: place + 1 })}
            </p>
            {count > 1 ? (
              <Button
                tone="quiet"
                size="small"
                aria-label={t("removePartner", { number: place + 1 })}
                onClick={() => onRemove(place)}
              >
                <Trash2 aria-hidden size={13} />
                {t("remove")}
              </Button>
            ) : null}
          </div>
          <div
            role="radiogroup"
            data-invalid={error ? true : undefined}
            aria-label={t("ownerType")}
            className="flex flex-wrap gap-x-5 gap-y-2"
          >
            {MEMBER_TYPES.map((type) => (
              <label key={type} className="flex cursor-pointer items-center gap-2">
                <input
                  type="radio"
                  name={`qsa.${place}.ownerType`}
                  value={type}
                  checked={ownerOf(place) === type}
                  aria-describedby={error ? `${id}-error` : undefined}
                  onChange={() => fields.set(`qsa.${place}.ownerType`, type)}
                  className="size-3.5 accent-accent"
                />
                {t(`ownerTypes.${type}`)}
              </label>
            ))}
          </div>
          <IndividualFields fields={fields} prefix={`qsa.${place}.`} />
        </fieldset>
      ))}
      {count < MEMBERS_MAX ? (
        <Button onClick={onAdd}>
          <Plus aria-hidden size={14} />
          {t("addPartner")}
        </Button>
      ) : (
        <p className="text-sm text-muted">{t("partnersFull", { max: MEMBERS_MAX })}</p>
      )}
    </FormSection>
  );
}
