"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";
import type { WalletUse } from "@/lib/db/enums/wallets";

const loadDialogs = () => import("./label-dialogs");
const LabelDialog = deferred(() => loadDialogs().then((loaded) => loaded.LabelDialog));
const ImportDialog = deferred(() => loadDialogs().then((loaded) => loaded.ImportDialog));

export function ImportLabelsButton({ denial }: { denial: string | null }) {
  const t = useTranslations("wallets.labels");
  return (
    <DialogButton label={t("import")} denial={denial} load={loadDialogs}>
      {(close) => <ImportDialog onClose={close} />}
    </DialogButton>
  );
}

export type LabelledWallet = { id: string; label: string | null; setUse: WalletUse | null };

export function LabelButton({ wallet, denial }: { wallet: LabelledWallet; denial: string | null }) {
  const t = useTranslations("wallets.labels");
  return (
    <DialogButton label={t("change")} tone="quiet" size="small" denial={denial} load={loadDialogs}>
      {(close) => <LabelDialog wallet={wallet} onClose={close} />}
    </DialogButton>
  );
}
