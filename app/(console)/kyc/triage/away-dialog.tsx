"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { DateField } from "@/components/form/date-field";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { formatDateTime } from "@/lib/text/format";
import { setAway } from "@/lib/kyc/actions";
import type { Absence } from "@/lib/kyc/queries";
import { readMinute, writtenDate } from "@/lib/text/typed-date";

const CLOCK = "09:00";

type AwayDialogProps = {
  absence: Absence;
  suggestion: string;
  onClose: () => void;
  onDone: (sentence: string) => void;
};

export function AwayDialog({ absence, suggestion, onClose, onDone }: AwayDialogProps) {
  const t = useTranslations("triage.away");
  const common = useTranslations("common");
  const locale = useLocale();
  const router = useRouter();
  const { pending, failure, run } = useAction(setAway);
  const [until, setUntil] = useState(writtenDate(suggestion));
  const [isTried, setTried] = useState(false);
  const [releases, setReleases] = useState(absence.openCases > 0);
  const submit = (form: HTMLFormElement) => {
    setTried(true);
    const minute = readMinute(until, CLOCK);
    if (minute === null) {
      form.querySelector("input")?.focus();
      return;
    }
    run({ until: minute, releases }, (away) => {
      onDone(t("done", { time: formatDateTime(away.until ?? "", locale), released: away.released }));
      router.refresh();
    });
  };
  return (
    <FormDialog
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      pending={pending}
      error={failure?.fields ? null : failure}
      isWritten={until !== writtenDate(suggestion)}
      onSubmit={submit}
      onClose={onClose}
    >
      <DateField
        name="until"
        label={t("until")}
        hint={t("zone")}
        error={isTried && readMinute(until, CLOCK) === null ? common("badMinute") : failure?.fields?.["until"]}
        value={until}
        clock={CLOCK}
        onChange={setUntil}
      />
      {absence.openCases === 0 ? null : (
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            name="releases"
            checked={releases}
            onChange={(event) => setReleases(event.target.checked)}
            className="mt-1 accent-accent"
          />
          <span>
            {t("releases", { count: absence.openCases })}
            <span className="block text-sm text-muted">{t("releasesHint")}</span>
          </span>
        </label>
      )}
    </FormDialog>
  );
}
