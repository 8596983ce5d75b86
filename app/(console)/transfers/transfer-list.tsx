"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import { PersonName } from "@/components/layout/person-name";
import { ListScreen } from "@/components/list-screen/list-screen";
import { EmptyFilterView, NoRows } from "@/components/layout/empty-view";
import { useLivePage } from "@/components/live/use-live-page";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { FilterAmounts } from "@/components/table/filter-amounts";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterPeriod } from "@/components/table/filter-period";
import { Money } from "@/components/table/money";
import { FilterChip } from "@/components/table/seek-box";
import { Pagination } from "@/components/table/pagination";
import { ProviderText } from "@/components/layout/provider-text";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import { formatCount, formatDateTime, unbroken } from "@/lib/text/format";
import type { SavedView } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { isUnopened, providerWord } from "@/lib/text/provider-word";
import type { TransferFileColumn, TransferList as Transfers } from "@/lib/transfers/queries";
import type { TransferFilter } from "@/lib/transfers/inputs";
import { TRANSFER_STATES, TRANSFER_VIEWS, type TransferRow as Row } from "@/lib/transfers/view";
import { TRANSFER_KINDS } from "@/lib/db/enums/transfers";
import { PayeeSearch } from "./payee-search";
import { PartyName, TransferStatus } from "./transfer-words";

const PATH = "/transfers";

const hrefOf = (filter: TransferFilter, change: Partial<TransferFilter>): string => {
  const { view, page, ...rest } = { ...filter, page: 1, ...change };
  return hrefWith(PATH, { view, ...rest, page: page === 1 ? null : page });
};

const PLAIN_HREF = `${PATH}?view=all`;

const searchOf = (filter: TransferFilter): string => hrefOf(filter, {}).slice(PATH.length + 1);

/** Columns of the file that the screen omits or shows in other columns. */
type Within = "id" | "bank" | "transactionId" | "returnId" | "antifraudId" | "until" | "code" | "reason" | "note";

const allHref = (only: Pick<TransferFilter, "payeeOf"> | Pick<TransferFilter, "account">) =>
  hrefWith(PATH, { view: "all", ...only });

function AllLink({ href, label }: { href: string; label: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      title={label}
      aria-label={label}
      className="row-action float-end -my-0.5 -me-3 grid size-6 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink"
    >
      <Icon of="list-filter" size={13} />
    </Link>
  );
}

function useColumns({ account, payeeOf }: TransferFilter): Columns<Row, Exclude<TransferFileColumn, Within>> {
  const t = useTranslations("transfers");
  const locale = useLocale();
  const whoOf = (row: Row) => <PersonName name={row.byName} you={row.isMine ? t("you") : null} />;
  return {
    kind: {
      header: t("columns.kind"),
      width: "name",
      td: "py-1.5 wraps",
      cell: (row) => (
        <>
          <Link href={`${PATH}/${row.id}`} prefetch={false} className="row-link font-medium">
            {t(`kinds.${row.kind}`)}
          </Link>
          <span className="block text-sm whitespace-normal text-muted @widest:hidden">{whoOf(row)}</span>
        </>
      ),
    },
    amount: {
      header: t("columns.amount"),
      width: "amount",
      align: "end",
      cell: ({ amount, at }) => (
        <>
          {amount === null ? <span className="text-faint">{t("amountUnread")}</span> : <Money decimal={amount} />}
          <time dateTime={at} className="line-below @widest:hidden">
            {formatDateTime(at, locale)}
          </time>
        </>
      ),
    },
    from: {
      header: t("columns.from"),
      width: "text",
      from: "medium",
      cell: ({ from }) => (
        <>
          {from.ref === null || from.ref === account ? null : (
            <AllLink href={allHref({ account: from.ref })} label={t("allFrom", { account: from.name })} />
          )}
          <PartyName party={from} />
        </>
      ),
    },
    to: {
      header: t("columns.to"),
      width: "text",
      td: cn(BELOW, "truncate py-1.5"),
      cell: ({ id, to }) => (
        <>
          {to === null || payeeOf !== undefined ? null : (
            <AllLink href={allHref({ payeeOf: id })} label={t("allTo", { payee: to.name })} />
          )}
          <span className="float-start me-1.5 text-muted @medium:hidden">{t("columns.to")}</span>
          <PartyName party={to} />
        </>
      ),
    },
    state: {
      header: t("columns.state"),
      width: "status",
      td: cn(BELOW, "py-1.5"),
      cell: (row) => <StateCell row={row} />,
    },
    who: { header: t("columns.who"), width: "name", from: "widest", td: "text-muted", cell: whoOf },
    at: {
      header: t("columns.at"),
      width: "date",
      from: "widest",
      align: "end",
      cell: ({ at }) => <time dateTime={at}>{formatDateTime(at, locale)}</time>,
    },
  };
}

function StateCell({ row: { state, candidateId, code, until } }: { row: Row }) {
  const t = useTranslations("transfers");
  const locale = useLocale();
  return (
    <>
      <TransferStatus state={state} candidateId={candidateId} />
      {code === null || state !== "ACCEPTED" ? null : (
        <span className="block text-sm wrap-anywhere whitespace-normal text-muted">
          <ProviderText text={providerWord(code)} />
        </span>
      )}
      {until === null || state !== "HELD" ? null : (
        <span className="block text-sm whitespace-normal text-muted tabular-nums">
          {t("until", { time: unbroken(formatDateTime(until, locale)) })}
        </span>
      )}
    </>
  );
}

