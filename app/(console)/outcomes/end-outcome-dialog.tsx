"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";
import { REASON_MAX, REFERENCE_MAX } from "@/lib/outcomes/view";
import { EVIDENCE_SOURCES, type EvidenceSource, type Outcome, OUTCOMES } from "@/lib/db/enums/outcomes";
import { endOutcome } from "@/lib/outcomes/actions";
import { providerText } from "@/lib/text/provider-word";
import { shortAddress } from "@/lib/text/short";
import type { ChainCandidate } from "@/lib/wallets/view";

type Candidates = readonly Pick<ChainCandidate, "id" | "at">[];

type EndOutcomeDialogProps = {
  endedId: string;
  needsApproval: boolean;
  /** Of coins, which end with a hash: those that the chain shows. */
  candidates?: Candidates;
  onClose: () => void;
  onDone: (state: "ENDED" | "PROPOSED") => void;
};

type Typed = {
  outcome: Outcome | null;
  source: EvidenceSource | null;
  reference: string;
  reason: string;
  txHash: string;
};

type HashFieldProps = {
  value: string;
  candidates: Candidates;
  error: string | undefined;
  onChange: (hash: string) => void;
};

function HashField({ value, candidates, error, onChange }: HashFieldProps) {
  const t = useTranslations("outcomes");
  return (
    <div className="space-y-1.5">
      <TextField
        label={t("hash")}
        hint={t("hashHint")}
        name="txHash"
        autoComplete="off"
        spellCheck={false}
        value={value}
        error={error}
        onChange={({ target }) => onChange(target.value)}
      />
      {candidates.map(({ id }) => (
        <Button key={id} tone="plain" size="small" onClick={() => onChange(id)}>
          {t("takeHash", { hash: providerText(shortAddress(id)) })}
        </Button>
      ))}
    </div>
  );
}

export function EndOutcomeDialog({ endedId, needsApproval, candidates, onClose, onDone }: EndOutcomeDialogProps) {
  const t = useTranslations("outcomes");
  const { pending, failure, run } = useAction(endOutcome);
  const [typed, setTyped] = useState<Typed>({
    outcome: null,
    source: null,
    reference: "",
    reason: "",
    txHash: "",
  });
  const [isChecked, setChecked] = useState(false);
  const { outcome, source, reference, reason, txHash } = typed;
  const endsWithHash = candidates !== undefined && outcome === "HAPPENED";
  const named = endsWithHash && txHash.trim() !== "" ? { txHash } : {};

  const submit = (form: HTMLFormElement, intentId: string) => {
    setChecked(true);
    if (outcome !== null && source !== null) {
      run({ intentId, endedId, outcome, source, reference, reason, ...named }, ({ state }) => onDone(state));
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
      isWritten={outcome !== null || source !== null || [reference, reason, txHash].some((text) => text !== "")}
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
      {endsWithHash ? (
        <HashField
          value={txHash}
          candidates={candidates}
          error={failure?.fields?.["txHash"]}
          onChange={(hash) => setTyped({ ...typed, txHash: hash })}
        />
      ) : null}
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
