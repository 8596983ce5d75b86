"use client";

import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";
import type { DepositAddress } from "@/lib/wallets/view";
import { ShownAddress } from "./shown-address";

type ShownAddressDialogProps = {
  deposit: Pick<DepositAddress, "family" | "address" | "reference">;
  onClose: () => void;
};

export function ShownAddressDialog({ deposit: { reference, ...shown }, onClose }: ShownAddressDialogProps) {
  const t = useTranslations();
  const title = reference ?? t("walletForm.address");
  return (
    <Dialog title={title} description={t("walletForm.shownBody")} closeLabel={t("common.close")} onClose={onClose}>
      <div className="px-5 pb-5">
        <ShownAddress {...shown} />
      </div>
    </Dialog>
  );
}
