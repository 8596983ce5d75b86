"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import { AssetAmount, CoinPlace, Contract } from "@/app/(console)/wallets/wallet-words";
import { NoRows } from "@/components/layout/empty-view";
import { NeighbourLinks } from "@/components/layout/page-header";
import { PersonName } from "@/components/layout/person-name";
import { ListScreen } from "@/components/list-screen/list-screen";
import { SumSection } from "@/components/list-screen/sum-section";
import { useLivePage } from "@/components/live/use-live-page";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterSearch } from "@/components/table/filter-search";
import { FilterPeriod } from "@/components/table/filter-period";
import { ShortCode } from "@/components/table/short-code";
import { SafeLink } from "@/components/table/safe-link";
import { cn } from "@/components/ui/cn";
import type { SavedView } from "@/lib/preferences/queries";
import { formatCount, formatCrypto, formatDateTime, isZero } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import type { SendFilter } from "@/lib/wallets/inputs";
import type { SendFileColumn } from "@/lib/wallets/queries";
import {
  SEND_STATES,
  SEND_VIEWS,
  type SendList as Sends,
  type SendRow as Row,
  type SendSum,
  STATES_OF_VIEW,
} from "@/lib/wallets/sends-view";
import { Party, SendStatus, SentCoins } from "./send-words";

const PATH = "/coins";
const PLAIN_HREF = `${PATH}?view=all`;

const hrefOf = (filter: SendFilter, change: Partial<SendFilter>): string =>
  hrefWith(PATH, { ...filter, before: undefined, after: undefined, ...change });

const searchOf = (filter: SendFilter): string => hrefOf(filter, {}).slice(PATH.length + 1);

/** Columns of the file that the screen leaves out or shows within others. */
type Within = "id" | "cause" | "fromLabel" | "toLabel" | "network" | "asset" | "token" | "note";

function Hash({ row: { hash, state } }: { row: Pick<Row, "hash" | "state"> }) {
  const t = useTranslations("coins");
  const isApart = STATES_OF_VIEW.apart.some((one) => one === state);
  if (hash === null) return <span className="text-faint">{isApart ? "–" : t("noHash")}</span>;
  return (
    <>
      <ShortCode text={hash.txHash} copyLabel={t("copyHash")} />
      {hash.link === null ? null : <SafeLink link={hash.link} />}
    </>
  );
}

function useColumns(): Columns<Row, Exclude<SendFileColumn, Within>> {
  const t = useTranslations();
  const locale = useLocale();
  const whoOf = (row: Row) => <PersonName name={row.byName} you={row.isMine ? t("coins.you") : null} />;
  return {
    amount: {
      header: t("coins.columns.what"),
      width: "coins",
      align: "end",
      td: "py-1.5",
      cell: (row) => (
        <>
          <Link href={`${PATH}/${row.id}`} prefetch={false} className="row-link font-medium whitespace-normal">
            <SentCoins row={row} />
          </Link>
          {row.order === null ? null : <CoinPlace network={row.order.network} token={row.token} />}
          <time dateTime={row.at} className="line-below @widest:hidden @max-medium:hidden">
            {formatDateTime(row.at, locale)}
          </time>
        </>
      ),
    },
    state: {
      header: t("coins.columns.state"),
      width: "status",
      cell: (row) => <SendStatus {...row} />,
    },
    from: {
      header: t("coins.columns.from"),
      width: "text",
      from: "medium",
      cell: ({ from }) => <Party of={from} />,
    },
    to: {
      header: t("coins.columns.to"),
      width: "text",
      td: cn(BELOW, "truncate py-1.5"),
      cell: (row) => (
        <>
          <div className="flex items-baseline gap-3">
            <div className="min-w-0 flex-1">
              <Party of={row.to} />
            </div>
            <time dateTime={row.at} className="text-sm text-muted tabular-nums @medium:hidden">
              {formatDateTime(row.at, locale)}
            </time>
          </div>
          {row.hash === null ? null : (
            <span className="line-below flex items-center gap-1.5 @wide:hidden">
              {t("coins.columns.hash")}
              <Hash row={row} />
            </span>
          )}
        </>
      ),
    },
    hash: {
      header: t("coins.columns.hash"),
      width: "id",
      from: "wide",
      cell: (row) => <Hash row={row} />,
    },
    who: { header: t("coins.columns.who"), width: "name", from: "widest", td: "text-muted", cell: whoOf },
    at: {
      header: t("coins.columns.at"),
      width: "date",
      from: "widest",
      align: "end",
      cell: ({ at }) => <time dateTime={at}>{formatDateTime(at, locale)}</time>,
    },
  };
}

/** What a clear button takes away: all but the tab. */
const sifted = ({ state, who, period, from, to, wallet, network, asset, search }: SendFilter) =>
  [state, who, period, from, to, wallet, network, asset, search].some((one) => one !== undefined);

type FiltersProps = {
  filter: SendFilter;
  page: Sends;
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
};

