import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { AddressQr } from "@/app/(console)/wallets/address-qr";
import { MakeButton } from "@/app/(console)/wallets/make-wallet";
import { FamilyName } from "@/app/(console)/wallets/wallet-words";
import { RefusedWrites } from "@/app/(console)/outcomes/refused-writes";
import { listRefusedOfWallets } from "@/lib/outcomes/queries";
import { PageHeader } from "@/components/layout/page-header";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/table/copy-button";
import { type Columns, DataTable } from "@/components/table/data-table";
import { EmptyFilterView, EmptyView } from "@/components/layout/empty-view";
import { FilterBar } from "@/components/table/filter-bar";
import { FilterSearch } from "@/components/table/filter-search";
import { Pagination } from "@/components/table/pagination";
import { ProviderText } from "@/components/layout/provider-text";
import { formatDateTime } from "@/lib/text/format";
import { shortAddress } from "@/lib/text/short";
import { hrefWith } from "@/lib/text/page";
import { type DepositAddresses, listDepositAddresses, listUnconfirmedWallets } from "@/lib/wallets/queries";
import { AddressFilter } from "@/lib/wallets/inputs";
import type { DepositAddress } from "@/lib/wallets/view";
import { ImportAddressesButton } from "./import-addresses";
import { UnconfirmedWallets } from "./unconfirmed-wallets";

// A document must never appear in a URL: a search of digits alone has at most eight.
const REFERENCE_OR_ADDRESS = "[\\p{N} .:@\\/#+_\\-]*\\p{L}[\\p{L}\\p{N} .:@\\/#+_\\-]*|\\d{1,8}";
const PATH = "/wallets/addresses";

function Address({ deposit: { address, walletId } }: { deposit: DepositAddress }) {
  const t = useTranslations("wallets");
  const shown = <ProviderText text={shortAddress(address)} />;
  return (
    <span className="flex items-center gap-1 font-mono text-sm">
      {walletId === null ? (
        shown
      ) : (
        <Link
          href={`/wallets/${encodeURIComponent(walletId)}`}
          prefetch={false}
          className="text-accent hover:underline"
        >
          {shown}
        </Link>
      )}
      <CopyButton text={address} label={t("copyAddress")} />
    </span>
  );
}

function AddressTable({ found }: { found: DepositAddresses }) {
  const t = useTranslations("walletForm");
  const common = useTranslations("common");
  const locale = useLocale();
  const columns: Columns<DepositAddress> = {
    reference: {
      header: t("reference"),
      width: "text",
      td: "font-medium",
      cell: ({ reference, isUnopened }) => reference ?? (isUnopened ? common("unopened") : null),
    },
    customer: {
      header: t("customer"),
      width: "name",
      cell: ({ customer }) => customer ?? <span className="text-faint">{t("noCustomer")}</span>,
    },
    network: { header: t("network"), width: "short", cell: ({ family }) => <FamilyName family={family} /> },
    address: { header: t("address"), width: "address", cell: (deposit) => <Address deposit={deposit} /> },
    made: {
      header: t("made"),
      width: "text",
      td: "text-muted tabular-nums",
      cell: ({ byName, at }) => t("madeAt", { name: byName, time: formatDateTime(at, locale) }),
    },
    qr: {
      header: t("showQr"),
      width: "action",
      align: "end",
      isHeaderHidden: true,
      cell: (deposit) => <AddressQr deposit={deposit} />,
    },
  };
  return (
    <DataTable
      label={t("addresses")}
      columns={columns}
      rows={found.rows}
      keyOf={({ intentId }) => intentId}
      narrow="block"
    />
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("walletForm"))("addresses") };
}

async function AddressesPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("wallets:read")) return <ForbiddenView screen="wallets" />;
  const filter = AddressFilter.parse(await searchParams);
  const { search } = filter;
  const [found, requests, denial, t] = await Promise.all([
    listDepositAddresses(filter),
    listUnconfirmedWallets(),
    deniedReason(scope.permissions, "wallets:create"),
    getTranslations(),
  ]);
  return (
    <>
      <LiveRefresh topics={["wallets", "outcomes"]} everyMinute={requests.length > 0} />
      <PageHeader title={t("walletForm.addresses")} parent={{ href: "/wallets", label: t("wallets.title") }}>
        <ImportAddressesButton denial={denial} />
        <MakeButton kind="address" denial={denial} />
      </PageHeader>
      {denial === null ? <UnconfirmedWallets requests={requests} /> : null}
      <RefusedWrites read={listRefusedOfWallets(null)} />
      <FilterBar
        path={PATH}
        params={{}}
        isFiltered={search !== undefined}
        words={{ apply: t("wallets.search"), clear: t("wallets.clear") }}
        first={
          <FilterSearch
            value={search}
            label={t("walletForm.searchLabel")}
            hint={t("walletForm.searchHint")}
            pattern={REFERENCE_OR_ADDRESS}
          />
        }
      />
      {found.rows.length > 0 ? <AddressTable found={found} /> : null}
      {found.rows.length === 0 && search === undefined ? (
        <EmptyView icon="purse" title={t("walletForm.noneTitle")} body={t("walletForm.noneBody")} />
      ) : null}
      {found.rows.length === 0 && search !== undefined ? <EmptyFilterView icon="purse" href={PATH} /> : null}
      <Pagination {...found} hrefOf={(number) => hrefWith(PATH, { search, page: number })} />
    </>
  );
}

export default screen("app/(console)/wallets/addresses/page", AddressesPage);
