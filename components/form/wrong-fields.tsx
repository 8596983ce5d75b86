import { useTranslations } from "next-intl";
import { useId } from "react";
import { Notice } from "@/components/ui/notice";

/** Follows `order`, by full name or last part; numbered fields come last. */
export function inOrder(fields: readonly string[], order: readonly string[]): string[] {
  const rankOf = (field: string) => {
    const nth = Number(/\.(\d+)\./.exec(field)?.[1] ?? -1);
    const at = order.indexOf(field);
    return nth * order.length + (at === -1 ? order.indexOf(field.split(".").at(-1) ?? field) : at);
  };
  return fields.toSorted((one, other) => rankOf(one) - rankOf(other));
}

type WrongFieldsProps = {
  fields: readonly string[];
  order: readonly string[];
  labelOf: (field: string) => string;
  onShow: (field: string) => void;
};

/** Each error links to its field; a single one needs no summary. */
export function WrongFields({ fields, order, labelOf, onShow }: WrongFieldsProps) {
  const t = useTranslations("common");
  const countId = useId();
  if (fields.length < 2) return null;
  return (
    <section tabIndex={-1} aria-labelledby={countId} data-wrong-fields className="mt-4">
      <Notice tone="negative">
        <p id={countId} className="font-medium">
          {t("wrongFields", { count: fields.length })}
        </p>
        <ul className="mt-1 list-disc ps-5">
          {inOrder(fields, order).map((field) => (
            <li key={field}>
              <button type="button" className="min-h-6 text-start underline" onClick={() => onShow(field)}>
                {labelOf(field)}
              </button>
            </li>
          ))}
        </ul>
      </Notice>
    </section>
  );
}

/** Focuses the summary, or the field itself when only one is wrong. */
export const focusWrong = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>("[data-wrong-fields], [aria-invalid=true], [data-invalid=true] input")?.focus();

export const focusNamed = (form: HTMLFormElement | null, name: string): void =>
  form?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
