"use client";

import { useTranslations } from "next-intl";
import { ReasonDialog } from "@/app/(console)/privacy/reveal-dialog";
import { useAction } from "@/components/session/use-action";
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
  return (
    <ReasonDialog
      title={title}
      description={t("dossiers.clear")}
      submitLabel={t("privacy.file.submit")}
      pending={pending}
      failure={failure}
      onClose={onClose}
      onGiven={(given) =>
        run({ ...wish, ...given }, (taken) => {
          saveFile(taken.fileName, new Blob([taken.bytes], { type: taken.mediaType }));
          onStored(taken.fileName);
          onClose();
        })
      }
    />
  );
}
