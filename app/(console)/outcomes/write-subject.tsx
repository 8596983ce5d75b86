import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { ProviderText } from "@/components/layout/provider-text";
import { Money } from "@/components/table/money";
import { formatCrypto } from "@/lib/text/format";
import type { RefusedWrite } from "@/lib/outcomes/view";

type WriteSubjectProps = {
  write: Pick<RefusedWrite, "subject" | "amount" | "coins" | "destination" | "href">;
  /** False where the page around it already is the subject. */
  isNamed?: boolean;
};

/** A write's record, amount and destination. */
export function WriteSubject({ write, isNamed = true }: WriteSubjectProps) {
  const t = useTranslations();
  const locale = useLocale();
  const { subject, amount, coins, destination, href } = write;
  const name = subject === null ? t("common.unopened") : <ProviderText text={subject} />;
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 wrap-anywhere tabular-nums">
      {!isNamed ? null : href === null ? (
        name
      ) : (
        <Link href={href} prefetch={false} className="min-w-0 text-accent hover:underline">
          {name}
        </Link>
      )}
      {amount === null ? null : <Money decimal={amount} />}
      {coins === null ? null : (
        <span>
          {formatCrypto(coins.amount, locale)} <ProviderText text={coins.asset} />
        </span>
      )}
      {destination === null ? null : (
        <span className="basis-full text-sm text-muted">
          {t("outcomes.to")} <ProviderText text={destination} />
        </span>
      )}
    </span>
  );
}
