"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DateField } from "@/components/form/date-field";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { reviewAccess } from "@/lib/staff/actions";
import { isReviewDay, REVIEW_DAYS, REVIEW_NOTE_MAX } from "@/lib/staff/view";
import { civilDaysAgo, civilInstant } from "@/lib/text/time";
import { readDate, writtenDate } from "@/lib/text/typed-date";

type ReviewDialogProps = { seen: string | null; today: string; onClose: () => void; onDone: () => void };

export function ReviewDialog({ seen, today, onClose, onDone }: ReviewDialogProps) {
  const t = useTranslations("access");
  const router = useRouter();
  const { pending, failure, run } = useAction(reviewAccess);
  const [offered] = useState(() => writtenDate(civilDaysAgo(-REVIEW_DAYS, civilInstant(`${today}T12:00:00`))));
  const [note, setNote] = useState("");
  const [day, setDay] = useState(offered);
  const [isChecked, setChecked] = useState(false);
  const nextOn = readDate(day);
  const isDay = nextOn !== null && isReviewDay(nextOn, today);
  const submit = (intentId: string) => {
    setChecked(true);
    if (note.trim() === "" || note.length > REVIEW_NOTE_MAX || nextOn === null || !isDay) return;
    // After a conflict the list behind the dialog is the one to look at again.
    run({ intentId, note, nextOn, seen }, onDone, ({ kind }) => kind === "conflict" && router.refresh());
  };
  return (
    <FormDialog
      title={t("dialogTitle")}
      description={t("dialogBody")}
      submitLabel={t("submit")}
      pending={pending}
      error={failure}
      isWritten={note !== "" || day !== offered}
      onSubmit={(_, intentId) => submit(intentId)}
      onClose={onClose}
    >
      <CountedField
        label={t("note")}
        hint={t("noteHint")}
        error={isChecked && note.trim() === "" ? t("noteFirst") : failure?.fields?.["note"]}
        limit={REVIEW_NOTE_MAX}
        tooLong={t("noteLong")}
        value={note}
        onChange={setNote}
      />
      <DateField
        name="nextOn"
        label={t("nextOn")}
        hint={t("nextOnHint")}
        error={isChecked && !isDay ? t("dayFirst") : failure?.fields?.["nextOn"]}
        value={day}
        onChange={setDay}
      />
    </FormDialog>
  );
}
