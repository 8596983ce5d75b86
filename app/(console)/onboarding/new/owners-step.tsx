import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { FormSection } from "@/components/form-section";
import { Button } from "@/components/ui/button";
import type { HeldDraft } from "@/components/use-draft";
import type { Fields } from "@/components/use-field-errors";
import { OWNERS_MAX } from "@/lib/account-creation";
import { AddressFields } from "./address-fields";
import { PersonLines, PhoneLine, TextLine } from "./bound-fields";
import { hasOwnAddress, ownerAt, ownersOf, withoutOwner, withOwner } from "./form-values";

type OwnerProps = { place: number; draft: HeldDraft; fields: Fields; onRemove: (() => void) | null };

function Owner({ place, draft, fields, onRemove }: OwnerProps) {
  const t = useTranslations("accountForm");
  const at = ownerAt(place);
  const number = place + 1;
  return (
    <fieldset className="space-y-4 rounded border border-line bg-canvas p-4">
      <legend className="sr-only">{t("owner", { number })}</legend>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p aria-hidden className="font-medium">
          {t("owner", { number })}
        </p>
        {onRemove === null ? null : (
          <Button tone="quiet" size="small" aria-label={t("removeOwner", { number })} onClick={onRemove}>
            <Trash2 aria-hidden size={13} />
            {t("remove")}
          </Button>
        )}
      </div>
      <PersonLines fields={fields} at={at} />
      <TextLine fields={fields} name={`${at}email`} label={t("ownerEmail")} type="email" />
      <PhoneLine fields={fields} name={`${at}phoneNumber`} />
      <label className="flex cursor-pointer items-center gap-2.5">
        <input
          type="checkbox"
          checked={hasOwnAddress(draft, place)}
          onChange={({ target }) => fields.set(`${at}ownAddress`, target.checked ? "yes" : "")}
          className="size-3.5 accent-accent"
        />
        {t("ownAddress")}
      </label>
      {hasOwnAddress(draft, place) ? <AddressFields fields={fields} at={`${at}address.`} /> : null}
    </fieldset>
  );
}

type OwnersStepProps = { draft: HeldDraft; fields: Fields; onOwners: () => void };

/** Those who answer for the company. */
export function OwnersStep({ draft, fields, onOwners }: OwnersStepProps) {
  const t = useTranslations("accountForm");
  const count = ownersOf(draft);
  const change = (values: Record<string, string>) => {
    draft.replace(values);
    onOwners();
  };
  return (
    <FormSection title={t("ownersTitle")} lead={t("ownersLead")}>
      {Array.from({ length: count }, (_, place) => (
        <Owner
          key={place}
          place={place}
          draft={draft}
          fields={fields}
          onRemove={count > 1 ? () => change(withoutOwner(draft, place)) : null}
        />
      ))}
      {count < OWNERS_MAX ? (
        <Button onClick={() => change(withOwner(draft))}>
          <Plus aria-hidden size={14} />
          {t("addOwner")}
        </Button>
      ) : (
        <p className="text-sm text-muted">{t("ownersFull", { max: OWNERS_MAX })}</p>
      )}
    </FormSection>
  );
}
