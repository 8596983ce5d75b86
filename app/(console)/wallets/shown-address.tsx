import { useTranslations } from "next-intl";
import { QrCode } from "@/components/layout/qr-code";
import { CopyButton } from "@/components/table/copy-button";
import { GroupedAddress } from "@/components/table/grouped-address";
import { drawQr } from "@/lib/text/qr";
import type { MadeWallet } from "@/lib/wallets/view";
import { FamilyName } from "./wallet-words";

type ShownAddressProps = { family: MadeWallet["family"]; address: string };

/** Loaded on demand, as it draws its own QR code. */
export function ShownAddress({ family, address }: ShownAddressProps) {
  const t = useTranslations();
  return (
    <div className="flex flex-col items-center gap-3">
      <QrCode drawing={drawQr(address)} label={t("walletForm.qrLabel", { address })} className="size-56 rounded" />
      <p className="text-md font-semibold">
        <FamilyName family={family} />
      </p>
      <div className="flex items-start gap-2 text-md">
        <GroupedAddress address={address} />
        <CopyButton text={address} label={t("wallets.copyAddress")} />
      </div>
      <p className="text-sm text-warning">{t(`walletForm.only.${family}`)}</p>
      <p className="text-sm text-muted">{t("wallets.addressHint")}</p>
    </div>
  );
}
