"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ChoiceField } from "@/components/ui/choice-field";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/form/use-action";
import { loosens, type PolicyRule, reaisOf } from "@/lib/approvals/view";
import { setApprovalPolicy } from "@/lib/approvals/actions";
import type { PolicyView } from "./policies";

type PolicyDialogProps = { view: PolicyView; onClose: () => void; onDone: (isProposed: boolean) => void };

const MOST_HOURS = 168;

const isTerm = (hours: string) => /^\d{1,3}$/.test(hours.trim()) && Number(hours) >= 1 && Number(hours) <= MOST_HOURS;

export function PolicyDialog({ view, onClose, onDone }: PolicyDialogProps) {
  const t = useTranslations("approvalPolicy");
  const kinds = useTranslations("approvals.kinds");
  const { pending, failure, run } = useAction(setApprovalPolicy);
  const { policy, kind } = view;
  const [rule, setRule] = useState<PolicyRule>(policy.rule);
  const locale = useLocale();
  const written = (policy.amount ?? "").replace(".", locale === "pt-BR" ? "," : ".");
  const [amount, setAmount] = useState(written);
  const [hours, setHours] = useState(String(policy.expiresAfterHours));
  const [isChecked, setChecked] = useState(false);
  const isAbove = rule === "above";
  const problems = {
    amount: isChecked && isAbove && amount.trim() === "" ? t("amountFirst") : failure?.fields?.["amount"],
    hours: isChecked && !isTerm(hours) ? t("expiresFirst") : failure?.fields?.["expiresAfterHours"],
  };
  const isChanged = rule !== policy.rule || amount !== written || hours !== String(policy.expiresAfterHours);
  const isLoosening = loosens(policy, { ...policy, rule, amount: isAbove ? reaisOf(amount) : null });

  const submit = (_: HTMLFormElement, intentId: string) => {
    setChecked(true);
    if ((isAbove && amount.trim() === "") || !isTerm(hours)) return;
    const { version } = policy;
    const typed = { rule, amount: isAbove ? amount.trim() : null, expiresAfterHours: Number(hours) };
    run({ intentId, kind, version, ...typed }, (made) => onDone("state" in made));
  };

  return (
    <FormDialog
      title={t("dialogTitle")}
      description={t("dialogBody", { kind: kinds(kind) })}
      submitLabel={t("submit")}
      pending={pending}
      error={failure}
      isWritten={isChanged}
      onSubmit={submit}
      onClose={onClose}
    >
      <RuleChoice rules={view.rules} chosen={rule} onChoose={setRule} />
      {isAbove ? (
        <TextField
          label={t("amount")}
          hint={t("amountHint")}
          error={problems.amount}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
      ) : null}
      <TextField
        label={t("expires")}
        hint={t("expiresHint")}
        error={problems.hours}
        inputMode="numeric"
        autoComplete="off"
        value={hours}
        onChange={(event) => setHours(event.target.value)}
      />
      {isLoosening ? <Notice tone="warning">{t("loosenNote")}</Notice> : null}
    </FormDialog>
  );
}

type RuleChoiceProps = { rules: readonly PolicyRule[]; chosen: PolicyRule; onChoose: (rule: PolicyRule) => void };

function RuleChoice({ rules, chosen, onChoose }: RuleChoiceProps) {
  const t = useTranslations("approvalPolicy");
  return (
    <ChoiceField legend={t("rule")}>
      <div className="space-y-1.5">
        {rules.map((choice) => (
          <label key={choice} className="flex items-center gap-2">
            <input
              type="radio"
              name="rule"
              value={choice}
              checked={chosen === choice}
              onChange={() => onChoose(choice)}
              className="size-4 accent-accent"
            />
            {t(`rules.${choice}`)}
          </label>
        ))}
      </div>
    </ChoiceField>
  );
}
