"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Party, SendStatus, SentCoins } from "@/app/(console)/coins/send-words";
import { PartyName, TransferStatus } from "@/app/(console)/transfers/transfer-words";
import { AssetAmount, CoinPlace, Contract } from "@/app/(console)/wallets/wallet-words";
import { NoRows } from "@/components/layout/empty-view";
import { PersonName } from "@/components/layout/person-name";
import { SumSection } from "@/components/list-screen/sum-section";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterPeriod } from "@/components/table/filter-period";
import { Pagination } from "@/components/table/pagination";
import { Money } from "@/components/table/money";
import { cn } from "@/components/ui/cn";
import type { SentFilter } from "@/lib/movements/inputs";
import type { SentFileColumn } from "@/lib/movements/queries";
import {
  SENT_KINDS,
  SENT_STAGES,
  type SentList as Sent,
  type SentRow as Row,
  type SentSum,
} from "@/lib/movements/sent-view";
import { formatBrl, formatCrypto, formatDateTime, isZero } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";

const PATH = "/transfers/all";

const hrefOf = (filter: SentFilter, page: number): string =>
  hrefWith(PATH, { ...filter, page: page === 1 ? null : page });

type Within = "id" | "asset" | "network" | "token" | "note";

function SentSumAmount({ sent }: { sent: Row }) {
  const t = useTranslations();
  if (sent.kind === "coins")
    return (
      <>
        <SentCoins row={sent.row} />
        {sent.row.order === null ? null : <CoinPlace network={sent.row.order.network} token={sent.row.token} />}
      </>
    );
  const { amount } = sent.row;
  return amount === null ? (
    <span className="text-faint">{t("transfers.amountUnread")}</span>
  ) : (
    <Money decimal={amount} />
  );
}

function useColumns(): Columns<Row, Exclude<SentFileColumn, Within>> {
  const t = useTranslations("sent");
  const locale = useLocale();
  const whoOf = ({ row }: Row) => <PersonName name={row.byName} you={row.isMine ? t("you") : null} />;
  return {
    kind: {
      header: t("columns.kind"),
      width: "name",
      td: "py-1.5 whitespace-normal!",
      cell: (sent) => (
        <>
          <Link
            href={`${sent.kind === "coins" ? "/coins" : "/transfers"}/${sent.row.id}`}
            prefetch={false}
            className="row-link font-medium"
          >
            {t(sent.kind === "coins" ? "kinds.COINS" : `kinds.${sent.row.kind}`)}
          </Link>
          <span className="block text-sm whitespace-normal text-muted @widest:hidden">{whoOf(sent)}</span>
        </>
      ),
    },
    amount: {
      header: t("columns.amount"),
      width: "amount",
      align: "end",
      cell: (sent) => (
        <>
          <SentSumAmount sent={sent} />
          <time dateTime={sent.row.at} className="line-below @widest:hidden">
            {formatDateTime(sent.row.at, locale)}
          </time>
        </>
      ),
    },
    from: {
      header: t("columns.from"),
      width: "text",
      from: "medium",
      cell: (sent) => (sent.kind === "coins" ? <Party of={sent.row.from} /> : <PartyName party={sent.row.from} />),
    },
    to: {
      header: t("columns.to"),
      width: "text",
      td: cn(BELOW, "truncate py-1.5"),
      cell: (sent) => (sent.kind === "coins" ? <Party of={sent.row.to} /> : <PartyName party={sent.row.to} />),
    },
    state: {
      header: t("columns.state"),
      width: "status",
      td: cn(BELOW, "py-1.5"),
      cell: (sent) =>
        sent.kind === "coins" ? (
          <SendStatus {...sent.row} />
        ) : (
          <TransferStatus state={sent.row.state} candidateId={sent.row.candidateId} />
        ),
    },
    who: { header: t("columns.who"), width: "name", from: "widest", td: "text-muted", cell: whoOf },
    at: {
      header: t("columns.at"),
      width: "date",
      from: "widest",
      align: "end",
      cell: ({ row: { at } }) => <time dateTime={at}>{formatDateTime(at, locale)}</time>,
    },
  };
}

