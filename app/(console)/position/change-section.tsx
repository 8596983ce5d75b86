import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { ProviderText } from "@/components/layout/provider-text";
import { RecordSection } from "@/components/layout/record-columns";
import { isInReais, type SumKey } from "@/lib/db/enums/position";
import type { ChangeEntry, NamedChange, SumChanges } from "@/lib/position/view";
import { formatDateTime, isZero } from "@/lib/text/format";
import { shortAddress } from "@/lib/text/short";
import { SumAmount } from "./sum-amount";

type ChangeSectionProps = { sum: SumKey; since: string; changes: SumChanges };

/** The accounts and wallets that differ between two days, what moved them, and what of it nobody knows. */
export function ChangeSection({ sum, since, changes: { rows, total } }: ChangeSectionProps) {
  const t = useTranslations("position.why");
  const isReais = isInReais(sum.kind);
  return (
    <RecordSection id="position-change" title={t("title", { day: since })}>
      {rows.length === 0 ? <p className="px-5 text-muted">{t("nothing")}</p> : null}
      {isReais && rows.length > 0 ? <p className="px-5 pb-2 text-sm text-muted">{t("notKept")}</p> : null}
      <ul className="divide-y divide-line border-y border-line empty:hidden">
        {rows.map((row) => (
          <li key={row.subject} className="px-5 py-2">
            <Line
              amount={row.difference === null ? <Unknown /> : <Signed sum={sum} decimal={row.difference} />}
              isStrong
            >
              <Link href={row.href} prefetch={false} className="font-medium hover:underline">
                <ProviderText text={isReais ? row.name : shortAddress(row.name)} />
              </Link>
            </Line>
            {isReais ? null : <Entries sum={sum} row={row} />}
          </li>
        ))}
      </ul>
      {total > rows.length ? (
        <p className="px-5 pt-2 text-sm text-muted">{t("more", { count: total - rows.length })}</p>
      ) : null}
    </RecordSection>
  );
}

function Line({ children, amount, isStrong = false }: { children: ReactNode; amount: ReactNode; isStrong?: boolean }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      <span className={isStrong ? "ms-auto font-medium tabular-nums" : "ms-auto tabular-nums"}>{amount}</span>
    </div>
  );
}

function Unknown() {
  const t = useTranslations("position");
  return <span className="text-warning">{t("notRead")}</span>;
}

function Signed({ sum, decimal }: { sum: SumKey; decimal: string }) {
  return <SumAmount sum={sum} decimal={decimal} sign={decimal.startsWith("-") || isZero(decimal) ? "" : "+"} />;
}

const signedOf = ({ as, amount }: ChangeEntry) => (as === "in" ? amount : `-${amount}`);

function Entries({ sum, row: { entries, left, untold, unexplained } }: { sum: SumKey; row: NamedChange }) {
  const t = useTranslations("position.why");
  const locale = useLocale();
  return (
    <div className="text-sm text-muted">
      {entries.map((entry) => (
        <Line
          key={`${entry.hash} ${entry.as} ${entry.amount} ${entry.at}`}
          amount={<Signed sum={sum} decimal={signedOf(entry)} />}
        >
          {t(`entries.${entry.as}`)} · {formatDateTime(entry.at, locale)} ·{" "}
          <span className="font-mono">
            <ProviderText text={shortAddress(entry.hash)} />
          </span>
        </Line>
      ))}
      {left === 0 ? null : <p>{t("left", { count: left })}</p>}
      {untold === 0 ? null : <p className="text-warning">{t("untold", { count: untold })}</p>}
      {unexplained === null || isZero(unexplained) ? null : (
        <div className="text-warning">
          <Line amount={<Signed sum={sum} decimal={unexplained} />}>{t("unexplained")}</Line>
        </div>
      )}
    </div>
  );
}
