import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { CopyButton } from "@/components/table/copy-button";
import { SafeLink } from "@/components/table/safe-link";
import type { SentHash } from "@/lib/wallets/view";

export function TransactionHash({ hash }: { hash: SentHash | null }) {
  const t = useTranslations("wallets.sentCoins");
  if (hash === null) return <p className="text-sm text-muted">{t("noHash")}</p>;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm">
      <span className="text-muted">{t("hash")}</span>
      <code className="min-w-0 font-mono wrap-anywhere">
        <ProviderText text={hash.txHash} />
      </code>
      <CopyButton text={hash.txHash} label={t("copy")} />
      {hash.link === null ? null : <SafeLink link={hash.link} />}
    </p>
  );
}
