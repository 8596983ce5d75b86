"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { Icon } from "@/components/ui/icons";

const loadDialog = () => import("./dossier-dialog").then((loaded) => loaded.DossierDialog);
const DossierDialog = deferred(loadDialog);

type DossierDownloadProps = {
  dossierId: string;
  time: string;
  denial: string | null;
};

/** Each download needs a reason and a recent proof. */
export function DossierDownload({ dossierId, time, denial }: DossierDownloadProps) {
  const t = useTranslations("dossiers");
  const [asked, setAsked] = useState<"pdf" | "json" | null>(null);
  const [stored, setStored] = useState<string | null>(null);
  const nameOf = (format: "pdf" | "json") => t("download", { time, format: t(`${format}Button`) });

  return (
    <div className="flex flex-wrap items-center gap-2">
      {(["pdf", "json"] as const).map((format) =>
        denial === null ? (
          <Button
            key={format}
            size="small"
            aria-label={nameOf(format)}
            onClick={() => setAsked(format)}
            onFocus={() => void loadDialog()}
            onPointerEnter={() => void loadDialog()}
          >
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
