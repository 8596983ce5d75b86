"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { FieldFrame, useField } from "@/components/ui/field";
import { FailureNotice } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { NOTE_MAX_LENGTH, NOTE_MIN_LENGTH, type Revealed, type RevealTarget } from "@/lib/privacy/view";
import { REVEAL_REASONS, type RevealReason } from "@/lib/db/enums/privacy";
import { type Failure, REVEAL_SECOND_PERSON } from "@/lib/errors/result";
import { revealDocument } from "@/lib/accounts/actions";
import { askToRevealMore } from "@/lib/privacy/actions";
import { newIntentId } from "@/lib/text/intent";

type RevealDialogProps = {
  /** The field's name or masked value. */
  named: string;
  target: RevealTarget;
  onClose: () => void;
  onRevealed: (revealed: Revealed) => void;
};

/** Audited before it shows. */
export function RevealDialog({ named, target, onClose, onRevealed }: RevealDialogProps) {
  const t = useTranslations("privacy");
  const { pending, failure, run } = useAction(revealDocument);
  return (
    <ReasonDialog
      title={t(`dialogTitle.${target.field}`, { document: named })}
      description={t(`dialogBody.${target.field}`)}
      submitLabel={t("submit")}
      pending={pending}
      failure={failure}
      onClose={onClose}
      onGiven={(given) => run({ ...target, ...given }, onRevealed)}
    />
  );
}

type ReasonDialogProps = {
  title: string;
  description: string;
  submitLabel: string;
  pending: boolean;
  failure: Failure | null;
  onClose: () => void;
  onGiven: (given: { reason: RevealReason; note: string }) => void;
};

export function ReasonDialog({ failure, onGiven, ...dialog }: ReasonDialogProps) {
  const why = useRevealReason();
  const submit = (form: HTMLFormElement) => {
    const given = why.take(form);
    if (given !== null) onGiven(given);
  };
  return (
    <FormDialog {...dialog} error={failure} isWritten={why.isWritten} onSubmit={submit}>
      <RevealReasonFields why={why} failure={failure} />
    </FormDialog>
  );
}

/** Reads the reason for a reveal. `take`: the answers, or null after focusing the first missing one. */
export function useRevealReason() {
  const [reason, setReason] = useState<RevealReason | null>(null);
  const [note, setNote] = useState("");
  const [isChecked, setChecked] = useState(false);
  const isTooShort = note.trim().length < NOTE_MIN_LENGTH;
  const take = (form: HTMLFormElement) => {
    setChecked(true);
    if (reason !== null && !isTooShort) return { reason, note };
    form.querySelector<HTMLElement>(reason === null ? "[name=reason]" : "textarea")?.focus();
    return null;
  };
  return { reason, note, isChecked, isTooShort, isWritten: note.trim() !== "", setReason, setNote, take };
}

type RevealReasonFieldsProps = { why: ReturnType<typeof useRevealReason>; failure: Failure | null };

export function RevealReasonFields({ why, failure }: RevealReasonFieldsProps) {
  const t = useTranslations("privacy");
  const { reason, note, isChecked, isTooShort, setReason, setNote } = why;
  return (
    <>
      <ReasonChoice
        chosen={reason}
        error={isChecked && reason === null ? t("reasonFirst") : failure?.fields?.["reason"]}
        onChoose={setReason}
      />
      <NoteField
        value={note}
        error={isChecked && isTooShort ? t("noteFirst", { minimum: NOTE_MIN_LENGTH }) : failure?.fields?.["note"]}
        onChange={setNote}
      />
      {failure?.code === REVEAL_SECOND_PERSON ? <SecondPerson note={note} isReady={!isTooShort} /> : null}
    </>
  );
}

function SecondPerson({ note, isReady }: { note: string; isReady: boolean }) {
  const t = useTranslations("privacy.more");
  const { pending, failure, run } = useAction(askToRevealMore);
  const [intentId] = useState(newIntentId);
  const [asked, setAsked] = useState<{ approvalId: string } | null>(null);
  if (asked !== null) {
    return (
      <Notice tone="positive" live="polite">
        {t("asked")}{" "}
        <Link href={`/approvals/${asked.approvalId}`} prefetch={false} className="font-medium text-accent underline">
          {t("see")}
        </Link>
      </Notice>
    );
  }
  return (
    <div className="space-y-2">
      <Button isBusy={pending} disabled={!isReady} onClick={() => run({ intentId, note }, setAsked)}>
        {t("ask")}
      </Button>
      <FailureNotice failure={failure} />
    </div>
  );
}

type ReasonChoiceProps = {
  chosen: RevealReason | null;
  error: string | undefined;
  onChoose: (reason: RevealReason) => void;
};

function ReasonChoice({ chosen, error, onChoose }: ReasonChoiceProps) {
  const t = useTranslations("privacy");
  return (
    <ChoiceField legend={t("reason")} error={error}>
      <div className="grid gap-2 medium:grid-cols-2">
        {REVEAL_REASONS.map((reason) => (
          <RadioTile
            key={reason}
            name="reason"
            value={reason}
            isChosen={chosen === reason}
            onChoose={() => onChoose(reason)}
            className="flex min-h-9 items-center px-3 py-1.5"
          >
            {t(`reasons.${reason}`)}
          </RadioTile>
        ))}
      </div>
    </ChoiceField>
  );
}

type NoteFieldProps = { value: string; error: string | undefined; onChange: (value: string) => void };

function NoteField({ value, error, onChange }: NoteFieldProps) {
  const t = useTranslations("privacy");
  const hint = t("noteHint");
  const field = useField({ hint, error });
  return (
    <FieldFrame id={field.id} label={t("note")} hint={hint} error={error}>
      <textarea
        {...field}
        name="note"
        rows={3}
        maxLength={NOTE_MAX_LENGTH}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cn(INPUT_CLASS, "block min-h-18 resize-y py-2")}
      />
    </FieldFrame>
  );
}