function Filters({ filter, page, saved, onSaid }: FiltersProps) {
  const t = useTranslations();
  const { view, state, who, period, from, to, wallet, network, asset, search } = filter;
  return (
    <FilterBar
      path={PATH}
      params={{ view }}
      isFiltered={sifted(filter)}
      words={{ apply: t("coins.apply"), clear: t("coins.clear") }}
      chosen={[state, who, period, from, to, wallet, network, asset]}
      first={<FilterSearch value={search} label={t("coins.searchLabel")} hint={t("coins.searchHint")} />}
      more={
        <>
          <FilterChoice
            name="who"
            label={t("coins.whoLabel")}
            value={who}
            any={t("coins.anyone")}
            options={[
              { value: "me", label: t("coins.mine") },
              ...page.people.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <FilterChoice
            name="wallet"
            label={t("coins.walletLabel")}
            value={wallet}
            any={t("coins.anyWallet")}
            options={page.wallets.map(({ id, name }) => ({ value: id, label: providerText(name) }))}
          />
          <FilterChoice
            name="network"
            label={t("coins.networkLabel")}
            value={network}
            any={t("coins.anyNetwork")}
            options={page.networks.map((value) => ({ value, label: t(`wallets.networks.${value}`) }))}
          />
          <FilterPeriod isByDay period={period} from={from} to={to} />
        </>
      }
      beside={<SaveView area="coins" search={searchOf(filter)} plainHref={PLAIN_HREF} saved={saved} onSaid={onSaid} />}
    >
      <FilterChoice
        name="state"
        label={t("coins.stateLabel")}
        value={state}
        any={t("coins.anyState")}
        options={SEND_STATES.map((value) => ({ value, label: t(`coins.states.${value}`) }))}
      />
      <FilterChoice
        name="asset"
        label={t("coins.assetLabel")}
        value={asset}
        any={t("coins.anyAsset")}
        options={page.assets.map((value) => ({ value, label: providerText(value) }))}
      />
    </FilterBar>
  );
}

function SumItem({ sum: { network, asset, token, done, open } }: { sum: SendSum }) {
  const t = useTranslations();
  const locale = useLocale();
  return (
    <li className="tabular-nums">
      <span className="block text-sm text-muted">{t(`wallets.networks.${network}`)}</span>
      <span className="block text-md font-semibold">
        <AssetAmount held={{ asset, balance: done, decimals: null, doubt: null }} />
        <Contract of={token} />
      </span>
      {isZero(open) ? null : (
        <span className="block text-sm text-muted">
          {t("coins.sums.open", { amount: providerText(`${formatCrypto(open, locale)} ${asset}`) })}
        </span>
      )}
    </li>
  );
}

/** What left, and beside it what may leave. */
function Sums({ sums: { rows, apart, unread } }: Pick<Sends, "sums">) {
  const t = useTranslations("coins.sums");
  const words = {
    title: t("title"),
    nothing: t("nothing"),
    more: (count: number) => t("more", { count }),
    fewer: t("fewer"),
  };
  const moved = rows.filter(({ done, open }) => !isZero(done) || !isZero(open));
  const items = moved.map((sum) => <SumItem key={`${sum.network} ${sum.asset} ${sum.token}`} sum={sum} />);
  return (
    <SumSection words={words} items={items}>
      {apart === 0 ? null : <p className="text-sm text-muted">{t("apart", { count: apart })}</p>}
      {unread === 0 ? null : <p className="text-sm text-warning">{t("unread", { count: unread })}</p>}
    </SumSection>
  );
}

type SendListProps = { initial: Sends; filter: SendFilter; saved: readonly SavedView[] };

export function SendList({ initial, filter, saved }: SendListProps) {
  const t = useTranslations("coins");
  const locale = useLocale();
  const [said, setSaid] = useState<string | null>(null);
  const columns = useColumns();
  const live = useLivePage({ address: hrefWith("/api/coins", filter), topic: "wallets", initial });
  const { page } = live;
  const tabs = SEND_VIEWS.map((view) => ({
    href: hrefOf(filter, { view }),
    label: t(`filters.${view}`),
    count: formatCount(page.counts[view], locale),
    isCurrent: view === filter.view,
  }));
  const isFiltered = filter.view !== "all" || sifted(filter);
  const noRows = { isFiltered, plainHref: PLAIN_HREF, title: t("emptyTitle"), body: t("emptyBody") };
  return (
    <ListScreen
      live={live}
      icon="arrow-up-right"
      tabs={<ViewTabs label={t("filterView")} path={PATH} tabs={tabs} search={searchOf(filter)} saved={saved} />}
      filters={<Filters filter={filter} page={page} saved={saved} onSaid={setSaid} />}
      empty={page.rows.length === 0 ? <NoRows icon="arrow-up-right" {...noRows} /> : null}
      pages={
        <NeighbourLinks
          newer={page.newer && hrefOf(filter, { after: page.newer })}
          older={page.older && hrefOf(filter, { before: page.older })}
        />
      }
      said={said}
    >
      <Sums sums={page.sums} />
      <DataTable label={t("title")} columns={columns} rows={page.rows} keyOf={({ id }) => id} narrow="grid" />
    </ListScreen>
  );
}
