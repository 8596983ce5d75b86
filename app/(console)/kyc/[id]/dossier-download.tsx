"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { FailureText } from "@/components/layout/failure-text";
import { saveFile } from "@/components/layout/save-file";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { useAction } from "@/components/form/use-action";
import { exportDossier } from "@/lib/dossiers/actions";

type DossierDownloadProps = {
  dossierId: string;
  time: string;
  denial: string | null;
};

/** Each download asks for a recent proof. */
export function DossierDownload({ dossierId, time, denial }: DossierDownloadProps) {
  const t = useTranslations("dossiers");
  const { pending, failure, run } = useAction(exportDossier);
  const [asked, setAsked] = useState<"pdf" | "json" | null>(null);
  const [stored, setStored] = useState<string | null>(null);

  const take = (format: "pdf" | "json") => {
    setAsked(format);
    setStored(null);
    run({ dossierId, format }, (taken) => {
      saveFile(taken.fileName, new Blob([taken.bytes], { type: taken.mediaType }));
      setStored(taken.fileName);
    });
  };

  return (
    <div className="flex flex-wrap items-center gap-2">
      {(["pdf", "json"] as const).map((format) => {
        const label = t("download", { time, format: t(`${format}Button`) });
        return denial === null ? (
          <Button
            key={format}
            size="small"
            aria-label={label}
            isBusy={pending && asked === format}
            onClick={() => take(format)}
          >
            <Icon of="download" size={13} />
            {t(`${format}Button`)}
          </Button>
        ) : (
          <DeniedButton key={format} reason={denial} className={buttonClass("plain", "small")}>
            <Icon of="download" size={13} />
            {t(`${format}Button`)}
          </DeniedButton>
        );
      })}
      <span aria-live="polite" className="text-sm text-muted">
        {pending ? t("preparing") : null}
      </span>
      {failure === null || pending ? null : (
        <p role="alert" className="basis-full text-sm text-negative">
          <FailureText failure={failure} />
        </p>
      )}
      <Confirmation onDismiss={() => setStored(null)}>
        {stored === null ? null : t("done", { name: stored })}
      </Confirmation>
    </div>
  );
}
