"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { DateField } from "@/components/form/date-field";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { useRefresh } from "@/components/live/live-refresh";
import { useUnsent } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { putOffCase } from "@/lib/kyc/actions";
import type { KycRow } from "@/lib/kyc/queries";
import { NOTE_LIMIT } from "@/lib/notes/view";
import { formatDateTime } from "@/lib/text/format";
import { civilDaysAgo, civilMinute } from "@/lib/text/time";
import { readMinute, writtenDate } from "@/lib/text/typed-date";

const CLOCK = "09:00";

type PutOffDialogProps = { subject: KycRow; onClose: () => void; onDone: (sentence: string) => void };

export function PutOffDialog({ subject, onClose, onDone }: PutOffDialogProps) {
  const t = useTranslations("triage.putOff");
  const casework = useTranslations("casework");
  const common = useTranslations("common");
  const locale = useLocale();
  const refresh = useRefresh();
  const { kycUUID, vatNumber, putOff } = subject;
  const inForce = putOff !== null && putOff.back === null ? putOff : null;
  const suggestion = inForce === null ? `${civilDaysAgo(-1)}T${CLOCK}` : civilMinute(new Date(inForce.until));
  const { pending, failure, run } = useAction(putOffCase);
  const [until, setUntil] = useState(writtenDate(suggestion));
  const [reason, setReason] = useUnsent(`put off ${kycUUID}`);
  const [isTried, setTried] = useState(false);
  const minute = readMinute(until, CLOCK);
  const missing = isTried && reason.trim() === "" ? t("reasonFirst") : undefined;

  const submit = (form: HTMLFormElement, putOffId: string) => {
    setTried(true);
    if (minute === null) return form.querySelector("input")?.focus();
    if (reason.trim() === "" || reason.length > NOTE_LIMIT) return form.querySelector("textarea")?.focus();
    run({ kycUUID, putOffId, until: minute, reason, seen: inForce?.id ?? null }, (done) => {
      setReason("");
      onDone(t("done", { document: vatNumber, time: formatDateTime(done.until, locale) }));
      refresh();
    });
  };
  return (
    <FormDialog
      title={t("title")}
      description={t("body", { document: vatNumber })}
      submitLabel={t("submit")}
      pending={pending}
      error={failure?.fields ? null : failure}
      isWritten={reason.trim() !== "" || until !== writtenDate(suggestion)}
      onSubmit={submit}
      onClose={() => {
        setReason("");
        onClose();
      }}
    >
      <DateField
        name="until"
        label={t("until")}
        hint={t("zone")}
        error={isTried && minute === null ? common("badMinute") : failure?.fields?.["until"]}
        value={until}
        clock={CLOCK}
        onChange={setUntil}
      />
      <CountedField
        name="reason"
        label={t("reason")}
        hint={t("reasonHint")}
        tooLong={casework("tooLong", { limit: NOTE_LIMIT })}
        limit={NOTE_LIMIT}
        value={reason}
        error={missing ?? failure?.fields?.["reason"]}
        onChange={setReason}
      />
    </FormDialog>
  );
}
