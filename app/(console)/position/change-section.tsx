import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { ProviderText } from "@/components/layout/provider-text";
import { useTypeName } from "@/app/(console)/movements/movement-words";
import { RecordSection } from "@/components/layout/record-columns";
import { isInReais, type SumKey } from "@/lib/db/enums/position";
import {
  type ChangeEntry,
  changeTotals,
  type ChangeTotals,
  type EntryGap,
  type NamedChange,
  type PositionSum,
  type SumChanges,
} from "@/lib/position/view";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { formatDate, formatDateTime, isZero, type Locale, plusOf } from "@/lib/text/format";
import { shortAddress } from "@/lib/text/short";
import { SumAmount } from "./sum-amount";

export type SumFigures = Pick<PositionSum, "before" | "amount" | "difference" | "isDifferencePartial">;

type ChangeSectionProps = {
  sum: SumKey;
  since: string;
  isEarlier: boolean;
  figures: SumFigures | null;
  changes: SumChanges;
};

/** The accounts and wallets that differ between two days, what moved them, and what of it nobody knows. */
export function ChangeSection({ sum, since, isEarlier, figures, changes: { rows, total } }: ChangeSectionProps) {
  const t = useTranslations("position.why");
  const isReais = isInReais(sum.kind);
  const totals = figures === null ? null : changeTotals(figures.difference, rows);
  return (
    <RecordSection id="position-change" title={t("title", { day: since })}>
      {figures === null ? null : <Whole sum={sum} figures={figures} />}
      {rows.length === 0 ? <p className="px-5 text-muted">{t("nothing")}</p> : null}
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
            <Entries sum={sum} row={row} isEarlier={isEarlier} />
          </li>
        ))}
      </ul>
      {totals === null || (rows.length === 0 && isZero(totals.rest)) ? null : (
        <Totals sum={sum} totals={totals} others={total - rows.length} />
      )}
      {totals === null && total > rows.length ? (
        <p className="px-5 pt-2 text-sm text-muted">{t("more", { count: total - rows.length })}</p>
      ) : null}
    </RecordSection>
  );
}

type WholeProps = { sum: SumKey; figures: SumFigures };

/** What the accounts and wallets below add up to, by the figures of the sum's row. */
function Whole({ sum, figures: { before, amount, difference, isDifferencePartial } }: WholeProps) {
  const t = useTranslations("position");
  const shown = (decimal: string | null) =>
    decimal === null ? t("unknown") : <SumAmount sum={sum} decimal={decimal} />;
  return (
    <div className="px-5 pb-2">
      <Line amount={difference === null ? t("unknown") : <Signed sum={sum} decimal={difference} />} isStrong>
        {t.rich("why.whole", { before: () => shown(before), amount: () => shown(amount) })}
      </Line>
      {isDifferencePartial ? <p className="text-sm text-warning">{t("notWhole")}</p> : null}
    </div>
  );
}

type TotalsProps = { sum: SumKey; totals: ChangeTotals; others: number };

function Totals({ sum, totals: { explained, unexplained, rest }, others }: TotalsProps) {
  const t = useTranslations("position.why");
  const whole = decimalOf(unitsOf(explained) + unitsOf(unexplained) + unitsOf(rest));
  return (
    <div className="px-5 py-2">
      <Line amount={<Signed sum={sum} decimal={explained} />}>{t("explained")}</Line>
      <Line amount={<Signed sum={sum} decimal={unexplained} />}>{t("notExplained")}</Line>
      {isZero(rest) && others === 0 ? null : (
        <Line amount={<Signed sum={sum} decimal={rest} />}>
          {others === 0 ? t("elsewhere") : t("more", { count: others })}
        </Line>
      )}
      <Line amount={<Signed sum={sum} decimal={whole} />} isStrong>
        {t("total")}
      </Line>
    </div>
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
  return <SumAmount sum={sum} decimal={decimal} sign={plusOf(decimal)} />;
}

const signedOf = ({ as, amount }: ChangeEntry, isEarlier: boolean) =>
  (as === "in") === isEarlier ? `-${amount}` : amount;

const keyOf = (entry: ChangeEntry) =>
  ["hash" in entry ? entry.hash : entry.href, entry.as, entry.amount, entry.at].join(" ");

function EntryName({ entry }: { entry: ChangeEntry }) {
  const t = useTranslations("position.why");
  const stateName = useTranslations("coins.states");
  const typeName = useTypeName();
  if ("sent" in entry)
    return (
      <Link href={entry.href} prefetch={false} className="text-ink hover:underline">
        {stateName(entry.sent)}
      </Link>
    );
  if ("hash" in entry)
    return (
      <span className="font-mono">
        <ProviderText text={shortAddress(entry.hash)} />
      </span>
    );
  return (
    <Link href={entry.href} prefetch={false} className="text-ink hover:underline">
      {entry.type === "" ? t("entry") : typeName(entry.type)}
    </Link>
  );
}

type SentEntry = Extract<ChangeEntry, { sent: unknown }>;

const sentWord = ({ as, sent }: SentEntry) => (as === "out" ? "out" : sent === "DONE" ? "told" : "givenBack");

type EntriesProps = { sum: SumKey; row: NamedChange; isEarlier: boolean };

function Entries({ sum, row, isEarlier }: EntriesProps) {
  const t = useTranslations("position.why");
  const locale = useLocale();
  const { entries, left, leftSum, untold, blocked, readUntil, gap, unexplained } = row;
  const isBlocked = sum.part === "blocked";
  const hasOpenSend = entries.some((entry) => "sent" in entry && entry.as === "out");
  return (
    <div className="text-sm text-muted">
      {entries.map((entry) => (
        <Line key={keyOf(entry)} amount={<Signed sum={sum} decimal={signedOf(entry, isEarlier)} />}>
          {"sent" in entry ? t(`sends.${sentWord(entry)}`) : t(`entries.${entry.as}`)} ·{" "}
          {formatDateTime(entry.at, locale)} · <EntryName entry={entry} />
        </Line>
      ))}
      {left === 0 ? null : (
        <Line amount={<Signed sum={sum} decimal={isEarlier ? decimalOf(-unitsOf(leftSum)) : leftSum} />}>
          {t("left", { count: left })}
        </Line>
      )}
      {blocked === null || isZero(blocked) ? null : (
        <Line amount={<Signed sum={sum} decimal={isBlocked ? blocked : decimalOf(-unitsOf(blocked))} />}>
          {t(blocked.startsWith("-") ? "unblocked" : "blocked")}
        </Line>
      )}
      {untold === 0 ? null : (
        <p className="text-warning">{t(isInReais(sum.kind) ? "undirected" : "untold", { count: untold })}</p>
      )}
      {gap === null ? null : <p className="text-warning">{gapText(gap, t, locale)}</p>}
      {unexplained === null || isZero(unexplained) ? null : (
        <div className="text-warning">
          <Line amount={<Signed sum={sum} decimal={unexplained} />}>
            {readUntil === null
              ? t(hasOpenSend ? "unexplainedFee" : "unexplained")
              : t("unexplainedUntil", { time: formatDateTime(readUntil, locale) })}
          </Line>
        </div>
      )}
    </div>
  );
}

function gapText(gap: EntryGap, t: ReturnType<typeof useTranslations<"position.why">>, locale: Locale): string {
  if (gap.why === "never-read") return t("gaps.never-read");
  if (gap.why === "unreadable") return t("gaps.unreadable", { count: gap.count });
  return t(`gaps.${gap.why}`, {
    time: gap.why === "read-from" ? formatDate(gap.at, locale) : formatDateTime(gap.at, locale),
  });
}
