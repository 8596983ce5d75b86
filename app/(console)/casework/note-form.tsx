"use client";

import { useTranslations } from "next-intl";
import { CountedField } from "@/components/form/fields";
import { WordsForm } from "@/components/form/words-form";
import type { Action } from "@/lib/action";
import type { NewNote } from "@/lib/casework/view";

type NoteFormProps = { id: string; limit: number; add: Action<NewNote, null> };

export function NoteForm({ id, limit, add }: NoteFormProps) {
  const t = useTranslations("casework");
  return (
    <WordsForm
      about={`note ${id}`}
      limit={limit}
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
          tooLong={t("tooLong", { limit })}
          isSentByKeys
        />
      )}
    />
  );
}
