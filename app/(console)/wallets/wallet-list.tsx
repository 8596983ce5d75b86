"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { SaveView, ViewTabs } from "@/app/(console)/saved-views/save-view";
import { ListScreen } from "@/components/list-screen/list-screen";
import { NoRows } from "@/components/layout/empty-view";
import { useLivePage } from "@/components/live/use-live-page";
import { CopyButton } from "@/components/table/copy-button";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { cn } from "@/components/ui/cn";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterSearch } from "@/components/table/filter-search";
import { Pagination } from "@/components/table/pagination";
import { ShortEnds } from "@/components/table/short-code";
import { FilterChip } from "@/components/table/seek-box";
import { Notice } from "@/components/ui/notice";
import { Fold } from "@/components/ui/fold";
import { formatCount, formatDate, formatDateTime, unbroken } from "@/lib/text/format";
import type { SavedView } from "@/lib/preferences/queries";
import { NO_DOCUMENT } from "@/lib/text/typed-document";
import { countKnown, hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import type { ListedWallet as Row, WalletList as Wallets } from "@/lib/wallets/queries";
import type { WalletFilter } from "@/lib/wallets/inputs";
import { HOLDINGS, LISTED_USES, MOVED, RECEIVED } from "@/lib/wallets/view";
import { askedFirst, FamilyName, ListedAmount, WalletStatus, WalletUse } from "./wallet-words";

const ADDRESS_OR_LABEL = `\\s*(?=.*[A-Za-z])[\\w.:@?=&\\/,#%+\\-]{1,200}\\s*|${NO_DOCUMENT}`;
const SHOWN_ASSETS = 2;

function Address({ wallet: { id, address, label } }: { wallet: Row }) {
  const t = useTranslations("wallets");
  return (
    <>
      <span className="flex items-center gap-1">
        <Link href={`/wallets/${encodeURIComponent(id)}`} prefetch={false} className="row-link min-w-0 font-medium">
          <ShortEnds text={address} />
        </Link>
        <CopyButton text={address} label={t("copyAddress")} />
      </span>
      {label === null ? null : <span className="block truncate text-sm text-muted">{label}</span>}
    </>
  );
}

function Balances({ wallet, asset }: { wallet: Row; asset: string | undefined }) {
  const t = useTranslations("wallets");
  const shown = askedFirst(wallet.balances, asset).slice(0, SHOWN_ASSETS);
  const left = wallet.balances.length - shown.length;
  return (
    <>
      {wallet.balances.length === 0 ? (
        wallet.unreadBalances > 0 ? null : (
          <span className="text-faint">{wallet.balancesAsOf === null ? t("notRead") : t("noBalance")}</span>
        )
      ) : (
        <span className="flex flex-wrap justify-end gap-x-4 wrap-anywhere whitespace-normal">
          {shown.map((held) => (
            <span key={`${held.network} ${held.asset} ${held.tokenAddress ?? ""}`}>
              <ListedAmount held={held} />
            </span>
          ))}
          {left > 0 ? <span className="text-muted">{t("moreAssets", { count: left })}</span> : null}
        </span>
      )}
      {wallet.unreadBalances === 0 ? null : (
        <span className="block text-sm whitespace-normal text-warning">
          {t("unreadBalances", { count: wallet.unreadBalances })}
        </span>
      )}
      <BalancesAge wallet={wallet} />
    </>
  );
}

function BalancesAge({ wallet: { balances, balancesAsOf } }: { wallet: Row }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  if (balancesAsOf === null && balances.length === 0) return null;
  return (
    <span className="block text-sm whitespace-normal text-muted tabular-nums">
      {balancesAsOf === null ? t("partlyRead") : t("readOn", { time: unbroken(formatDateTime(balancesAsOf, locale)) })}
    </span>
  );
}

const PATH = "/wallets";
const PLAIN_HREF = `${PATH}?network=all`;

const hrefOf = (filter: WalletFilter, change: Partial<WalletFilter>): string => {
  const { page, ...rest } = { ...filter, page: 1, ...change };
  return hrefWith(PATH, { ...rest, page: page === 1 ? null : page });
};

const VIEWS = ["all", "EVM", "BTC", "TRON", "SOLANA", "XRPL"] as const;

function useColumns(filter: WalletFilter): Columns<Row> {
  const t = useTranslations("wallets.columns");
  const locale = useLocale();
  return {
    network: {
      header: t("network"),
      width: "short",
      cell: ({ network }) => <FamilyName family={network} />,
    },
    address: {
      header: t("address"),
      width: "address",
      td: BELOW,
      cell: (wallet) => <Address wallet={wallet} />,
    },
    use: { header: t("use"), width: "short", td: "wraps", cell: ({ use }) => <WalletUse use={use} /> },
    status: {
      header: t("status"),
      width: "status",
      from: "wide",
      cell: ({ status }) => <WalletStatus status={status} />,
    },
    moved: {
      header: t("moved"),
      width: "date",
      from: "medium",
      td: "tabular-nums",
      sort: {
        href: hrefOf(filter, { sort: filter.sort === "moved" ? undefined : "moved" }),
        direction: filter.sort === "moved" ? "desc" : null,
      },
      cell: ({ lastMovedAt, lastDirection, isMoveSure }) => (
        <>
          {lastMovedAt === null ? null : formatDateTime(lastMovedAt, locale)}
          {lastDirection === null ? null : (
            <span className="block text-sm text-muted">{t(`lastDirections.${lastDirection}`)}</span>
          )}
          {lastMovedAt === null && isMoveSure ? <span className="text-faint">{t("notMoved")}</span> : null}
          {isMoveSure ? null : <span className="block text-sm text-faint">{t("movedUnread")}</span>}
        </>
      ),
    },
    created: {
      header: t("created"),
      width: "name",
      from: "widest",
      cell: ({ createdAt }) => formatDate(createdAt, locale),
    },
    balances: {
      header: t("balances"),
      width: "text",
      align: "end",
      td: cn(BELOW, "py-1.25"),
      cell: (wallet) => <Balances wallet={wallet} asset={filter.asset} />,
    },
  };
}

const searchOf = (filter: WalletFilter): string =>
  hrefWith(PATH, { ...filter, network: filter.network ?? "all", page: null }).slice(PATH.length + 1);

const hasFilter = ({ network, use, user, asset, holding, moved, search }: WalletFilter): boolean =>
  [network, use, user, asset, holding, moved, search].some((value) => value !== undefined);

type FiltersProps = {
  filter: WalletFilter;
  assets: readonly string[];
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
};

function Filters({ filter, assets, saved, onSaid }: FiltersProps) {
  const t = useTranslations("wallets");
  const { network, user, use, asset, holding, moved, sort, search } = filter;
  const offered = asset === undefined || assets.includes(asset) ? assets : [asset, ...assets];
  return (
    <FilterBar
      path={PATH}
      params={{ network, user, sort }}
      isFiltered={[use, asset, holding, moved, search].some(Boolean)}
      words={{ apply: t("search"), clear: t("clear") }}
      chosen={[use, asset, holding, moved]}
      first={<FilterSearch value={search} label={t("searchLabel")} hint={t("searchHint")} pattern={ADDRESS_OR_LABEL} />}
      beside={
        <>
          {user === undefined ? null : (
            <FilterChip
              href={hrefOf(filter, { user: undefined })}
              text={t("ofUser", { user: providerText(user) })}
              clear={t("ofUserClear")}
            />
          )}
          <SaveView area="wallets" search={searchOf(filter)} plainHref={PLAIN_HREF} saved={saved} onSaid={onSaid} />
        </>
      }
    >
      <FilterChoice
        name="use"
        label={t("columns.use")}
        value={use}
        any={t("anyUse")}
        options={LISTED_USES.map((value) => ({ value, label: t(`uses.${value}`) }))}
      />
      <FilterChoice
        name="asset"
        label={t("asset")}
        value={asset}
        any={t("anyAsset")}
        options={offered.map((value) => ({ value, label: providerText(value) }))}
      />
      <FilterChoice
        name="holding"
        label={t("holdingLabel")}
        value={holding}
        any={t("anyHolding")}
        options={HOLDINGS.map((value) => ({ value, label: t(`holdings.${value}`) }))}
      />
      <FilterChoice
        name="moved"
        label={t("columns.moved")}
        value={moved}
        any={t("anyMoved")}
        options={[...MOVED, ...RECEIVED].map((value) => ({ value, label: t(`moved.${value}`) }))}
      />
    </FilterBar>
  );
}

const SHOWN_SUMS = 4;

const READINGS = ["balancesOldest", "movesOldest", "pageMovesOldest"] as const;

function SumItems({ rows }: { rows: Wallets["sums"]["rows"] }) {
  const t = useTranslations("wallets");
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-6 gap-y-1 medium:flex medium:flex-wrap">
      {rows.map(({ network, asset, tokenAddress, sum }) => (
        <li key={`${network} ${asset} ${tokenAddress ?? ""}`}>
          <span className="me-1.5 text-sm text-muted max-medium:block">{t(`networks.${network}`)}</span>
          <span className="font-medium tabular-nums">
            <ListedAmount held={{ asset, balance: sum, decimals: null, doubt: null, tokenAddress }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

type ReadingsProps = { page: Pick<Wallets, "sums" | "movesAsOf" | "totalPages">; filter: WalletFilter };

function Readings({ page: { sums, movesAsOf, totalPages }, filter: { moved, sort } }: ReadingsProps) {
  const t = useTranslations("wallets.sums");
  const locale = useLocale();
  const isOfPage = totalPages > 1 && moved === undefined && sort === undefined;
  const oldest = { balancesOldest: sums.oldest, [isOfPage ? "pageMovesOldest" : "movesOldest"]: movesAsOf };
  const readings = READINGS.flatMap((word) => {
    const time = oldest[word] ?? null;
    return time === null ? [] : [t(word, { time: unbroken(formatDateTime(time, locale)) })];
  });
  return readings.length === 0 ? null : (
    <p className="text-sm text-muted tabular-nums">{t("oldest", { readings: readings.join(" · ") })}</p>
  );
}

type SumsProps = ReadingsProps & { page: Pick<Wallets, "asOf" | "extent" | "unread"> };

const isReadWhole = ({ asOf, extent, unread, sums }: SumsProps["page"]): boolean =>
  asOf !== null && extent === "whole" && unread.length === 0 && sums.unread === 0;

/** Labelled as partial when it is. */
export function Sums({ page, filter }: SumsProps) {
  const { sums } = page;
  const t = useTranslations("wallets");
  const isWhole = isReadWhole(page);
  const nothing = isWhole ? "nothing" : sums.oldest === null ? "nothingRead" : "nothingSoFar";
  const folded = sums.rows.slice(SHOWN_SUMS);
  return (
    <section aria-label={t("sums.title")} className="border-b border-line px-5 py-2">
      {sums.rows.length === 0 ? (
        <p className="text-sm text-muted">{t(`sums.${nothing}`)}</p>
      ) : (
        <SumItems rows={sums.rows.slice(0, SHOWN_SUMS)} />
      )}
      {folded.length === 0 ? null : (
        <Fold
          className="group"
          tone="text-sm text-accent"
          summary={
            <>
              <span className="group-open:hidden">{t("sums.more", { count: folded.length })}</span>
              <span className="hidden group-open:inline">{t("sums.fewer")}</span>
            </>
          }
        >
          <SumItems rows={folded} />
        </Fold>
      )}
      <Readings page={page} filter={filter} />
      {isWhole ? null : <p className="text-sm text-warning">{t("sums.partial", { count: sums.unread })}</p>}
      {sums.unsure === 0 ? null : <p className="text-sm text-warning">{t("sums.unsure", { count: sums.unsure })}</p>}
    </section>
  );
}

type WalletListProps = { initial: Wallets; filter: WalletFilter; saved: readonly SavedView[] };

export function WalletList({ initial, filter, saved }: WalletListProps) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  const [said, setSaid] = useState<string | null>(null);
  const columns = useColumns(filter);
  const { network } = filter;
  const live = useLivePage({ address: hrefWith("/api/wallets", filter), topic: "wallets", initial });
  const { page } = live;
  const hasDefault = saved.some(({ isDefault }) => isDefault);
  const counted = (view: (typeof VIEWS)[number]) =>
    page.extent === "whole" && page.hidden[view] === 0 ? page : { asOf: null };
  const tabs = VIEWS.map((view) => {
    const href = hrefOf(filter, { network: view === "all" ? undefined : view });
    return {
      href: href === PATH && hasDefault ? PLAIN_HREF : href,
      label: t(`filters.${view}`),
      count: countKnown(formatCount(page.counts[view], locale), page.counts[view], counted(view)),
      isCurrent: view === (network ?? "all"),
    };
  });
  return (
    <ListScreen
      live={live}
      icon="purse"
      tabs={<ViewTabs label={t("filterNetwork")} path={PATH} tabs={tabs} search={searchOf(filter)} saved={saved} />}
      filters={<Filters filter={filter} assets={page.assets} saved={saved} onSaid={setSaid} />}
      empty={page.rows.length === 0 ? <EmptyList page={page} filter={filter} /> : null}
      pages={
        <Pagination
          {...page}
          counted={counted(network ?? "all")}
          hrefOf={(number) => hrefOf(filter, { page: number })}
        />
      }
      said={said}
    >
      {page.extent === "whole" ? null : (
        <Notice tone="warning" className="mx-5 my-3">
          {t(`extent.${page.extent}`, { count: page.counts.all })}
        </Notice>
      )}
      <Sums page={page} filter={filter} />
      <DataTable label={t("title")} columns={columns} rows={page.rows} keyOf={({ id }) => id} narrow="grid" />
    </ListScreen>
  );
}

type EmptyListProps = SumsProps & { page: Pick<Wallets, "unlisted"> };

export function EmptyList({ page, filter }: EmptyListProps) {
  const t = useTranslations();
  const isFiltered = hasFilter(filter);
  if (page.unread.length > 0 && !isFiltered) return null;
  const partial = isReadWhole(page)
    ? {}
    : { filteredTitle: t("wallets.noneSoFar"), filteredBody: t("wallets.sums.partial", { count: page.sums.unread }) };
  return (
    <>
      <NoRows
        {...partial}
        icon="purse"
        isFiltered={isFiltered}
        plainHref={PLAIN_HREF}
        title={t("wallets.emptyTitle")}
        body={t("wallets.emptyBody")}
      />
      {isFiltered ? (
        <div className="px-5 pb-5 text-center">
          <Readings page={page} filter={filter} />
          {page.unlisted === 0 ? null : (
            <p className="text-sm text-warning">{t("wallets.unlisted", { count: page.unlisted })}</p>
          )}
        </div>
      ) : null}
    </>
  );
}
