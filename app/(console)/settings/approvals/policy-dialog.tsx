"use client";

import { LIMIT_NAMES, type DayLimits, NO_LIMITS } from "@/lib/permission/limits";
import type { PolicyRule } from "@/lib/permission/writes";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ChoiceField } from "@/components/ui/choice-field";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";
import type { listPolicies } from "@/lib/approvals/queries";
import { DAY_COUNT_MAX, EXPIRY_HOURS_MAX, loosens } from "@/lib/approvals/view";
import { formatBrl, type Locale } from "@/lib/text/format";
import { readReais } from "@/lib/text/typed-amount";
import { setApprovalPolicy } from "@/lib/approvals/actions";

export type PolicyView = Awaited<ReturnType<typeof listPolicies>>[number];

type PolicyDialogProps = { view: PolicyView; onClose: () => void; onDone: (isProposed: boolean) => void };

type LimitName = (typeof LIMIT_NAMES)[number];
type WrittenLimits = Record<LimitName, string>;

const isSum = (name: LimitName) => name !== "personCount" && name !== "payeeCount";

const isAmount = (typed: string) => /[1-9]/.test(readReais(typed) ?? "");

const isLimit = (name: LimitName, typed: string): boolean => {
  const text = typed.trim();
  if (text === "") return true;
  if (isSum(name)) return isAmount(text);
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= DAY_COUNT_MAX;
};

const asWritten = (reais: string | null, locale: Locale) =>
  reais === null ? "" : formatBrl(reais, locale).replaceAll(/[^\d.,]/g, "");

const writtenLimits = (policy: DayLimits, locale: Locale): WrittenLimits => ({
  personSum: asWritten(policy.personSum, locale),
  personCount: String(policy.personCount ?? ""),
  payeeSum: asWritten(policy.payeeSum, locale),
  payeeCount: String(policy.payeeCount ?? ""),
  tenantSum: asWritten(policy.tenantSum, locale),
  firstSum: asWritten(policy.firstSum, locale),
});

const countOf = (typed: string) => (/^\d{1,5}$/.test(typed.trim()) ? Number(typed) : null);

const readLimits = ({
  personSum,
  personCount,
  payeeSum,
  payeeCount,
  tenantSum,
  firstSum,
}: WrittenLimits): DayLimits => ({
  personSum: readReais(personSum),
  personCount: countOf(personCount),
  payeeSum: readReais(payeeSum),
  payeeCount: countOf(payeeCount),
  tenantSum: readReais(tenantSum),
  firstSum: readReais(firstSum),
});

const isTerm = (hours: string) =>
  /^\d{1,3}$/.test(hours.trim()) && Number(hours) >= 1 && Number(hours) <= EXPIRY_HOURS_MAX;

export function PolicyDialog({ view, onClose, onDone }: PolicyDialogProps) {
  const t = useTranslations("approvalPolicy");
  const kinds = useTranslations("writes");
  const { pending, failure, run } = useAction(setApprovalPolicy);
  const { policy, kind } = view;
  const [rule, setRule] = useState<PolicyRule>(policy.rule);
  const locale = useLocale();
  const written = asWritten(policy.amount, locale);
  const [amount, setAmount] = useState(written);
  const [hours, setHours] = useState(String(policy.expiresAfterHours));
  const [limits, setLimits] = useState(() => writtenLimits(policy, locale));
  const [isChecked, setChecked] = useState(false);
  const isAbove = rule === "above";
  const wrong = isAbove ? LIMIT_NAMES.filter((name) => !isLimit(name, limits[name])) : [];
  const problems = {
    amount: isChecked && isAbove && !isAmount(amount) ? t("amountFirst") : failure?.fields?.["amount"],
    hours: isChecked && !isTerm(hours) ? t("expiresFirst") : failure?.fields?.["expiresAfterHours"],
  };
  const before = writtenLimits(policy, locale);
  const isChanged =
    rule !== policy.rule ||
    amount !== written ||
    hours !== String(policy.expiresAfterHours) ||
    LIMIT_NAMES.some((name) => limits[name] !== before[name]);
  const isLoosening = loosens(policy, {
    ...policy,
    ...(isAbove ? readLimits(limits) : NO_LIMITS),
    rule,
    amount: isAbove ? readReais(amount) : null,
  });

  const submit = (_: HTMLFormElement, intentId: string) => {
    setChecked(true);
    if ((isAbove && !isAmount(amount)) || !isTerm(hours) || wrong.length > 0) return;
    const { version } = policy;
    const typed = {
      rule,
      amount: isAbove ? amount.trim() : null,
      ...(isAbove ? readLimits(limits) : NO_LIMITS),
      expiresAfterHours: Number(hours),
    };
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
      {isAbove ? (
        <LimitFields
          limits={limits}
          wrong={isChecked ? wrong : []}
          onType={(name, typed) => setLimits({ ...limits, [name]: typed })}
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

type LimitFieldsProps = {
  limits: WrittenLimits;
  wrong: readonly LimitName[];
  onType: (name: LimitName, typed: string) => void;
};

function LimitFields({ limits, wrong, onType }: LimitFieldsProps) {
  const t = useTranslations("approvalPolicy");
  return (
    <ChoiceField legend={t("limits")}>
      <p className="mb-2 text-sm text-muted">{t("limitsHint")}</p>
      <div className="grid gap-x-4 gap-y-3 medium:grid-cols-2">
        {LIMIT_NAMES.map((name) => (
          <TextField
            key={name}
            label={t(name)}
            error={wrong.includes(name) ? t(isSum(name) ? "sumFirst" : "countFirst") : undefined}
            inputMode={isSum(name) ? "decimal" : "numeric"}
            autoComplete="off"
            value={limits[name]}
            onChange={({ target }) => onType(name, target.value)}
          />
        ))}
      </div>
    </ChoiceField>
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
