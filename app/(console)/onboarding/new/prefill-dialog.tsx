"use client";

import { useTranslations } from "next-intl";
import { RevealReasonFields, useRevealReason } from "@/app/(console)/privacy/reveal-dialog";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/form/use-action";
import { prefillAccount } from "@/lib/onboarding/actions";

type PrefillDialogProps = { from: string; onClose: () => void; onTake: (fields: Record<string, string>) => void };

/** What was told with an earlier attempt, in clear: with its reason on record, as any reveal. */
export function PrefillDialog({ from, onClose, onTake }: PrefillDialogProps) {
  const t = useTranslations();
  const { pending, failure, run } = useAction(prefillAccount);
  const why = useRevealReason();
  const submit = (form: HTMLFormElement) => {
    const given = why.take(form);
    if (given !== null) run({ from, ...given }, onTake);
  };
  return (
    <FormDialog
      title={t("accountForm.takeOver")}
      description={t("accountForm.takeOverWhy")}
      submitLabel={t("accountForm.takeOverSubmit")}
      pending={pending}
      error={failure}
      isWritten={why.isWritten}
      onSubmit={submit}
      onClose={onClose}
    >
      <RevealReasonFields why={why} failure={failure} />
    </FormDialog>
  );
}
