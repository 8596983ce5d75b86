import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { RecordSection } from "@/components/layout/record-columns";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { Notice } from "@/components/ui/notice";
import { FilterSearch } from "@/components/table/filter-search";
import { FilterPeriod } from "@/components/table/filter-period";
import { Pagination } from "@/components/table/pagination";
import { ProviderText } from "@/components/layout/provider-text";
import { MovedCoins } from "@/components/table/moved-coins";
import { ShortCode } from "@/components/table/short-code";
import { SafeLink } from "@/components/table/safe-link";
import { buttonClass } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { COINS } from "@/lib/contract/coins";
import { formatCrypto, formatDateTime } from "@/lib/text/format";
import { shortAddress, shortHash } from "@/lib/text/short";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { getHistory } from "@/lib/wallets/queries";
import { Contract, useTrouble } from "@/app/(console)/wallets/wallet-words";
import type { HistoryFilter } from "@/lib/wallets/inputs";
import type { ChainMovement, WalletHistory as History } from "@/lib/wallets/view";

function Counterparty({ of: { address, walletId, label, use, poses } }: { of: ChainMovement["counterparty"] }) {
  const t = useTranslations("wallets");
  const shown = <ProviderText text={shortAddress(address)} />;
  const said = label ?? (use === null ? null : t(`uses.${use}`));
  return (
    <>
      <span className="block font-mono text-sm wrap-anywhere whitespace-normal" title={providerText(address)}>
        {walletId === null ? (
          shown
        ) : (
          <Link href={`/wallets/${encodeURIComponent(walletId)}`} prefetch={false} className="text-accent">
            {shown}
          </Link>
        )}
      </span>
      {said === null ? null : <span className="block truncate text-sm text-muted">{said}</span>}
      {poses === null ? null : (
        <span className="block text-sm wrap-anywhere whitespace-normal text-warning">
          {t("history.poses", { address: providerText(shortAddress(poses)) })}
        </span>
      )}
    </>
  );
}

function Amount({ of: movement }: { of: ChainMovement }) {
  const { network, amount, asset, basis, direction, tokenAddress, toldFee, derivedFee } = movement;
  const t = useTranslations("wallets.history");
  const locale = useLocale();
  const fee = toldFee ?? derivedFee;
  const isNamed = basis === "told" || basis === "only";
  return (
    <>
      <span className="font-medium wrap-anywhere">
        <MovedCoins decimal={amount} unit={isNamed && asset !== null ? asset : ""} direction={direction} />
      </span>
      {tokenAddress === null ? null : (
        <span className="block">
          <Contract of={tokenAddress} />
        </span>
      )}
      {isNamed ? null : (
        <span className="block text-sm text-muted">
          {basis === "likely" ? t("assetLikely", { asset: asset ?? "" }) : t("assetUnreported")}
        </span>
      )}
      {fee === null ? null : (
        <span className="ms-auto block max-w-48 text-sm text-muted">
          {t(toldFee === null ? "derivedFee" : "toldFee", { fee: formatCrypto(fee, locale), coin: COINS[network] })}
        </span>
      )}
    </>
  );
}

function Movement({ of: { direction, subtype, network, at, state, status } }: { of: ChainMovement }) {
  const t = useTranslations("wallets");
  const locale = useLocale();
  const time = formatDateTime(at, locale);
  const isDated = state !== "unconfirmed" && state !== "undated";
  return (
    <>
      <span className="block font-medium">
        {direction === null ? <ProviderText text={subtype} /> : t(`history.directions.${direction}`)}
        <span className="font-normal text-muted">{` · ${t(`networks.${network}`)}`}</span>
      </span>
      <time dateTime={at} className="block text-sm text-muted tabular-nums">
        {isDated ? time : t("history.firstTold", { time })}
      </time>
      {state === "confirmed" ? null : (
        <span className="block text-sm text-warning">
          {t(`history.states.${state}`)}
          {status === null ? null : <ProviderText text={` (${status})`} />}
        </span>
      )}
    </>
  );
}

function OnChain({ of: { hash, explorer, blockNumber } }: { of: ChainMovement }) {
  const t = useTranslations("wallets.history");
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <ShortCode text={hash} shown={shortHash(hash)} copyLabel={t("copyHash")} />
      <span className="text-sm whitespace-nowrap text-muted tabular-nums">
        {blockNumber === null ? t("blockUnreported") : t("block", { block: blockNumber })}
      </span>
      {explorer === null ? null : <SafeLink link={explorer} />}
    </span>
  );
}

const CELL = "py-1.5 whitespace-normal!";

