"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import type { WalletRequestKind } from "@/lib/db/enums/wallets";

const loadDialog = () => import("./make-wallet-dialog");
const DIALOGS = {
  wallet: deferred(() => loadDialog().then((loaded) => loaded.WalletDialog)),
  address: deferred(() => loadDialog().then((loaded) => loaded.AddressDialog)),
} as const;

type MakeButtonProps = { kind: WalletRequestKind; denial: string | null };

export function MakeButton({ kind, denial }: MakeButtonProps) {
  const t = useTranslations("walletForm.button");
  const [isOpen, setOpen] = useState(false);
  const tone = kind === "address" ? "primary" : "plain";
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain")}>
        {t(kind)}
      </DeniedButton>
    );
  }
  const Dialog = DIALOGS[kind];
  return (
    <>
      <Button
        tone={tone}
        onClick={() => setOpen(true)}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
      >
        {t(kind)}
      </Button>
      {isOpen ? <Dialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
