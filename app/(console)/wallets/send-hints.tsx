import { useLocale, useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { formatCrypto, formatDateTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import type { SendHints as Hints } from "@/lib/wallets/view";

export function SendHints({ hints, asset }: { hints: Hints; asset: string }) {
  const t = useTranslations("sendHints");
  const locale = useLocale();
  const { balance, asOf, fee, isAll, isOfToken, hasReserve } = hints;
  const sum = (amount: string, of: string) => providerText(`${formatCrypto(amount, locale)} ${of}`);
  return (
    <div className="space-y-2 text-sm">
      <p className="text-muted tabular-nums">
        {balance === null || asOf === null
          ? t("untold")
          : t("balance", { balance: sum(balance, asset), time: formatDateTime(asOf, locale) })}{" "}
        {isOfToken
          ? t("feeOfToken", {
              coin: fee.coin,
              balance: fee.balance === null ? "none" : sum(fee.balance, fee.coin),
            })
          : t("fee", { coin: fee.coin })}
      </p>
      {hasReserve ? <p className="text-muted">{t("reserve")}</p> : null}
      {isAll ? <Notice tone="warning">{t("all", { coin: fee.coin })}</Notice> : null}
    </div>
  );
}
