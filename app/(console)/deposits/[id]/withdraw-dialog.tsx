"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { WITHDRAWAL_REASONS } from "@/lib/db/enums/deposits";
import { withdrawExpectedDeposit } from "@/lib/deposits/actions";

type WithdrawDialogProps = {
  id: string;
  version: string;
  /** Amount and reference of what is expected. */
  what: string;
  onClose: () => void;
  onDone: () => void;
  onRefused: () => void;
};

export function WithdrawDialog({ id, version, what, onClose, onDone, onRefused }: WithdrawDialogProps) {
  const t = useTranslations("deposits");
  const { pending, failure, run } = useAction(withdrawExpectedDeposit);
  const [reason, setReason] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const submit = () => {
    setChecked(true);
    if (reason !== null) run({ id, reason, seen: version }, onDone, ({ kind }) => kind === "conflict" && onRefused());
  };
  return (
    <FormDialog
      title={t("withdraw.title")}
      description={t("withdraw.body", { what })}
      submitLabel={t("withdraw.submit")}
      tone="negative"
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChoiceField
        legend={t("withdraw.reason")}
        error={isChecked && reason === null ? t("withdraw.reasonFirst") : failure?.fields?.["reason"]}
      >
        <div className="grid gap-2 medium:grid-cols-2">
          {WITHDRAWAL_REASONS.map((value) => (
            <RadioTile
              key={value}
              name="withdrawal"
              value={value}
              isChosen={reason === value}
              onChoose={() => setReason(value)}
              className="px-3 py-2"
            >
              {t(`reasons.${value}`)}
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
    </FormDialog>
  );
}
