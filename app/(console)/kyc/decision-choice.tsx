import { Check, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import type { ManualDecision } from "@/lib/contract/kyc";

export type Decision = ManualDecision["decision"];

type DecisionChoiceProps = {
  chosen: Decision | null;
  error: string | undefined;
  onChoose: (decision: Decision) => void;
};

/** Two outcomes side by side, each with what it causes. */
export function DecisionChoice({ chosen, error, onChoose }: DecisionChoiceProps) {
  const t = useTranslations("kyc");
  const id = useId();
  const choices = [
    {
      decision: "APPROVED",
      name: t("approve"),
      consequence: t("approveBody"),
      icon: <Check aria-hidden size={16} />,
      look: "has-checked:border-positive has-checked:bg-positive-tint [&_svg]:text-positive",
    },
    {
      decision: "REPROVED",
      name: t("reprove"),
      consequence: t("reproveBody"),
      icon: <X aria-hidden size={16} />,
      look: "has-checked:border-negative has-checked:bg-negative-tint [&_svg]:text-negative",
    },
  ] as const;
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{t("choice")}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ decision, name, consequence, icon, look }) => (
          <label
            key={decision}
            className={`relative flex cursor-pointer gap-2.5 rounded border border-control px-3 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${look}`}
          >
            <input
              type="radio"
              name="decision"
              value={decision}
              checked={chosen === decision}
              onChange={() => onChoose(decision)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span className="mt-0.5">{icon}</span>
            <span>
              <span className="block font-medium">{name}</span>
              <span className="block text-sm text-muted">{consequence}</span>
            </span>
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
