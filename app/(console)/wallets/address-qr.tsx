"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";
import type { DepositAddress } from "@/lib/wallets/view";

const loadDialog = () => import("./address-dialog");
const ShownAddressDialog = deferred(() => loadDialog().then((loaded) => loaded.ShownAddressDialog));

type AddressQrProps = { deposit: Pick<DepositAddress, "family" | "address" | "reference"> };

export function AddressQr({ deposit }: AddressQrProps) {
  const t = useTranslations("walletForm");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} onPointerEnter={() => void loadDialog()}>
        <Icon of="qr-code" size={13} />
        {t("showQr")}
      </Button>
      {isOpen ? <ShownAddressDialog deposit={deposit} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
