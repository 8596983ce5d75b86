"use client";

import { useTranslations } from "next-intl";
import { ReasonDialog } from "@/app/(console)/privacy/reveal-dialog";
import { useAction } from "@/components/session/use-action";
import { prefillAccount } from "@/lib/onboarding/actions";

type PrefillDialogProps = { from: string; onClose: () => void; onTake: (fields: Record<string, string>) => void };

/** The data of an earlier attempt in clear, with an audited reason like any reveal. */
export function PrefillDialog({ from, onClose, onTake }: PrefillDialogProps) {
  const t = useTranslations();
  const { pending, failure, run } = useAction(prefillAccount);
  return (
    <ReasonDialog
      title={t("accountForm.takeOver")}
      description={t("accountForm.takeOverWhy")}
      submitLabel={t("accountForm.takeOverSubmit")}
      pending={pending}
      failure={failure}
      onClose={onClose}
      onGiven={(given) => run({ from, ...given }, onTake)}
    />
  );
}
