import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ProviderText } from "@/components/layout/provider-text";
import { SafeLink } from "@/components/table/safe-link";
import { formatDateTime } from "@/lib/text/format";
import type { UnknownOutcome } from "@/lib/outcomes/view";

type Candidates = UnknownOutcome["candidates"];

type ChainListProps = { candidates: Candidates; act?: (id: string) => ReactNode };

export function ChainList({ candidates, act }: ChainListProps) {
  const t = useTranslations("outcomes");
  const locale = useLocale();
  if (candidates.length === 0) return null;
  return (
    <>
      <p className="text-muted">{t("onChain")}</p>
      <ul className="space-y-1">
        {candidates.map(({ id, at, link }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 tabular-nums">
            <span className="text-muted">{formatDateTime(at, locale)}</span>
            <code className="min-w-0 font-mono wrap-anywhere">
              <ProviderText text={id} />
            </code>
            {link === null ? null : <SafeLink link={link} />}
            {act?.(id)}
          </li>
        ))}
      </ul>
    </>
  );
}
