"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";
import { REASON_MAX, REFERENCE_MAX } from "@/lib/outcomes/view";
import { EVIDENCE_SOURCES, type EvidenceSource, type Outcome, OUTCOMES } from "@/lib/db/enums/outcomes";
import { endOutcome } from "@/lib/outcomes/actions";

type EndOutcomeDialogProps = {
  endedId: string;
  needsApproval: boolean;
  onClose: () => void;
  onDone: (state: "ENDED" | "PROPOSED") => void;
};

type Typed = { outcome: Outcome | null; source: EvidenceSource | null; reference: string; reason: string };

export function EndOutcomeDialog({ endedId, needsApproval, onClose, onDone }: EndOutcomeDialogProps) {
  const t = useTranslations("outcomes");
  const { pending, failure, run } = useAction(endOutcome);
  const [typed, setTyped] = useState<Typed>({ outcome: null, source: null, reference: "", reason: "" });
  const [isChecked, setChecked] = useState(false);
  const { outcome, source, reference, reason } = typed;

  const submit = (form: HTMLFormElement, intentId: string) => {
    setChecked(true);
    if (outcome !== null && source !== null) {
      run({ intentId, endedId, outcome, source, reference, reason }, ({ state }) => onDone(state));
      return;
    }
    const first = form.querySelector(outcome === null ? "[name=outcome]" : "[name=source]");
    if (first instanceof HTMLElement) first.focus();
  };
  return (
    <FormDialog
      title={t("endTitle")}
      description={t("endBody")}
      submitLabel={t(needsApproval ? "propose" : "submit")}
      pending={pending}
      error={failure}
      isWritten={outcome !== null || source !== null || reference !== "" || reason !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      {needsApproval ? <Notice tone="info">{t("second")}</Notice> : null}
      <ChoiceField
        legend={t("outcome")}
        hint={outcome === null ? undefined : t(`outcomeHint.${outcome}`)}
        error={isChecked && outcome === null ? t("outcomeFirst") : undefined}
      >
        <div className="grid gap-2 medium:grid-cols-2">
          {OUTCOMES.map((one) => (
            <RadioTile
              key={one}
              name="outcome"
              value={one}
              isChosen={outcome === one}
              onChoose={() => setTyped({ ...typed, outcome: one })}
              className="px-3 py-2"
            >
              {t(`outcomes.${one}`)}
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      <ChoiceField legend={t("source")} error={isChecked && source === null ? t("sourceFirst") : undefined}>
        <div className="grid gap-2 medium:grid-cols-2">
          {EVIDENCE_SOURCES.map((one) => (
            <RadioTile
              key={one}
              name="source"
              value={one}
              isChosen={source === one}
              onChoose={() => setTyped({ ...typed, source: one })}
              className="px-3 py-2"
            >
              {t(`sources.${one}`)}
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      <TextField
        label={t("reference")}
        hint={t("referenceHint")}
        name="reference"
        autoComplete="off"
        maxLength={REFERENCE_MAX}
        value={reference}
        error={failure?.fields?.["reference"]}
        onChange={({ target }) => setTyped({ ...typed, reference: target.value })}
      />
      <CountedField
        label={t("reason")}
        hint={t("reasonHint")}
        name="reason"
        tooLong={t("reasonTooLong")}
        limit={REASON_MAX}
        value={reason}
        error={failure?.fields?.["reason"]}
        isSentByKeys
        onChange={(text) => setTyped({ ...typed, reason: text })}
      />
    </FormDialog>
  );
}
