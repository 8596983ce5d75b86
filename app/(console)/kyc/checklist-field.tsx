import { useTranslations } from "next-intl";
import { useId } from "react";
import type { DecisionTerms } from "@/lib/kyc/queries";

type ChecklistFieldProps = {
  items: DecisionTerms["checklist"];
  /** The codes of what was confirmed. */
  confirmed: readonly string[];
  error: string | undefined;
  onChange: (confirmed: string[]) => void;
};

/** What the reviewer confirms, item by item, before they approve. */
export function ChecklistField({ items, confirmed, error, onChange }: ChecklistFieldProps) {
  const t = useTranslations("kyc");
  const id = useId();
  const count = items.filter(({ code }) => confirmed.includes(code)).length;
  const toggle = (code: string) =>
    onChange(confirmed.includes(code) ? confirmed.filter((one) => one !== code) : [...confirmed, code]);
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-3">
        <span className="text-sm font-medium">{t("checklist")}</span>
        <span aria-hidden className="text-sm text-muted tabular-nums">
          {t("checked", { count, total: items.length })}
        </span>
      </legend>
      <div className="space-y-1.5">
        {items.map(({ code, text }) => (
          <label key={code} className="flex cursor-pointer items-start gap-2.5">
            <input
              type="checkbox"
              name="checklist"
              value={code}
              checked={confirmed.includes(code)}
              onChange={() => toggle(code)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
      {error ? (
        <p id={`${id}-error`} className="mt-1.5 text-sm text-negative">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
