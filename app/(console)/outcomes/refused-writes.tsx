import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { ProviderText } from "@/components/layout/provider-text";
import { RecordSection } from "@/components/layout/record-columns";
import { Money } from "@/components/table/money";
import { explainTold } from "@/lib/errors/explain";
import { formatCrypto, formatDateTime } from "@/lib/text/format";
import type { RefusedWrite } from "@/lib/unconfirmed/view";

type RefusedWritesProps = { read: Promise<RefusedWrite[]>; isOfRecord?: boolean };

export async function RefusedWrites({ read, isOfRecord = false }: RefusedWritesProps) {
  const [rows, t, locale] = await Promise.all([read, getTranslations(), getLocale()]);
  if (rows.length === 0) return null;
  return (
    <RecordSection id="refused" title={t("outcomes.refused.title")}>
      <p className="px-5 pb-2 text-sm text-muted">{t("outcomes.refused.lead")}</p>
      <ul className="divide-y divide-line border-y border-line">
        {rows.map(({ intentId, name, subject, amount, coins, destination, href, byName, at, told }) => (
          <li key={intentId} className="space-y-0.5 px-5 py-2 wrap-anywhere tabular-nums">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{t(`outcomes.names.${name}`)}</span>
              {isOfRecord || subject === null ? null : href === null ? (
                <ProviderText text={subject} />
              ) : (
                <Link href={href} prefetch={false} className="text-accent hover:underline">
                  <ProviderText text={subject} />
                </Link>
              )}
              {amount === null ? null : <Money decimal={amount} />}
              {coins === null ? null : (
                <span>
                  {formatCrypto(coins.amount, locale)} <ProviderText text={coins.asset} />
                </span>
              )}
              {destination === null ? null : (
                <span className="text-muted">
                  {t("outcomes.to")} <ProviderText text={destination} />
                </span>
              )}
            </p>
            <p>{explainTold(told, t)}</p>
            <p className="text-sm text-muted">
              {t("outcomes.refused.by", { name: byName, time: formatDateTime(at, locale) })}
            </p>
          </li>
        ))}
      </ul>
    </RecordSection>
  );
}
