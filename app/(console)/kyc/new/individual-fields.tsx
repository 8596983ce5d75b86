import { useTranslations } from "next-intl";
import { DateField } from "@/components/date-field";
import { TextField } from "@/components/ui/field";
import { civilDaysAgo } from "@/lib/time";
import { typedDocument } from "@/lib/typed";
import type { Fields } from "@/components/use-field-errors";

type IndividualFieldsProps = { fields: Fields; prefix?: string };

/** What the interface asks of a natural person. */
export function IndividualFields({ fields, prefix = "" }: IndividualFieldsProps) {
  const t = useTranslations("kycStart");
  const bind = (part: string) => {
    const name = `${prefix}${part}`;
    return { name, value: fields.value(name), error: fields.error(name), autoComplete: "off", spellCheck: false };
  };
  const set = (part: string) => (value: string) => fields.set(`${prefix}${part}`, value);
  return (
    <>
      <TextField
        {...bind("vatNumber")}
        label={t("cpf")}
        inputMode="numeric"
        className="max-w-60 tabular-nums"
        onChange={({ target }) => set("vatNumber")(target.value)}
        onBlur={({ target }) => set("vatNumber")(typedDocument(target.value))}
      />
      <TextField
        {...bind("name")}
        label={t("name")}
        hint={t("nameHint")}
        onChange={({ target }) => set("name")(target.value)}
      />
      <DateField
        label={t("birthDate")}
        hint={t("dateHint")}
        name={`${prefix}birthDate`}
        value={fields.value(`${prefix}birthDate`)}
        error={fields.error(`${prefix}birthDate`)}
        last={civilDaysAgo(0)}
        onChange={set("birthDate")}
      />
      <TextField
        {...bind("motherName")}
        label={t("motherName")}
        onChange={({ target }) => set("motherName")(target.value)}
      />
    </>
  );
}