function SumItem({ sum: { coin, done, open, returned } }: { sum: SentSum }) {
  const t = useTranslations();
  const locale = useLocale();
  const shown = (decimal: string) =>
    coin === undefined ? formatBrl(decimal, locale) : providerText(`${formatCrypto(decimal, locale)} ${coin.asset}`);
  return (
    <li className="tabular-nums">
      <span className="block text-sm text-muted">
        {coin === undefined ? "BRL" : t(`wallets.networks.${coin.network}`)}
      </span>
      <span className="block text-md font-semibold">
        {coin === undefined ? (
          <Money decimal={done} />
        ) : (
          <>
            <AssetAmount held={{ asset: coin.asset, balance: done, decimals: null, doubt: null }} />
            <Contract of={coin.token} />
          </>
        )}
      </span>
      {isZero(open) ? null : (
        <span className="block text-sm text-muted">{t("sent.sums.open", { amount: shown(open) })}</span>
      )}
      {isZero(returned) ? null : (
        <span className="block text-sm text-muted">{t("sent.sums.returned", { amount: shown(returned) })}</span>
      )}
    </li>
  );
}

function Sums({ sums: { rows, apart, unread } }: Pick<Sent, "sums">) {
  const t = useTranslations("sent");
  const words = {
    title: t("sums.title"),
    nothing: t("sums.nothing"),
    more: (count: number) => t("sums.more", { count }),
    fewer: t("sums.fewer"),
  };
  const moved = rows.filter((sum) => [sum.done, sum.open, sum.returned].some((one) => !isZero(one)));
  const items = moved.map((sum) => (
    <SumItem key={`${sum.coin?.network} ${sum.coin?.asset} ${sum.coin?.token}`} sum={sum} />
  ));
  return (
    <SumSection words={words} items={items}>
      {apart === 0 ? null : <p className="text-sm text-muted">{t("apart", { count: apart })}</p>}
      {unread === 0 ? null : <p className="text-sm text-warning">{t("amountsUnread", { count: unread })}</p>}
    </SumSection>
  );
}

type SentListProps = { sent: Sent; filter: SentFilter };

export function SentList({ sent, filter }: SentListProps) {
  const t = useTranslations("sent");
  const columns = useColumns();
  const { kind, stage, who, period, from, to } = filter;
  const chosen = [kind, stage, who, period, from, to];
  const isFiltered = chosen.some((one) => one !== undefined);
  const kinds = SENT_KINDS.filter((one) => one !== "COINS" || sent.hasCoins);
  return (
    <>
      <FilterBar
        path={PATH}
        params={{}}
        isFiltered={isFiltered}
        words={{ apply: t("filters.apply"), clear: t("filters.clear") }}
        chosen={[kind, stage, period, from ?? to]}
        first={
          <FilterChoice
            name="who"
            label={t("filters.who")}
            value={who}
            any={t("filters.anyone")}
            options={[
              { value: "me", label: t("filters.mine") },
              ...sent.people.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        }
        more={<FilterPeriod isByDay period={period} from={from} to={to} />}
      >
        <FilterChoice
          name="kind"
          label={t("filters.kind")}
          value={kind}
          any={t("filters.anyKind")}
          options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
        <FilterChoice
          name="stage"
          label={t("filters.stage")}
          value={stage}
          any={t("filters.anyStage")}
          options={SENT_STAGES.map((value) => ({ value, label: t(`stages.${value}`) }))}
        />
      </FilterBar>
      {sent.rows.length === 0 ? (
        <NoRows icon="send" isFiltered={isFiltered} plainHref={PATH} title={t("emptyTitle")} body={t("emptyBody")} />
      ) : (
        <>
          <Sums sums={sent.sums} />
          <DataTable label={t("title")} columns={columns} rows={sent.rows} keyOf={({ row }) => row.id} narrow="grid" />
          <Pagination {...sent} hrefOf={(page) => hrefOf(filter, page)} />
        </>
      )}
    </>
  );
}
