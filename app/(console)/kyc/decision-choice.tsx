import { Check, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
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
    <ChoiceField legend={t("choice")} error={error}>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ decision, name, consequence, icon, look }) => (
          <RadioTile
            key={decision}
            name="decision"
            value={decision}
            isChosen={chosen === decision}
            onChoose={() => onChoose(decision)}
            chosenLook={look}
            className="flex gap-2.5 px-3 py-2.5"
          >
            <span className="mt-0.5">{icon}</span>
            <span>
              <span className="block font-medium">{name}</span>
              <span className="block text-sm text-muted">{consequence}</span>
            </span>
          </RadioTile>
        ))}
      </div>
    </ChoiceField>
  );
}
