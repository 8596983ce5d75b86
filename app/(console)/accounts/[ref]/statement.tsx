import { ReceiptText } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { CopyButton } from "@/components/table/copy-button";
import { type Column, DataTable } from "@/components/table/data-table";
import { EmptyView } from "@/components/table/empty-view";
import { Money } from "@/components/table/money";
import { Pagination } from "@/components/table/pagination";
import { ProviderText } from "@/components/table/provider-text";
import { buttonClass } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Notice } from "@/components/ui/notice";
import { getStatement, type StatementRow, type UnreadRow } from "@/lib/accounts/queries";
import type { StatementFilter } from "@/lib/accounts/rules";
import { formatDate, formatDateTime } from "@/lib/text/format";
import { namingHidden } from "@/lib/text/safe-link";
import { hrefWith } from "@/lib/text/page";
import { isUnknown, rawWord } from "@/lib/text/typed";

const SKELETON_ROWS = 8;

type StatementProps = { accountRef: string; filter: StatementFilter };

/** One page of entries, newest first. */
export async function Statement({ accountRef, filter }: StatementProps) {
  const [statement, t] = await Promise.all([getStatement(accountRef, filter), getTranslations("accounts")]);
  const columns: Column[] = [
    { header: t("entryColumns.date"), width: "w-[clamp(7rem,16cqi,10.5rem)]" },
    { header: t("entryColumns.description") },
    { header: t("entryColumns.type"), width: "w-[7rem]" },
    { header: t("entryColumns.id"), width: "w-[9.5rem]", from: "wide" },
    { header: t("entryColumns.amount"), width: "w-[clamp(8rem,15cqi,11rem)]", align: "end" },
  ];
  const { from, to, pix } = filter;
  const hrefOf = (page: number) => {
    const { first, after } = page === statement.page + 1 ? statement.onward : { first: statement.onward.first };
    return hrefWith(`/accounts/${accountRef}`, { from, to, pix, page, ...(page > 1 && { first, after }) });
  };
  if (statement.rows.length === 0 && filter.page > 1) {
    return (
      <EmptyView icon={ReceiptText} title={t("pastEndTitle")} body={t("pastEndBody")}>
        <Link href={hrefOf(1)} prefetch={false} className={buttonClass("plain")}>
          {t("firstPage")}
        </Link>
      </EmptyView>
    );
  }
  if (statement.rows.length === 0 && pix) {
    return (
      <EmptyView icon={ReceiptText} title={t("noPixTitle")} body={t("noPixBody")}>
        <Link
          href={hrefWith(`/accounts/${accountRef}`, { from, to })}
          prefetch={false}
          className={buttonClass("plain")}
        >
          {t("seeAllEntries")}
        </Link>
      </EmptyView>
    );
  }
  if (statement.rows.length === 0) {
    return <EmptyView icon={ReceiptText} title={t("noEntriesTitle")} body={t("noEntriesBody")} />;
  }
  return (
    <>
      <DataTable label={t("statement")} columns={columns} isStacked>
        {statement.rows.map((row, place) =>
          "fields" in row ? <Unread key={place} row={row} /> : <Entry key={place} entry={row} />,
        )}
      </DataTable>
      {statement.doubts.length === 0 ? null : (
        <Notice tone="warning" className="mx-5 mt-3">
          {statement.doubts.map((doubt) => (
            <p key={doubt}>{t(`doubts.${doubt}`)}</p>
          ))}
        </Notice>
      )}
      <Pagination page={statement.page} totalPages={statement.totalPages} hasNext={statement.hasNext} hrefOf={hrefOf} />
    </>
  );
}

async function Entry({ entry }: { entry: StatementRow }) {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  const day = formatDate(entry.date, locale);
  return (
    <tr>
      <td>
        <ProviderText text={day} />
        <span data-from="wide">{formatDateTime(entry.date, locale).slice(day.length)}</span>
      </td>
      <td title={namingHidden(entry.description)} className="@max-[38rem]:whitespace-normal">
        <ProviderText text={entry.description} />
      </td>
      <td className="text-muted">
        {isUnknown(entry.type) ? <ProviderText text={rawWord(entry.type)} /> : t(`accounts.entryTypes.${entry.type}`)}
      </td>
      <td data-from="wide" className="@max-[38rem]:block!">
        <span className="flex items-center gap-1">
          <code className="truncate font-mono text-sm text-muted">
            <ProviderText text={entry.transactionId} />
          </code>
          {entry.transactionId === "" ? null : (
            <CopyButton text={entry.transactionId} label={t("accounts.copyTransaction")} />
          )}
        </span>
      </td>
      <td data-align="end" className="font-medium">
        {entry.direction === null ? (
          <Undirected entry={entry} />
        ) : (
          <Money decimal={entry.amount} direction={entry.direction} />
        )}
      </td>
    </tr>
  );
}

/** An amount that nobody knows the direction of, beside what the provider says of it. */
async function Undirected({ entry: { amount, directionWord, isContradicted } }: { entry: StatementRow }) {
  const t = await getTranslations("accounts");
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-1.5 whitespace-normal">
      <Money decimal={amount} />
      <span className="text-xs font-normal text-warning">
        {directionWord === "" ? t("directionUntold") : <ProviderText text={directionWord} />}
        {isContradicted ? ` · ${t("directionContradicted")}` : null}
      </span>
    </span>
  );
}

/** An entry that could not be read: what the provider sent, field by field. */
async function Unread({ row: { fields } }: { row: UnreadRow }) {
  const t = await getTranslations("accounts");
  return (
    <tr>
      {/* As many columns as always show. */}
      <td colSpan={4} className="whitespace-normal">
        <span className="text-warning">{t("unreadEntry")}</span>
        <dl className="flex flex-wrap gap-x-4">
          {fields.map(({ path, value }) => (
            <div key={path} className="flex min-w-0 gap-1.5">
              <dt className="text-muted">
                <ProviderText text={path} />
              </dt>
              <dd className="min-w-0 wrap-anywhere">
                <ProviderText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      </td>
    </tr>
  );
}

export function StatementSkeleton() {
  return (
    <div aria-hidden className="pt-8">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={row} className="flex h-9.5 items-center justify-between border-b border-line px-5">
          <Skeleton className="h-3.5 w-28" />
          <Skeleton className="h-3.5 w-1/3" />
          <Skeleton className="h-3.5 w-24" />
        </div>
      ))}
    </div>
  );
}
