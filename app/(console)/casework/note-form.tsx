"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, type SubmitEvent, useState } from "react";
import { useUnsaved } from "@/components/desk";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { FieldFrame, INPUT_CLASS, useField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import { useUnsent } from "@/components/use-unsent";
import type { Action } from "@/lib/action";
import type { NewNote } from "@/lib/casework-terms";
import { cn } from "@/lib/cn";
import { newIntentId } from "@/lib/intent";

type NoteFormProps = { id: string; limit: number; add: Action<NewNote, null> };

/** A new note; what was written and not sent waits in this tab while one looks at other records. */
export function NoteForm({ id, limit, add }: NoteFormProps) {
  const t = useTranslations("casework");
  const router = useRouter();
  const { pending, failure, run } = useAction(add);
  const [text, setText] = useUnsent(`note ${id}`);
  // Sent twice, it is there once.
  const [noteId, setNoteId] = useState(newIntentId);
  const [isChecked, setChecked] = useState(false);
  const [isDone, setDone] = useState(false);
  useUnsaved(text.trim() !== "");
  const isTooLong = text.length > limit;
  const missing = isChecked && text.trim() === "" ? t("noteFirst") : undefined;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (text.trim() === "" || isTooLong) {
      event.currentTarget.querySelector("textarea")?.focus();
      return;
    }
    run({ id, noteId, text }, () => {
      setText("");
      setNoteId(newIntentId());
      setChecked(false);
      setDone(true);
      router.refresh();
    });
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-2 px-5 py-3">
      <NoteField
        text={text}
        limit={limit}
        error={missing ?? failure?.fields?.["text"]}
        onChange={(written) => {
          setText(written);
          setDone(false);
        }}
      />
      {failure && failure.fields === undefined ? (
        <Notice tone="negative" live="assertive">
          <FailureText failure={failure} />
        </Notice>
      ) : null}
      <div className="flex items-center justify-end gap-3">
        <span aria-live="polite" className="text-sm text-muted">
          {isDone ? t("added") : null}
        </span>
        <Button type="submit" isBusy={pending}>
          {t("submit")}
        </Button>
      </div>
    </form>
  );
}

function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
}

type NoteFieldProps = { text: string; limit: number; error: string | undefined; onChange: (text: string) => void };

/** Too long a note stays as it was written: it is the writer who shortens it. */
function NoteField({ text, limit, error, onChange }: NoteFieldProps) {
  const t = useTranslations("casework");
  const isTooLong = text.length > limit;
  const problem = isTooLong ? t("tooLong", { limit }) : error;
  const field = useField({ hint: t("noteHint"), error: problem });
  const count = (
    <span aria-hidden className={cn("text-sm tabular-nums", isTooLong ? "font-medium text-negative" : "text-muted")}>
      {text.length}/{limit}
    </span>
  );
  return (
    <FieldFrame id={field.id} label={t("note")} hint={t("noteHint")} error={problem} aside={count}>
      <textarea
        {...field}
        rows={3}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={sendByKey}
        className={cn(INPUT_CLASS, "block min-h-20 resize-y py-2")}
      />
    </FieldFrame>
  );
}
