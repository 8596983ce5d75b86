"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { Button } from "@/components/ui/button";

const loadDialog = () => import("./otc-trade-dialog");
const OtcTradeDialog = deferred(() => loadDialog().then((loaded) => loaded.OtcTradeDialog));

export function OtcTradeButton() {
  const t = useTranslations("otc");
  const [isOpen, setOpen] = useState(false);
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
      {isOpen ? <OtcTradeDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
