"use client";

import { useTranslations } from "next-intl";
import { ReasonDialog } from "@/app/(console)/privacy/reveal-dialog";
import { useAction } from "@/components/session/use-action";
import { nameAccountFile } from "@/lib/accounts/actions";

export type WantedFile = { accountRef: string; file: string };
type NamedFileDialogProps = WantedFile & { onClose: () => void; onNamed: (given: { revealId: string }) => void };

export function NamedFileDialog({ accountRef, file, onClose, onNamed }: NamedFileDialogProps) {
  const t = useTranslations("privacy.file");
  const { pending, failure, run } = useAction(nameAccountFile);
  return (
    <ReasonDialog
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      pending={pending}
      failure={failure}
      onClose={onClose}
      onGiven={(given) => run({ ref: accountRef, file, ...given }, onNamed)}
    />
  );
}
