"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";
import type { WalletRequestKind } from "@/lib/db/enums/wallets";

const loadDialog = () => import("./make-wallet-dialog");
const DIALOGS = {
  wallet: deferred(() => loadDialog().then((loaded) => loaded.WalletDialog)),
  address: deferred(() => loadDialog().then((loaded) => loaded.AddressDialog)),
} as const;

type MakeButtonProps = { kind: WalletRequestKind; denial: string | null };

export function MakeButton({ kind, denial }: MakeButtonProps) {
  const t = useTranslations("walletForm.button");
  const Dialog = DIALOGS[kind];
  return (
    <DialogButton label={t(kind)} tone={denial === null ? "primary" : "plain"} denial={denial} load={loadDialog}>
      {(close) => <Dialog onClose={close} />}
    </DialogButton>
  );
}
