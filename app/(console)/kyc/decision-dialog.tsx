"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form-dialog";
import type { KycRow } from "@/lib/kyc/queries";
import { DecisionCase } from "./decision-case";
import type { Decision } from "./decision-choice";
import { isWritten, type Missing, missingOf } from "./decision-draft";
import { DecisionFields } from "./decision-fields";
import { BeforeDeciding } from "./before-deciding";
import { type Step, useDeciding } from "./use-deciding";

type DecisionDialogProps = {
  subject: KycRow;
  /** Chosen already when it opens. */
  initialDecision?: Decision;
  reasonLimit: number;
  onClose: () => void;
  onDone: (confirmation: string) => void;
};

const FIRST_FIELD: Record<NonNullable<Missing>, string> = {
  decision: "input[name=decision]",
  reasonCode: "input[name=reasonCode]",
  checklist: "input[name=checklist]:not(:checked)",
  reason: "textarea[name=addition]",
};

/**
 * Decides a case: one that is nobody's becomes the person's as they send, a colleague's they are asked about first. What is decided upon is read
 * when it opens, and again whenever it changes; the server compares once more before anything is sent.
 */
export function DecisionDialog({ subject, initialDecision, reasonLimit, onClose, onDone }: DecisionDialogProps) {
  const deciding = useDeciding({ subject, initialDecision: initialDecision ?? null, onDone });
  const { step, terms, opened, draft, failure } = deciding;
  const t = useTranslations("kyc");
  const [triedUpon, setTriedUpon] = useState<string | null>(null);
  const words = useWords(step, { row: terms?.row ?? subject, decision: draft.decision });

  const submit = (form: HTMLFormElement, intentId: string) => {
    if (step === "held") return deciding.claim();
    if (terms === undefined) return;
    setTriedUpon(terms.row.status);
    const missing = missingOf(draft, terms, reasonLimit);
    if (missing === null) deciding.send(intentId);
    else form.querySelector<HTMLElement>(FIRST_FIELD[missing])?.focus();
  };

  return (
    <FormDialog
      {...words}
      pending={deciding.pending}
      error={failure}
      isReady={step === "ready" || step === "held"}
      isWritten={isWritten(draft)}
      onSubmit={submit}
      onClose={() => {
        deciding.forget();
        onClose();
      }}
    >
      <DecisionCase row={terms?.row ?? subject} opened={opened} terms={terms} isRefused={failure !== null} />
      {step === "ready" && terms?.isMine === false ? <p className="mb-4 text-muted">{t("nobodyHas")}</p> : null}
      {terms !== undefined && step === "ready" ? (
        <DecisionFields
          terms={terms}
          draft={draft}
          reasonLimit={reasonLimit}
          isTried={triedUpon === terms.row.status}
          found={failure?.fields ?? {}}
          onChange={deciding.change}
        />
      ) : (
        <BeforeDeciding step={step} row={terms?.row ?? subject} deciding={deciding} />
      )}
    </FormDialog>
  );
}

type Worded = { row: KycRow; decision: Decision | null };

/** What the dialog is called, and what its button does. */
function useWords(step: Step, { row, decision }: Worded) {
  const t = useTranslations("kyc");
  const approvals = useTranslations("approvals");
  const { needsSecond, status } = row;
  const isReview = needsSecond && (status === "APPROVED" || status === "REPROVED");
  const title = isReview ? t("reviewTitle") : t("dialogTitle");
  const description = needsSecond ? approvals("proposeBody") : t("dialogBody");
  if (step === "held") return { title, description: t("heldBody"), submitLabel: t("takeOver") };
  if (needsSecond) return { title, description, submitLabel: approvals("submitPropose") };
  if (decision === null) return { title, description, submitLabel: t("submitNone") };
  const tone = decision === "REPROVED" ? ("negative" as const) : ("primary" as const);
  return { title, description, tone, submitLabel: t(decision === "APPROVED" ? "submitApprove" : "submitReprove") };
}
