"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { RevealReasonFields, useRevealReason } from "@/app/(console)/privacy/reveal-dialog";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/form/use-action";
import { Confirmation } from "@/components/layout/confirmation";
import { saveFile } from "@/components/layout/save-file";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { Icon } from "@/components/ui/icons";
import { exportDossier } from "@/lib/kyc/actions";

type DossierDownloadProps = {
  dossierId: string;
  time: string;
  denial: string | null;
};

/** Each download asks why, and for a recent proof. */
export function DossierDownload({ dossierId, time, denial }: DossierDownloadProps) {
  const t = useTranslations("dossiers");
  const [asked, setAsked] = useState<"pdf" | "json" | null>(null);
  const [stored, setStored] = useState<string | null>(null);
  const nameOf = (format: "pdf" | "json") => t("download", { time, format: t(`${format}Button`) });

  return (
    <div className="flex flex-wrap items-center gap-2">
      {(["pdf", "json"] as const).map((format) =>
        denial === null ? (
          <Button key={format} size="small" aria-label={nameOf(format)} onClick={() => setAsked(format)}>
            <Icon of="download" size={13} />
            {t(`${format}Button`)}
          </Button>
        ) : (
          <DeniedButton key={format} reason={denial} className={buttonClass("plain", "small")}>
            <Icon of="download" size={13} />
            {t(`${format}Button`)}
          </DeniedButton>
        ),
      )}
      {asked === null ? null : (
        <DossierDialog
          title={nameOf(asked)}
          wish={{ dossierId, format: asked }}
          onClose={() => setAsked(null)}
          onStored={setStored}
        />
      )}
      <Confirmation onDismiss={() => setStored(null)}>
        {stored === null ? null : t("done", { name: stored })}
      </Confirmation>
    </div>
  );
}

type DossierDialogProps = {
  title: string;
  wish: { dossierId: string; format: "pdf" | "json" };
  onClose: () => void;
  onStored: (fileName: string) => void;
};

function DossierDialog({ title, wish, onClose, onStored }: DossierDialogProps) {
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
