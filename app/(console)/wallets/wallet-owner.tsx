import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { formatDateTime } from "@/lib/text/format";
import type { Ours } from "@/lib/wallets/view";

export function WalletOwner({ ours: { walletId, told, label, labelled } }: { ours: Ours }) {
  const t = useTranslations("sendForm.owner");
  const locale = useLocale();
  return (
    <>
      <Link href={`/wallets/${encodeURIComponent(walletId)}`} prefetch={false} className="block text-accent">
        {t(told)}
      </Link>
      {label === null ? null : (
        <span className="block text-sm font-normal wrap-anywhere text-muted">
          {labelled === null
            ? t("label", { label })
            : t("labelled", { label, name: labelled.byName, time: formatDateTime(labelled.at, locale) })}
        </span>
      )}
      {labelled?.isOfMaker ? <span className="block text-sm font-normal text-warning">{t("ofMaker")}</span> : null}
      {labelled?.isRecent ? <span className="block text-sm font-normal text-warning">{t("recent")}</span> : null}
    </>
  );
}
