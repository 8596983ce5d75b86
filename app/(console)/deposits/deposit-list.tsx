"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import { AssetAmount, CoinPlace, Contract } from "@/app/(console)/wallets/wallet-words";
import { deferred } from "@/components/layout/deferred";
import { NoRows } from "@/components/layout/empty-view";
import { NeighbourLinks } from "@/components/layout/page-header";
import { ListScreen } from "@/components/list-screen/list-screen";
import { SumSection } from "@/components/list-screen/sum-section";
import { useLivePage } from "@/components/live/use-live-page";
import { BELOW, type Columns } from "@/components/table/data-table";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterSearch } from "@/components/table/filter-search";
import { FilterPeriod } from "@/components/table/filter-period";
import { OpenableTable } from "@/components/table/openable-table";
import { useOpenRows } from "@/components/table/use-steady-rows";
import { Notice } from "@/components/ui/notice";
import { ShortCode } from "@/components/table/short-code";
import { cn } from "@/components/ui/cn";
import { DEPOSIT_CLASSES } from "@/lib/db/enums/deposits";
import type { DepositFilter } from "@/lib/deposits/inputs";
import type { DepositFileColumn } from "@/lib/deposits/queries";
import {
  DEPOSIT_OWNERS,
  DEPOSIT_VIEWS,
  type DepositList as Deposits,
  type DepositRow as Row,
  type DepositSum,
  meantBy,
} from "@/lib/deposits/view";
import type { SavedView } from "@/lib/preferences/queries";
import { formatCount, formatCrypto, formatDate, formatDateTime, isZero } from "@/lib/text/format";
import { countKnown, hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { contractOf, DepositCoins, DepositOwner, DepositStatus } from "./deposit-words";

const PATH = "/deposits";
const PLAIN_HREF = `${PATH}?view=exceptions`;

const hrefOf = (filter: DepositFilter, change: Partial<DepositFilter>): string =>
  hrefWith(PATH, { ...filter, before: undefined, after: undefined, ...change });

const searchOf = (filter: DepositFilter): string => hrefOf(filter, {}).slice(PATH.length + 1);

/** Columns of the file that the screen leaves out or shows within others. */
type Within =
  | "id"
  | "cause"
  | "stage"
  | "asset"
  | "token"
  | "network"
  | "hash"
  | "due"
  | "age"
  | "reason"
  | "note"
  | "version"
  | "sum";

function When({ row: { at, dueAt, ageDays } }: { row: Row }) {
  const t = useTranslations("deposits");
  const locale = useLocale();
  return (
    <>
      <time dateTime={at}>{formatDateTime(at, locale)}</time>
      <span className="block text-sm text-muted">
        {dueAt === null ? t("age", { days: ageDays }) : t("dueOn", { day: formatDate(dueAt, locale) })}
      </span>
    </>
  );
}

function useColumns(): Columns<Row, Exclude<DepositFileColumn, Within> | "peek"> {
  const t = useTranslations();
  const locale = useLocale();
  return {
    amount: {
      header: t("deposits.columns.amount"),
      width: "coins",
      align: "end",
      td: "py-1.5",
      cell: (row) => (
        <>
          <Link href={`${PATH}/${row.id}`} prefetch={false} className="row-link font-medium whitespace-normal">
            <DepositCoins row={row} />
          </Link>
          <CoinPlace network={row.network} token={contractOf(row)} />
        </>
      ),
    },
    class: { header: t("deposits.columns.class"), width: "status", cell: (row) => <DepositStatus row={row} /> },
    reference: {
      header: t("deposits.columns.reference"),
      width: "text",
      td: cn(BELOW, "truncate py-1.5"),
      cell: ({ reference, isUnopened, at, dueAt }) => (
        <div className="@max-medium:flex @max-medium:items-baseline @max-medium:gap-3">
          <span className="block min-w-0 flex-1 truncate">
            {reference ?? (
              <span className="text-faint">{isUnopened ? t("common.unopened") : t("deposits.noReference")}</span>
            )}
          </span>
          <time dateTime={dueAt ?? at} className="block text-sm text-muted tabular-nums @widest:hidden">
            {dueAt === null ? formatDateTime(at, locale) : t("deposits.dueOn", { day: formatDate(dueAt, locale) })}
          </time>
        </div>
      ),
    },
    address: {
      header: t("deposits.columns.address"),
      width: "id",
      from: "wide",
      cell: ({ address }) =>
        address === null ? (
          <span className="text-faint">{t("deposits.noAddress")}</span>
        ) : (
          <ShortCode text={address} copyLabel={t("deposits.copyAddress")} />
        ),
    },
    owner: {
      header: t("deposits.columns.owner"),
      width: "name",
      from: "medium",
      cell: (row) => <DepositOwner row={row} />,
    },
    at: {
      header: t("deposits.columns.at"),
      width: "date",
      from: "widest",
      align: "end",
      cell: (row) => <When row={row} />,
    },
    peek: {
      header: t("common.peek"),
      isHeaderHidden: true,
      width: "short",
      from: "medium",
      align: "end",
      cell: () => <span className="text-accent">{t("common.peek")}</span>,
    },
  };
}

/** What a clear button takes away: all but the tab. */
const sifted = ({ class: only, period, from, to, network, owner, search }: DepositFilter) =>
  [only, period, from, to, network, owner, search].some((one) => one !== undefined);

type FiltersProps = {
  filter: DepositFilter;
  page: Deposits;
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
};

function Filters({ filter, page, saved, onSaid }: FiltersProps) {
  const t = useTranslations();
  const { view, class: only, period, from, to, network, owner, search } = filter;
  return (
    <FilterBar
      path={PATH}
      params={{ view }}
      isFiltered={sifted(filter)}
      words={{ apply: t("deposits.apply"), clear: t("deposits.clear") }}
      chosen={[only, period, from, to, network, owner]}
      first={<FilterSearch value={search} label={t("deposits.searchLabel")} hint={t("deposits.searchHint")} />}
      more={
        <>
          <FilterChoice
            name="network"
            label={t("deposits.networkLabel")}
            value={network}
            any={t("deposits.anyNetwork")}
            options={page.networks.map((value) => ({ value, label: t(`wallets.networks.${value}`) }))}
          />
          <FilterPeriod isByDay period={period} from={from} to={to} />
        </>
      }
      beside={
        <SaveView area="deposits" search={searchOf(filter)} plainHref={PLAIN_HREF} saved={saved} onSaid={onSaid} />
      }
    >
      <FilterChoice
        name="class"
        label={t("deposits.classLabel")}
        value={only}
        any={t("deposits.anyClass")}
        options={DEPOSIT_CLASSES.map((value) => ({ value, label: t(`deposits.classes.${value}`) }))}
      />
      <FilterChoice
        name="owner"
        label={t("deposits.ownerLabel")}
        value={owner}
        any={t("deposits.anyOwner")}
        options={DEPOSIT_OWNERS.map((value) => ({ value, label: t(`deposits.owners.${value}`) }))}
      />
    </FilterBar>
  );
}

function SumItem({ sum }: { sum: DepositSum }) {
  const t = useTranslations();
  const locale = useLocale();
  const { isAny, network, asset, token, arrived, open, expected } = sum;
  if (isAny) return <WantedItem sum={sum} />;
  const name = asset ?? t("deposits.assetUntold");
  const said = (amount: string) => providerText(`${formatCrypto(amount, locale)} ${name}`);
  return (
    <li className="tabular-nums">
      <span className="block text-sm text-muted">
        {network === null ? t("deposits.networkUntold") : t(`wallets.networks.${network}`)}
      </span>
      <span className="block text-md font-semibold">
        <AssetAmount held={{ asset: name, balance: arrived, decimals: null, doubt: null }} />
        <Contract of={token === asset ? null : token} />
      </span>
      {isZero(open) ? null : (
        <span className="block text-sm text-muted">{t("deposits.sums.open", { amount: said(open) })}</span>
      )}
      {isZero(expected) ? null : (
        <span className="block text-sm text-muted">{t("deposits.sums.expected", { amount: said(expected) })}</span>
      )}
    </li>
  );
}

function WantedItem({ sum: { network, asset, expected } }: { sum: DepositSum }) {
  const t = useTranslations();
  const locale = useLocale();
  const name = t("deposits.meant", { by: meantBy(asset), asset: providerText(asset ?? "") });
  return (
    <li className="tabular-nums">
      <span className="block text-sm text-muted">
        {network === null ? t("deposits.expect.anyNetwork") : t(`wallets.networks.${network}`)}
      </span>
      <span className="block text-md font-semibold wrap-anywhere">{name}</span>
      <span className="block text-sm text-muted">
        {t("deposits.sums.expected", { amount: formatCrypto(expected, locale) })}
      </span>
    </li>
  );
}

/** What arrived, and beside it what is unconfirmed or expected. */
function Sums({ page: { sums, unsummed } }: { page: Deposits }) {
  const t = useTranslations("deposits.sums");
  const words = {
    title: t("title"),
    nothing: t("nothing"),
    more: (count: number) => t("more", { count }),
    fewer: t("fewer"),
  };
  const items = sums.map((sum) => <SumItem key={`${sum.isAny} ${sum.network} ${sum.asset} ${sum.token}`} sum={sum} />);
  return (
    <SumSection words={words} items={items}>
      {unsummed === 0 ? null : <p className="text-sm text-warning">{t("unsummed", { count: unsummed })}</p>}
    </SumSection>
  );
}

const PeekedDeposit = deferred(() => import("./peeked-deposit").then((loaded) => loaded.PeekedDeposit));

type DepositListProps = { initial: Deposits; filter: DepositFilter; saved: readonly SavedView[] };

export function DepositList({ initial, filter, saved }: DepositListProps) {
  const t = useTranslations("deposits");
  const locale = useLocale();
  const [said, setSaid] = useState<string | null>(null);
  const opening = useOpenRows();
  const columns = useColumns();
  const live = useLivePage({ address: hrefWith("/api/deposits", filter), topic: "deposits", initial });
  const { page } = live;
  const tabs = DEPOSIT_VIEWS.map((view) => ({
    href: hrefOf(filter, { view }),
    label: t(`filters.${view}`),
    count: countKnown(formatCount(page.counts[view], locale), page.counts[view], {
      asOf: page.asOf,
      readSoFar: page.unreadWallets === 0 ? null : page.counts[view],
    }),
    isCurrent: view === filter.view,
  }));
  const isWhole = page.unreadWallets === 0;
  const empty = { title: t(isWhole ? `emptyTitle.${filter.view}` : `nothingYet.${filter.view}`), body: t("emptyBody") };
  const noRows = { isFiltered: sifted(filter), plainHref: PLAIN_HREF, ...empty };
  return (
    <ListScreen
      live={live}
      icon="inbox"
      tabs={<ViewTabs label={t("filterView")} path={PATH} tabs={tabs} search={searchOf(filter)} saved={saved} />}
      filters={
        <>
          <Filters filter={filter} page={page} saved={saved} onSaid={setSaid} />
          {isWhole ? null : (
            <Notice tone="info" live="polite" className="mx-5 my-3">
              {page.unreadWallets === null ? t("unlisted") : t("unread", { count: page.unreadWallets })}
            </Notice>
          )}
        </>
      }
      empty={page.rows.length === 0 ? <NoRows icon="inbox" {...noRows} /> : null}
      pages={
        <NeighbourLinks
          newer={page.newer && hrefOf(filter, { after: page.newer })}
          older={page.older && hrefOf(filter, { before: page.older })}
        />
      }
      said={said}
    >
      <Sums page={page} />
      <OpenableTable
        label={t("title")}
        columns={columns}
        rows={page.rows}
        keyOf={({ id }) => id}
        by="peek"
        details={{
          ...opening,
          labelOf: ({ kind, at, dueAt }) => {
            if (kind === "arrival") return t("peekAt", { time: formatDateTime(at, locale) });
            return dueAt === null ? t("peekUndated") : t("peekExpected", { time: formatDateTime(dueAt, locale) });
          },
          contentOf: (row) => <PeekedDeposit row={row} />,
        }}
        narrow="grid"
      />
    </ListScreen>
  );
}
