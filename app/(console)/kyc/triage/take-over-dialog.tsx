"use client";

import { useLocale, useTranslations } from "next-intl";
import { FormDialog } from "@/components/form/form-dialog";
import { formatDateTime } from "@/lib/text/format";
import type { Failure, Holder } from "@/lib/errors/result";

type TakeOverDialogProps = {
  document: string;
  from: Holder;
  pending: boolean;
  failure: Failure | null;
  onAgree: () => void;
  onClose: () => void;
};

export function TakeOverDialog({ document, from, pending, failure, onAgree, onClose }: TakeOverDialogProps) {
  const t = useTranslations("triage.takeOver");
  const locale = useLocale();
  return (
    <FormDialog
      title={t("title", { name: from.name })}
      description={t("body", { document, name: from.name, time: formatDateTime(from.since, locale) })}
      submitLabel={t("submit")}
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={onAgree}
      onClose={onClose}
    >
      <p className="text-muted">{t("consequence", { name: from.name })}</p>
    </FormDialog>
  );
}
