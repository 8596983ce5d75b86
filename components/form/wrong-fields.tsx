import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";

type WrongFieldsProps = {
  fields: readonly string[];
  labelOf: (field: string) => string;
  onShow: (field: string) => void;
};

/** Each leads to its field; one alone needs no summary. */
export function WrongFields({ fields, labelOf, onShow }: WrongFieldsProps) {
  const t = useTranslations("common");
  if (fields.length < 2) return null;
  return (
    <Notice tone="negative" className="mt-4">
      <p className="font-medium">{t("wrongFields", { count: fields.length })}</p>
      <ul className="mt-1 list-disc ps-5">
        {fields.map((field) => (
          <li key={field}>
            <button type="button" className="min-h-6 text-start underline" onClick={() => onShow(field)}>
              {labelOf(field)}
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

export const focusNamed = (form: HTMLFormElement | null, name: string): void =>
  form?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
