import { useTranslations } from "next-intl";
import { DateField } from "@/components/date-field";
import { MaskedField } from "@/components/masked-field";
import { TextField } from "@/components/ui/field";
import type { Fields } from "@/components/use-field-errors";
import { civilDaysAgo } from "@/lib/time";
import { typingCpf, typingPhone } from "@/lib/typed";

type BoundProps = { fields: Fields; name: string; label: string; hint?: string; className?: string };

/** One line of text of the form. */
export function TextLine({ fields, name, ...line }: BoundProps & { type?: "email" | "url"; inputMode?: "decimal" }) {
  return (
    <TextField
      {...line}
      name={name}
      autoComplete="off"
      spellCheck={false}
      value={fields.value(name)}
      error={fields.error(name)}
      onChange={({ target }) => fields.set(name, target.value)}
    />
  );
}

/** One line whose points, slashes and dashes come by themselves. */
export function MaskedLine({
  fields,
  name,
  ...line
}: BoundProps & { mask: (typed: string) => string; inputMode?: "numeric" | "tel" }) {
  return (
    <MaskedField
      {...line}
      name={name}
      value={fields.value(name)}
      error={fields.error(name)}
      onChange={(typed) => fields.set(name, typed)}
    />
  );
}

export function DateLine({ fields, name, label }: Omit<BoundProps, "hint" | "className">) {
  const t = useTranslations("accountForm");
  return (
    <DateField
      label={label}
      hint={t("dateHint")}
      name={name}
      value={fields.value(name)}
      error={fields.error(name)}
      last={civilDaysAgo(0)}
      onChange={(typed) => fields.set(name, typed)}
    />
  );
}

export function PhoneLine({ fields, name }: Pick<BoundProps, "fields" | "name">) {
  const t = useTranslations("accountForm");
  return (
    <MaskedLine
      fields={fields}
      name={name}
      label={t("phone")}
      hint={t("phoneHint")}
      mask={typingPhone}
      inputMode="tel"
      className="max-w-60"
    />
  );
}

/** What the interface asks of a natural person, holder or owner. */
export function PersonLines({ fields, at }: { fields: Fields; at: string }) {
  const t = useTranslations("accountForm");
  return (
    <>
      <MaskedLine
        fields={fields}
        name={`${at}documentNumber`}
        label={t("cpf")}
        mask={typingCpf}
        inputMode="numeric"
        className="max-w-60"
      />
      <TextLine fields={fields} name={`${at}fullName`} label={t("fullName")} hint={t("fullNameHint")} />
      <DateLine fields={fields} name={`${at}birthDate`} label={t("birthDate")} />
      <TextLine fields={fields} name={`${at}motherName`} label={t("motherName")} />
    </>
  );
}
