"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";

const loadDialog = () => import("./token-dialog");
const TokenDialog = deferred(() => loadDialog().then((loaded) => loaded.TokenDialog));

export function TokenButton({ denial }: { denial: string | null }) {
  const t = useTranslations("calls");
  const [isOpen, setOpen] = useState(false);
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain")}>
        {t("tokenButton")}
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
        {t("tokenButton")}
      </Button>
      {isOpen ? <TokenDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