export function MovementTable({ movements }: { movements: readonly ChainMovement[] }) {
  const t = useTranslations("wallets.history");
  const columns: Columns<ChainMovement> = {
    movement: {
      header: t("movement"),
      width: "text",
      th: "w-[22%]",
      td: CELL,
      cell: (movement) => <Movement of={movement} />,
    },
    amount: {
      header: t("amount"),
      width: "text",
      align: "end",
      td: CELL,
      cell: (movement) => <Amount of={movement} />,
    },
    counterparty: {
      header: t("counterparty"),
      width: "text",
      th: "w-[21.5%]",
      td: BELOW,
      cell: ({ counterparty }) => (
        <>
          <span className="text-sm text-muted @medium:hidden">{t("counterparty")}</span>
          <Counterparty of={counterparty} />
        </>
      ),
    },
    hash: {
      header: t("hash"),
      width: "text",
      th: "w-[34%]",
      td: BELOW,
      cell: (movement) => <OnChain of={movement} />,
    },
  };
  return <DataTable label={t("title")} columns={columns} rows={movements} keyOf={({ id }) => id} narrow="grid" />;
}

/** Lists unread networks one by one. */
export function Readings({ readings }: { readings: History["readings"] }) {
  const t = useTranslations("wallets");
  const says = useTrouble();
  const locale = useLocale();
  return (
    <ul className="px-5 pb-2 text-sm text-muted tabular-nums">
      {readings.map(({ network, asOf, isWhole, unread, trouble, gaps }) => (
        <li key={network}>
          {t(`networks.${network}`)}
          {": "}
          {asOf === null ? t("history.neverRead") : t("history.readOn", { time: formatDateTime(asOf, locale) })}
          {"."}
          {trouble === null ? null : <span className="text-warning">{` ${says(trouble)}`}</span>}
          {asOf !== null && !isWhole ? <span className="text-warning">{` ${t("history.olderUnread")}`}</span> : null}
          {unread > 0 ? (
            <span className="text-warning">{` ${t("history.unreadEntries", { count: unread })}`}</span>
          ) : null}
          {gaps === null ? null : (
            <Notice tone="warning" className="my-1.5">
              {gaps.of.map(({ asset, sum, difference }) => (
                <p key={asset}>
                  {t("history.gap", {
                    time: formatDateTime(gaps.at, locale),
                    sum: `${formatCrypto(sum, locale)} ${providerText(asset)}`,
                    difference: `${formatCrypto(difference.replace("-", ""), locale)} ${providerText(asset)}`,
                    side: difference.startsWith("-") ? "less" : "more",
                  })}
                </p>
              ))}
              <p className="text-muted">{t("history.gapWhy")}</p>
            </Notice>
          )}
        </li>
      ))}
    </ul>
  );
}

export function HistorySkeleton() {
  const t = useTranslations("wallets.history");
  return (
    <RecordSection id="history" title={t("title")}>
      <div aria-busy className="px-5">
        <Skeleton className="h-8 w-full" />
      </div>
    </RecordSection>
  );
}

type Asked = { walletId: string; filter: HistoryFilter; scopeId: string };

/** Shows the stored history when the provider does not answer. */
export async function WalletHistory(asked: Asked) {
  const history = await getHistory(asked.walletId, asked.filter);
  return history === null ? null : <HistorySection {...asked} history={history} />;
}

function HistorySection({ walletId, history, filter, scopeId }: Asked & { history: History }) {
  const t = useTranslations("wallets");
  const path = `/wallets/${encodeURIComponent(walletId)}`;
  const { page: _, ...asked } = filter;
  const isFiltered = Object.values(asked).some((value) => value !== undefined);
  return (
    <RecordSection
      id="history"
      title={t("history.title")}
      action={
        <a
          href={hrefWith(`/api${path}/history`, { ...asked, scope: scopeId })}
          download
          aria-label={t("history.export")}
          className={buttonClass("quiet", "small")}
        >
          <Icon of="download" size={13} />
          CSV
        </a>
      }
    >
      <Readings readings={history.readings} />
      <FilterBar
        key={JSON.stringify(filter)}
        path={path}
        from="medium"
        chosen={[filter.network, filter.period, filter.from, filter.to]}
        params={{}}
        isInstant={false}
        isFiltered={isFiltered}
        words={{ apply: t("search"), clear: t("history.clear") }}
        className="px-5 pb-2"
        first={<FilterSearch value={filter.search} label={t("history.searchLabel")} hint={t("history.searchHint")} />}
        more={<FilterPeriod period={filter.period} from={filter.from} to={filter.to} />}
      >
        {history.readings.length > 1 ? (
          <FilterChoice
            name="network"
            label={t("columns.network")}
            value={filter.network}
            any={t("history.anyNetwork")}
            options={history.readings.map(({ network }) => ({ value: network, label: t(`networks.${network}`) }))}
          />
        ) : null}
      </FilterBar>
      {history.rows.length === 0 ? (
        <p className="border-t border-line px-5 py-3 text-muted">
          {isFiltered ? t("history.noMatch") : t("history.none")}
        </p>
      ) : (
        <>
          <MovementTable movements={history.rows} />
          <Pagination {...history} hrefOf={(page) => hrefWith(path, { ...asked, page })} />
        </>
      )}
    </RecordSection>
  );
}