/** The filters that the clear button removes: all but the tab. */
const sifted = ({ kind, state, period, from, to, min, max, who, payeeOf, bank, account }: TransferFilter) =>
  [kind, state, period, from, to, min, max, who, payeeOf, bank, account].some((one) => one !== undefined);

type FiltersProps = {
  filter: TransferFilter;
  page: Transfers;
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
  onNobody: (isNobody: boolean) => void;
};

function Filters({ filter, page, saved, onSaid, onNobody }: FiltersProps) {
  const t = useTranslations("transfers");
  const { view, kind, state, period, from, to, min, max, who, bank, payeeOf, payeeBy } = filter;
  const { account, payee, people, banks } = page;
  return (
    <FilterBar
      path={PATH}
      params={{ view, account: filter.account, payeeOf, payeeBy }}
      cleared={{ view }}
      isFiltered={sifted(filter)}
      words={{ apply: t("apply"), clear: t("clear") }}
      chosen={[kind, state, period, who, bank, from, to, min, max]}
      before={<PayeeSearch hrefOf={(found) => hrefOf(filter, found)} onNobody={onNobody} />}
      more={
        <>
          <FilterChoice
            name="who"
            label={t("whoLabel")}
            value={who}
            any={t("anyone")}
            options={[{ value: "me", label: t("mine") }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
          />
          <FilterChoice
            name="bank"
            label={t("bankLabel")}
            value={bank}
            any={t("anyBank")}
            options={banks.map(({ ispb, label }) => ({ value: ispb, label }))}
          />
          <FilterPeriod isByDay period={period} from={from} to={to} />
          <FilterAmounts value={{ min, max }} labels={{ min: t("min"), max: t("max") }} />
        </>
      }
      beside={
        <>
          {payee === null ? null : (
            <FilterChip
              href={hrefOf(filter, { payeeOf: undefined, payeeBy: undefined })}
              text={t("payee.only", { payee: isUnopened(payee) ? t("unread") : payee })}
              clear={t("payee.clear")}
            />
          )}
          {account === null ? null : (
            <FilterChip
              href={hrefOf(filter, { account: undefined })}
              text={t("ofAccount", { account: account.name })}
              clear={t("ofAccountClear")}
            />
          )}
          <SaveView area="transfers" search={searchOf(filter)} plainHref={PLAIN_HREF} saved={saved} onSaid={onSaid} />
        </>
      }
    >
      <FilterChoice
        name="kind"
        label={t("kindLabel")}
        value={kind}
        any={t("anyKind")}
        options={TRANSFER_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
      <FilterChoice
        name="state"
        label={t("stateLabel")}
        value={state}
        any={t("anyState")}
        options={TRANSFER_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
      />
    </FilterBar>
  );
}

const summed = (decimal: string) => (
  <span className="font-medium text-ink">
    <Money decimal={decimal} />
  </span>
);

/** The sum over all pages, and what of it moved. */
function FilteredSum({ total, sum }: Pick<Transfers, "total" | "sum">) {
  const t = useTranslations("transfers");
  return (
    <p className="border-b border-line px-5 py-2 text-sm text-muted tabular-nums">
      {t.rich("sum", { count: total, ordered: () => summed(sum.amount), confirmed: () => summed(sum.confirmed) })}
      {sum.unknown === 0 ? null : ` · ${t("sumUnknown", { count: sum.unknown })}`}
    </p>
  );
}

type TransferListProps = { initial: Transfers; filter: TransferFilter; saved: readonly SavedView[] };

export function TransferList({ initial, filter, saved }: TransferListProps) {
  const t = useTranslations("transfers");
  const [said, setSaid] = useState<string | null>(null);
  const [{ isNobody, round }, setPayeeSearch] = useState({ isNobody: false, round: 0 });
  const locale = useLocale();
  const columns = useColumns(filter);
  const live = useLivePage({ address: hrefWith("/api/transfers", filter), topic: "transfers", initial });
  const { page } = live;
  const tabs = TRANSFER_VIEWS.map((view) => ({
    href: hrefOf(filter, { view }),
    label: t(`filters.${view}`),
    count: formatCount(page.counts[view], locale),
    isCurrent: view === filter.view,
  }));
  const isFiltered = filter.view !== "all" || sifted(filter);
  const noRows = { isFiltered, plainHref: PLAIN_HREF, title: t("emptyTitle"), body: t("emptyBody") };
  const nobody = (
    <EmptyFilterView
      icon="send"
      href={PLAIN_HREF}
      onClear={() => setPayeeSearch({ isNobody: false, round: round + 1 })}
    />
  );
  return (
    <ListScreen
      live={live}
      icon="send"
      tabs={<ViewTabs label={t("filterView")} path={PATH} tabs={tabs} search={searchOf(filter)} saved={saved} />}
      filters={
        <Filters
          key={round}
          filter={filter}
          page={page}
          saved={saved}
          onSaid={setSaid}
          onNobody={(is) => setPayeeSearch({ isNobody: is, round })}
        />
      }
      empty={isNobody ? nobody : page.rows.length === 0 ? <NoRows icon="send" {...noRows} /> : null}
      pages={<Pagination {...page} hrefOf={(number) => hrefOf(filter, { page: number })} />}
      said={said}
    >
      <FilteredSum total={page.total} sum={page.sum} />
      <DataTable label={t("title")} columns={columns} rows={page.rows} keyOf={({ id }) => id} narrow="grid" />
    </ListScreen>
  );
}
