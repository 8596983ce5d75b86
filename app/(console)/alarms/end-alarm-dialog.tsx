"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { endAlarm } from "@/lib/privacy/actions";
import { ALARM_NOTE_MAX } from "@/lib/privacy/alarm-view";

type EndAlarmDialogProps = { alarmId: string; name: string; onClose: () => void; onDone: () => void };

export function EndAlarmDialog({ alarmId, name, onClose, onDone }: EndAlarmDialogProps) {
  const t = useTranslations("alarms");
  const { pending, failure, run } = useAction(endAlarm);
  const [note, setNote] = useState("");
  const [isChecked, setChecked] = useState(false);
  const submit = () => {
    setChecked(true);
    if (note.trim() !== "" && note.length <= ALARM_NOTE_MAX) run({ alarmId, note }, onDone);
  };
  return (
    <FormDialog
      title={t("dialogTitle", { name })}
      description={t("dialogBody")}
      submitLabel={t("submit")}
      pending={pending}
      error={failure}
      isOver={failure?.kind === "conflict"}
      isWritten={note !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <CountedField
        label={t("note")}
        hint={t("noteHint")}
        error={isChecked && note.trim() === "" ? t("noteFirst") : failure?.fields?.["note"]}
        limit={ALARM_NOTE_MAX}
        tooLong={t("noteLong")}
        value={note}
        onChange={setNote}
      />
    </FormDialog>
  );
}
