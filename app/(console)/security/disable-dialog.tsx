"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/form/use-action";
import { disableFactor } from "@/lib/auth/actions";

export function DisableDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("factors");
  const { pending, failure, run } = useAction(disableFactor);
  return (
    <FormDialog
      title={t("disableTitle")}
      description={t("disableLead")}
      submitLabel={t("disable")}
      tone="negative"
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={() => run(null, onClose)}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  );
}
