"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";

const loadDialog = () => import("./pix-key-dialog");
const PixKeyDialog = deferred(() => loadDialog().then((loaded) => loaded.PixKeyDialog));

export function PixKeyButton({ denial }: { denial: string | null }) {
  const t = useTranslations("pixKey");
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
      <Button
        tone="plain"
        onClick={() => setOpen(true)}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
      >
        {t("button")}
      </Button>
      {isOpen ? <PixKeyDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
