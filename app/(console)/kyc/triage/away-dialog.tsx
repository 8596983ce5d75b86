"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form-dialog";
import { useAction } from "@/components/use-action";
import { TextField } from "@/components/ui/field";
import { formatDateTime } from "@/lib/format";
import { setAway } from "@/lib/kyc/actions";
import type { Absence } from "@/lib/kyc/queries";

type AwayDialogProps = {
  absence: Absence;
  suggestion: string;
  onClose: () => void;
  onDone: (sentence: string) => void;
};

/** Until when one is away, and what becomes of one's open cases meanwhile. */
export function AwayDialog({ absence, suggestion, onClose, onDone }: AwayDialogProps) {
  const t = useTranslations("triage.away");
  const locale = useLocale();
  const router = useRouter();
  const { pending, failure, run } = useAction(setAway);
  const [until, setUntil] = useState(suggestion);
  const [releases, setReleases] = useState(absence.openCases > 0);
  const submit = () =>
    run({ until, releases }, (away) => {
      onDone(t("done", { time: formatDateTime(away.until ?? "", locale), released: away.released }));
      router.refresh();
    });
  return (
    <FormDialog
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      pending={pending}
      error={failure?.fields ? null : failure}
      isWritten={until !== suggestion}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        type="datetime-local"
        name="until"
        label={t("until")}
        hint={t("zone")}
        error={failure?.fields?.["until"]}
        value={until}
        onChange={(event) => setUntil(event.target.value)}
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
