"use client";

import { useTranslations } from "next-intl";
import { RevealReasonFields, useRevealReason } from "@/app/(console)/privacy/reveal-dialog";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/form/use-action";
import { saveFile } from "@/components/layout/save-file";
import { exportDossier } from "@/lib/kyc/actions";

type DossierDialogProps = {
  title: string;
  wish: { dossierId: string; format: "pdf" | "json" };
  onClose: () => void;
  onStored: (fileName: string) => void;
};

export function DossierDialog({ title, wish, onClose, onStored }: DossierDialogProps) {
  const t = useTranslations();
  const { pending, failure, run } = useAction(exportDossier);
  const why = useRevealReason();
  const submit = (form: HTMLFormElement) => {
    const given = why.take(form);
    if (given === null) return;
    run({ ...wish, ...given }, (taken) => {
      saveFile(taken.fileName, new Blob([taken.bytes], { type: taken.mediaType }));
      onStored(taken.fileName);
      onClose();
    });
  };
  return (
    <FormDialog
      title={title}
      description={t("dossiers.clear")}
      submitLabel={t("privacy.file.submit")}
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
