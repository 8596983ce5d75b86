"use client";

import { useTranslations } from "next-intl";
import { deferred } from "@/components/layout/deferred";
import { ActionMenu } from "@/components/ui/action-menu";

const loadAddress = () => import("./make-wallet-dialog").then((loaded) => loaded.AddressDialog);
const loadTrade = () => import("./otc-trade-dialog").then((loaded) => loaded.OtcTradeDialog);
const loadImport = () => import("./label-dialogs").then((loaded) => loaded.ImportDialog);
const AddressDialog = deferred(loadAddress);
const OtcTradeDialog = deferred(loadTrade);
const ImportDialog = deferred(loadImport);

type WalletMenuProps = { makeDenial: string | null; labelDenial: string | null };

export function WalletMenu({ makeDenial, labelDenial }: WalletMenuProps) {
  const t = useTranslations();
  return (
    <ActionMenu
      label={t("common.more")}
      items={[
        { label: t("walletForm.addressesLink"), href: "/wallets/addresses" },
        {
          label: t("walletForm.button.address"),
          denial: makeDenial,
          load: loadAddress,
          Dialog: AddressDialog,
        },
        { label: t("otc.button"), load: loadTrade, Dialog: OtcTradeDialog },
        {
          label: t("wallets.labels.import"),
          denial: labelDenial,
          load: loadImport,
          Dialog: ImportDialog,
        },
      ]}
    />
  );
}
