"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { useRefresh } from "@/components/live/live-refresh";
import { useUnsent } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { answerEscalation, escalateCase } from "@/lib/kyc/actions";
import type { KycRow } from "@/lib/kyc/queries";
import { NOTE_LIMIT } from "@/lib/notes/view";

type Words = { title: string; body: string; label: string; submit: string };
type NoteDialogProps = {
  words: Words;
  /** Key for unsent text in this tab. */
  about: string;
  sending: Pick<ReturnType<typeof useAction>, "pending" | "failure">;
  onSend: (written: { id: string; text: string }, forget: () => void) => void;
  onClose: () => void;
};

function NoteDialog({ words, about, sending, onSend, onClose }: NoteDialogProps) {
  const t = useTranslations("triage.escalate");
  const casework = useTranslations("casework");
  const { pending, failure } = sending;
  const [text, setText] = useUnsent(about);
  const [isTried, setTried] = useState(false);
  const missing = isTried && text.trim() === "" ? t("noteFirst") : undefined;
  const forget = () => setText("");
  const submit = (form: HTMLFormElement, id: string) => {
    setTried(true);
    if (text.trim() === "" || text.length > NOTE_LIMIT) form.querySelector("textarea")?.focus();
    else onSend({ id, text }, forget);
  };
  return (
    <FormDialog
      title={words.title}
      description={words.body}
      submitLabel={words.submit}
      pending={pending}
      error={failure?.fields ? null : failure}
      isWritten={text.trim() !== ""}
      onSubmit={submit}
      onClose={() => {
        forget();
        onClose();
      }}
    >
      <CountedField
        name="text"
        label={words.label}
        hint={t("noteHint")}
        tooLong={casework("tooLong", { limit: NOTE_LIMIT })}
        limit={NOTE_LIMIT}
        value={text}
        error={missing ?? failure?.fields?.["text"]}
        onChange={setText}
        isSentByKeys
      />
    </FormDialog>
  );
}

type EscalateDialogProps = { subject: KycRow; onClose: () => void; onDone: (sentence: string) => void };

export function EscalateDialog({ subject: { kycUUID, vatNumber: document }, onClose, onDone }: EscalateDialogProps) {
  const t = useTranslations("triage.escalate");
  const refresh = useRefresh();
  const sending = useAction(escalateCase);
  return (
    <NoteDialog
      words={{ title: t("title"), body: t("body", { document }), label: t("note"), submit: t("submit") }}
      about={`escalate ${kycUUID}`}
      sending={sending}
      onSend={({ id: escalationId, text }, forget) =>
        sending.run({ kycUUID, escalationId, text }, () => {
          forget();
          onDone(t("done", { document }));
          refresh();
        })
      }
      onClose={onClose}
    />
  );
}

type AnswerDialogProps = { subject: KycRow; escalationId: string; onClose: () => void };

export function AnswerDialog({ subject: { kycUUID, vatNumber: document }, escalationId, onClose }: AnswerDialogProps) {
  const t = useTranslations("triage.escalate");
  const refresh = useRefresh();
  const sending = useAction(answerEscalation);
  const words = { title: t("answerTitle"), body: t("answerBody", { document }), label: t("answerNote") };
  return (
    <NoteDialog
      words={{ ...words, submit: t("answerSubmit") }}
      about={`answer ${escalationId}`}
      sending={sending}
      onSend={({ id: answerId, text }, forget) =>
        sending.run({ kycUUID, escalationId, answerId, text }, () => {
          forget();
          onClose();
          refresh();
        })
      }
      onClose={onClose}
    />
  );
}
