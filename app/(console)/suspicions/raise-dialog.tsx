"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DateField } from "@/components/form/date-field";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { useUnsent } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { raiseSuspicion } from "@/lib/suspicions/actions";
import { SUSPICION_NOTE_MAX } from "@/lib/suspicions/view";
import { readDate } from "@/lib/text/typed-date";

type RaiseDialogProps = { kycUUID: string; onClose: () => void; onDone: () => void };

export function RaiseDialog({ kycUUID, onClose, onDone }: RaiseDialogProps) {
  const t = useTranslations("suspicions");
  const { pending, failure, run } = useAction(raiseSuspicion);
  const [occurredOn, setOccurredOn] = useState("");
  const [text, setText] = useUnsent(`suspicion ${kycUUID}`);
  const [isTried, setTried] = useState(false);
  const isDated = readDate(occurredOn) !== null;

  const submit = (form: HTMLFormElement, suspicionId: string) => {
    setTried(true);
    if (!isDated) return form.querySelector("input")?.focus();
    if (text.trim() === "" || text.length > SUSPICION_NOTE_MAX) return form.querySelector("textarea")?.focus();
    run({ suspicionId, kycUUID, occurredOn, text }, () => {
      setText("");
      onDone();
    });
  };
  return (
    <FormDialog
      title={t("raise.title")}
      description={t("raise.body")}
      submitLabel={t("raise.submit")}
      pending={pending}
      error={failure?.fields ? null : failure}
      isWritten={text.trim() !== "" || occurredOn !== ""}
      onSubmit={submit}
      onClose={() => {
        setText("");
        onClose();
      }}
    >
      <DateField
        name="occurredOn"
        label={t("columns.occurred")}
        hint={t("raise.occurredHint")}
        error={isTried && !isDated ? t("dateFirst") : failure?.fields?.["occurredOn"]}
        value={occurredOn}
        onChange={setOccurredOn}
      />
      <CountedField
        name="text"
        label={t("raise.text")}
        hint={t("textHint")}
        tooLong={t("tooLong", { limit: SUSPICION_NOTE_MAX })}
        limit={SUSPICION_NOTE_MAX}
        value={text}
        error={isTried && text.trim() === "" ? t("textFirst") : failure?.fields?.["text"]}
        onChange={setText}
      />
    </FormDialog>
  );
}
