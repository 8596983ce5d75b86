import { useTranslations } from "next-intl";
import { ChoiceField } from "@/components/ui/choice-field";
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
  const count = items.filter(({ code }) => confirmed.includes(code)).length;
  const toggle = (code: string) =>
    onChange(confirmed.includes(code) ? confirmed.filter((one) => one !== code) : [...confirmed, code]);
  return (
    <ChoiceField legend={t("checklist")} aside={t("checked", { count, total: items.length })} error={error}>
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
    </ChoiceField>
  );
}
