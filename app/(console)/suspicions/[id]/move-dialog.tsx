"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DateField } from "@/components/form/date-field";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { useUnsent } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { TextField } from "@/components/ui/field";
import type { SuspicionState } from "@/lib/db/enums/suspicions";
import { moveSuspicion } from "@/lib/suspicions/actions";
import { REPORT_NUMBER_MAX, SUSPICION_NOTE_MAX, type SuspicionRecord } from "@/lib/suspicions/view";
import { readDate, writtenDate } from "@/lib/text/typed-date";

type MoveDialogProps = {
  of: SuspicionRecord;
  to: SuspicionState;
  onClose: () => void;
  onDone: () => void;
  onRefused: () => void;
};

export function MoveDialog({ of: { row, version }, to, onClose, onDone, onRefused }: MoveDialogProps) {
  const t = useTranslations("suspicions");
  const { pending, failure, run } = useAction(moveSuspicion);
  const [text, setText] = useUnsent(`suspicion ${row.id} ${to}`);
  const [reportNumber, setReportNumber] = useState(row.reportNumber ?? "");
  const [reportedOn, setReportedOn] = useState(row.reportedOn === null ? "" : writtenDate(row.reportedOn));
  const [isTried, setTried] = useState(false);
  const isNote = to === row.state;
  const isReport = to === "reported";
  const isDated = readDate(reportedOn) !== null;
  const isNumbered = reportNumber.trim() !== "";

  const submit = (form: HTMLFormElement, stepId: string) => {
    setTried(true);
    const [first, second] = form.querySelectorAll("input");
    if (isReport && !isNumbered) return first?.focus();
    if (isReport && !isDated) return second?.focus();
    if (text.trim() === "" || text.length > SUSPICION_NOTE_MAX) return form.querySelector("textarea")?.focus();
    const step = { suspicionId: row.id, stepId, text, seen: version };
    run(
      isReport ? { ...step, to, reportNumber, reportedOn } : { ...step, to },
      () => {
        setText("");
        onDone();
      },
      ({ kind }) => kind === "conflict" && onRefused(),
    );
  };
  return (
    <FormDialog
      title={isNote ? t("note.button") : t(`to.${to}`)}
      description={isNote ? t("note.body") : t(`consequence.${to}`)}
      submitLabel={t("save")}
      pending={pending}
      error={failure?.fields ? null : failure}
      isWritten={text.trim() !== ""}
      onSubmit={submit}
      onClose={() => {
        setText("");
        onClose();
      }}
    >
      {isReport ? (
        <>
          <TextField
            name="reportNumber"
            label={t("reportNumber")}
            hint={t("reportNumberHint")}
            maxLength={REPORT_NUMBER_MAX}
            value={reportNumber}
            error={isTried && !isNumbered ? t("numberFirst") : failure?.fields?.["reportNumber"]}
            onChange={({ target }) => setReportNumber(target.value)}
          />
          <DateField
            name="reportedOn"
            label={t("reportedOn")}
            hint={t("reportedOnHint")}
            error={isTried && !isDated ? t("dateFirst") : failure?.fields?.["reportedOn"]}
            value={reportedOn}
            onChange={setReportedOn}
          />
        </>
      ) : null}
      <CountedField
        name="text"
        label={t("note.label")}
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
