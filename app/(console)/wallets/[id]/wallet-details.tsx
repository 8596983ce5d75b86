import { useLocale, useTranslations } from "next-intl";
import { FamilyName, WalletKind, WalletStatus } from "@/app/(console)/wallets/wallet-words";
import { Described, DescriptionList } from "@/components/description-list";
import { RecordSection } from "@/components/record-columns";
import { formatDateTime } from "@/lib/format";
import type { WalletView } from "@/lib/wallets/queries";
import { ProviderText } from "@/components/provider-text";

export function WalletDetails({ wallet }: { wallet: WalletView }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  return (
    <RecordSection id="details" title={t("details")}>
      <DescriptionList>
        <Described name={t("columns.network")}>
          <FamilyName family={wallet.network} />
        </Described>
        <Described name={t("columns.coin")}>
          <ProviderText text={wallet.coin} />
        </Described>
        <Described name={t("columns.kind")}>
          <WalletKind {...wallet} />
        </Described>
        <Described name={t("columns.status")}>
          <WalletStatus status={wallet.status} />
        </Described>
        <Described name={t("columns.created")}>{formatDateTime(wallet.createdAt, locale)}</Described>
      </DescriptionList>
    </RecordSection>
  );
}
