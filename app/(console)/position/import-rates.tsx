"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { useRefresh } from "@/components/live/live-refresh";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";

const ImportDialog = deferred(() => import("./import-dialog").then((loaded) => loaded.ImportDialog));

export function ImportRates({ denial }: { denial: string | null }) {
  const t = useTranslations("position.file");
  const refresh = useRefresh();
  const [isOpen, setOpen] = useState(false);
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain")}>
        {t("button")}
      </DeniedButton>
    );
  }
  return (
    <>
      <Button tone="plain" onClick={() => setOpen(true)}>
        {t("button")}
      </Button>
      {isOpen ? (
        <ImportDialog
          onClose={() => {
            setOpen(false);
            refresh();
          }}
        />
      ) : null}
    </>
  );
}
