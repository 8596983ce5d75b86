import { useTranslations } from "next-intl";
import { ChoiceField } from "@/components/ui/choice-field";
import type { DecisionTerms } from "@/lib/kyc/queries";

type ReasonChoiceProps = {
  reasons: DecisionTerms["reasons"];
  /** The code of the reason. */
  chosen: string | null;
  error: string | undefined;
  onChoose: (code: string) => void;
};

/** The reasons that may be given for the decision, of which one is; the arrow keys go through them, and each of the first nine has its digit. */
export function ReasonChoice({ reasons, chosen, error, onChoose }: ReasonChoiceProps) {
  const t = useTranslations("kyc");
  return (
    <ChoiceField legend={t("reason")} error={error}>
      <div className="max-h-60 divide-y divide-line overflow-y-auto rounded border border-control">
        {reasons.map(({ code, text }, n) => (
          <label
            key={code}
            className="flex cursor-pointer items-start gap-2.5 px-3 py-2 -outline-offset-2 has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="reasonCode"
              value={code}
              checked={chosen === code}
              onChange={() => onChoose(code)}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span className="flex-1">{text}</span>
            {n < 9 ? (
              <kbd aria-hidden className="text-sm text-muted">
                {n + 1}
              </kbd>
            ) : null}
          </label>
        ))}
      </div>
    </ChoiceField>
  );
}
