import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { RequestLink } from "@/app/(console)/approvals/request-link";
import { RecordSection } from "@/components/layout/record-columns";
import { TransactionHash } from "@/app/(console)/wallets/transaction-hash";
import { hrefWith } from "@/lib/text/page";
import { formatCrypto, formatDateTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { shortAddress } from "@/lib/text/short";
import type { SentCoins as Sent } from "@/lib/wallets/view";

export function SentCoins({ walletId, sends }: { walletId: string; sends: readonly Sent[] }) {
  const t = useTranslations("wallets.sentCoins");
  const locale = useLocale();
  if (sends.length === 0) return null;
  const all = (
    <Link
      href={hrefWith("/coins", { wallet: walletId })}
      prefetch={false}
      className="text-sm text-accent hover:underline"
    >
      {t("all")}
    </Link>
  );
  return (
    <RecordSection id="sent" title={t("title")} action={all}>
      <ul className="divide-y divide-line border-y border-line">
        {sends.map(({ intentId, order, byName, at, hash, requestId }) => (
          <li key={intentId} className="space-y-0.5 px-5 py-2 wrap-anywhere tabular-nums">
            <Link href={`/coins/${intentId}`} prefetch={false} className="text-accent hover:underline">
              {t("line", {
                known: order === null ? "no" : "yes",
                sum: order === null ? "" : providerText(`${formatCrypto(order.amount, locale)} ${order.asset}`),
                to: order === null ? "" : providerText(shortAddress(order.to)),
              })}
            </Link>
            <TransactionHash hash={hash} />
            <p className="flex flex-wrap gap-x-2 text-sm text-muted">
              {t("by", { name: byName, time: formatDateTime(at, locale) })}
              <RequestLink id={requestId} />
            </p>
          </li>
        ))}
      </ul>
    </RecordSection>
  );
}
