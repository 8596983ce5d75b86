import { useTranslations } from "next-intl";
import { useId } from "react";
import { Notice } from "@/components/ui/notice";

/** In the order of the form: `order` has each name, or its last part; what is numbered comes one after another, and last. */
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

/** Each leads to its field; one alone needs no summary. */
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

/** The summary, which stands before the fields; the field itself where only one is wrong. */
export const focusWrong = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>("[data-wrong-fields], [aria-invalid=true], [data-invalid=true] input")?.focus();

export const focusNamed = (form: HTMLFormElement | null, name: string): void =>
  form?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
