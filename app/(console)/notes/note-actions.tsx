"use client";

import { useTranslations } from "next-intl";
import { CountedField } from "@/components/form/fields";
import { WordsForm } from "@/components/form/words-form";
import type { Action } from "@/lib/action";
import { type NewNote, NOTE_LIMIT, type OneNote } from "@/lib/notes/view";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";

type NoteFormProps = { id: string; add: Action<NewNote, null> };

export function NoteForm({ id, add }: NoteFormProps) {
  const t = useTranslations("casework");
  return (
    <WordsForm
      about={`note ${id}`}
      limit={NOTE_LIMIT}
      add={add}
      inputOf={({ id: noteId, text }) => ({ id, noteId, text })}
      labels={{ missing: t("noteFirst"), done: t("added"), submit: t("submit") }}
      className="space-y-2 py-3"
      startsFolded
      renderField={(written) => (
        <CountedField
          {...written}
          label={t("note")}
          hint={t("noteHint")}
          tooLong={t("tooLong", { limit: NOTE_LIMIT })}
          isSentByKeys
        />
      )}
    />
  );
}

type RetractButtonProps = { id: string; noteId: string; at: string; retract: Action<OneNote, null> };

export function RetractButton({ id, noteId, at, retract }: RetractButtonProps) {
  const t = useTranslations("casework");
  const router = useRouter();
  const { pending, failure, run } = useAction(retract);
  const [isAsking, setAsking] = useState(false);
  const keepButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) keepButton.current?.focus();
  }, [isAsking]);

  return (
    <div className="mt-1.5">
      {isAsking ? (
        <div className="flex flex-wrap items-center gap-2">
          <p className="mr-auto text-sm">{t("retractAsk")}</p>
          <Button ref={keepButton} size="small" onClick={() => setAsking(false)}>
            {t("keep")}
          </Button>
          <Button
            size="small"
            tone="negative"
            isBusy={pending}
            onClick={() => run({ id, noteId }, () => router.refresh())}
          >
            {t("retract")}
          </Button>
        </div>
      ) : (
        <Button
          size="small"
          tone="quiet"
          className="-ml-2.5"
          aria-label={t("retractNamed", { time: at })}
          onClick={() => setAsking(true)}
        >
          {t("retract")}
        </Button>
      )}
      {failure === null ? null : (
        <Notice tone="negative" live="assertive" className="mt-2">
          <FailureText failure={failure} />
        </Notice>
      )}
    </div>
  );
}
