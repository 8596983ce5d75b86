import { useTranslations } from "next-intl";
import { FieldFrame, useField } from "@/components/ui/field";
import { INPUT_CLASS } from "@/components/ui/input-class";
import type { Fields } from "@/components/use-field-errors";
import { STATES } from "@/lib/account-creation";
import { cn } from "@/lib/cn";
import { typingPostalCode } from "@/lib/typed";
import { MaskedLine, TextLine } from "./bound-fields";

function StateField({ fields, name }: { fields: Fields; name: string }) {
  const t = useTranslations("accountForm");
  const error = fields.error(name);
  const field = useField({ hint: undefined, error });
  return (
    <FieldFrame id={field.id} label={t("state")} error={error}>
      <select
        {...field}
        name={name}
        autoComplete="off"
        value={fields.value(name).toUpperCase()}
        onChange={({ target }) => fields.set(name, target.value)}
        className={cn(INPUT_CLASS, "h-9")}
      >
        <option value="">{t("chooseState")}</option>
        {STATES.map((state) => (
          <option key={state}>{state}</option>
        ))}
      </select>
    </FieldFrame>
  );
}

type AddressFieldsProps = {
  fields: Fields;
  /** Where the address stands in the form, with a dot behind. */
  at: string;
  /** The interface takes the coordinates of a person's address alone. */
  hasCoordinates?: boolean;
};

export function AddressFields({ fields, at, hasCoordinates = false }: AddressFieldsProps) {
  const t = useTranslations("accountForm");
  const optional = t("optional");
  return (
    <>
      <MaskedLine
        fields={fields}
        name={`${at}postalCode`}
        label={t("postalCode")}
        mask={typingPostalCode}
        inputMode="numeric"
        className="max-w-40"
      />
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <TextLine fields={fields} name={`${at}street`} label={t("street")} />
        <TextLine fields={fields} name={`${at}number`} label={t("number")} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextLine fields={fields} name={`${at}complement`} label={t("complement")} hint={optional} />
        <TextLine fields={fields} name={`${at}neighborhood`} label={t("neighborhood")} />
      </div>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <TextLine fields={fields} name={`${at}city`} label={t("city")} />
        <StateField fields={fields} name={`${at}state`} />
      </div>
      {hasCoordinates ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {(["latitude", "longitude"] as const).map((name) => (
            <TextLine
              key={name}
              fields={fields}
              name={`${at}${name}`}
              label={t(name)}
              hint={`${t("coordinateHint")} (${optional})`}
              inputMode="decimal"
            />
          ))}
        </div>
      ) : null}
    </>
  );
}
