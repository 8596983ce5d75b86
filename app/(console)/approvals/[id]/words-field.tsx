import { useTranslations } from "next-intl";
import { CountedField, type CountedText } from "@/components/form/fields";

type WordsFieldProps = CountedText & { label: string; hint: string };

export function WordsField(field: WordsFieldProps) {
  const t = useTranslations("approvals");
  const { value, limit } = field;
  return (
    <CountedField {...field} tooLong={t("tooLong", { limit })}>
      <span aria-live="polite" className="sr-only">
        {value.length > 0 ? t("count", { used: value.length, limit }) : null}
      </span>
    </CountedField>
  );
}
