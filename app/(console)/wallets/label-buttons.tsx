"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";
import type { LabelledWallet } from "./label-dialogs";

const loadDialog = () => import("./label-dialogs").then((loaded) => loaded.LabelDialog);
const LabelDialog = deferred(loadDialog);

export function LabelButton({ wallet, denial }: { wallet: LabelledWallet; denial: string | null }) {
  const t = useTranslations("wallets.labels");
  return (
    <DialogButton label={t("change")} tone="quiet" size="small" denial={denial} load={loadDialog}>
      {(close) => <LabelDialog wallet={wallet} onClose={close} />}
    </DialogButton>
  );
}
