"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import type { WalletUse } from "@/lib/db/enums/wallets";

const LabelDialog = deferred(() => import("./label-dialogs").then((loaded) => loaded.LabelDialog));
const ImportDialog = deferred(() => import("./label-dialogs").then((loaded) => loaded.ImportDialog));

export function ImportLabelsButton({ denial }: { denial: string | null }) {
  const t = useTranslations("wallets.labels");
  const [isOpen, setOpen] = useState(false);
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain")}>
        {t("import")}
      </DeniedButton>
    );
  }
  return (
    <>
      <Button tone="plain" onClick={() => setOpen(true)}>
        {t("import")}
      </Button>
      {isOpen ? <ImportDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

export type LabelledWallet = { id: string; label: string | null; setUse: WalletUse | null };

export function LabelButton({ wallet, denial }: { wallet: LabelledWallet; denial: string | null }) {
  const t = useTranslations("wallets.labels");
  const [isOpen, setOpen] = useState(false);
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("quiet", "small")}>
        {t("change")}
      </DeniedButton>
    );
  }
  return (
    <>
      <Button tone="quiet" size="small" onClick={() => setOpen(true)}>
        {t("change")}
      </Button>
      {isOpen ? <LabelDialog wallet={wallet} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
