"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { SaveView } from "@/app/(console)/saved-views/save-view";
import { deferred } from "@/components/layout/deferred";
import { NoRows } from "@/components/layout/empty-view";
import { NeighbourLinks } from "@/components/layout/page-header";
import { BELOW, type Columns } from "@/components/table/data-table";
import { FilterAmounts } from "@/components/table/filter-amounts";
import { FilterBar, FilterChoice } from "@/components/table/filter-bar";
import { FilterSearch } from "@/components/table/filter-search";
import { PeriodDates } from "@/components/table/filter-period";
import { FilterPresets } from "@/components/table/filter-presets";
import { OpenableTable } from "@/components/table/openable-table";
import { FilterChip } from "@/components/table/seek-box";
import { useOpenRows } from "@/components/table/use-steady-rows";
import { Notice } from "@/components/ui/notice";
import { ENTRY_WORDS } from "@/lib/accounts/view";
import { findCounterpart, findSource } from "@/lib/movements/actions";
import type { MovementFileColumn } from "@/lib/movements/queries";
import type { MovementFilter } from "@/lib/movements/inputs";
import { DIRECTIONS, LISTED_STATES, type ListedMovement as Row, type MovementPage } from "@/lib/movements/view";
import type { SavedView } from "@/lib/preferences/queries";
import { formatCount, formatDate, formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { shortAddress } from "@/lib/text/short";
import { MovementTabs } from "./movement-tabs";
import { SeekFilter } from "./seek-filter";
import {
  coinIn,
  MovedAmount,
  MovementName,
  MovementPlace,
  otherSideOf,
  Standing,
  useAssetName,
  useTypeName,
} from "./movement-words";

const PATH = "/movements";
const PLAIN_HREF = `${PATH}?view=all`;
const BESIDE_ROWS = "mx-5 my-3";
const KEY = /^(?:[0-9a-f]{8}|account):/;
const TEXT_OR_ID = "[^*]{1,120}";

/** Columns of the file that the screen shows within others, or with a row's details. */
type Within = "direction" | "asset" | "network" | "token" | "text" | "id" | "asTold" | "own" | "note";

function useColumns(): Columns<Row, Exclude<MovementFileColumn, Within>> {
  const t = useTranslations("movements.list");
  const typeName = useTypeName();
  const locale = useLocale();
  const timeOf = ({ at }: Row) =>
    at === null ? <span className="text-faint">{t("noDate")}</span> : formatDateTime(at, locale);
  return {
    at: {
      header: t("at"),
      width: "address",
      td: "tabular-nums [&_button]:max-w-full",
      cell: (row) => (
        <>
          <span className="min-w-0 @medium:hidden">
            <MovementName row={row} />
          </span>
          <span className="@max-medium:hidden">{timeOf(row)}</span>
        </>
      ),
    },
    source: {
      header: t("source"),
      width: "address",
      td: BELOW,
      cell: (row) => (
        <span className="block truncate @max-medium:text-sm @max-medium:text-muted">
          <span className="@medium:hidden">{timeOf(row)} · </span>
          <MovementPlace kind={row.kind} text={row.source.label} />
          {row.customer === null ? null : (
            <span className="@medium:line-below @max-medium:ms-1.5">{row.customer.name}</span>
          )}
          {row.returnedAt === null ? null : <span className="text-warning @medium:hidden"> · {t("returned")}</span>}
        </span>
      ),
    },
    type: {
      header: t("type"),
      width: "name",
      from: "wide",
      cell: ({ type, kind, isOwn, returnedAt }) => (
        <>
          {typeName(type)}
          {returnedAt === null ? null : (
            <span className="block text-sm whitespace-normal text-warning">{t("returned")}</span>
          )}
          {isOwn ? <span className="block text-sm whitespace-normal text-muted">{t("own", { kind })}</span> : null}
        </>
      ),
    },
    counterpart: {
      header: t("counterpart"),
      width: "text",
      from: "medium",
      th: "wraps",
      td: "truncate",
      cell: (row) => {
        const shown = <MovementPlace kind={row.kind} text={otherSideOf(row)} />;
        if (row.other === null) return shown;
        return (
          <Link href={row.other.href} prefetch={false} className="text-accent hover:underline">
            {shown}
          </Link>
        );
      },
    },
    standing: {
      header: t("standing"),
      width: "status",
      from: "wide",
      cell: (row) => <Standing standing={row.standing} />,
    },
    amount: {
      header: t("amount"),
      width: "coins",
      align: "end",
      td: "tabular-nums whitespace-normal!",
      cell: (row) => (
        <>
          <span className="font-medium">
            <MovedAmount {...row} />
          </span>
          {row.standing === "booked" ? null : (
            <span className="block @wide:hidden">
              <Standing standing={row.standing} />
            </span>
          )}
        </>
      ),
    },
  };
}

const MovementDetails = deferred(() => import("./movement-details").then((loaded) => loaded.MovementDetails));

/** A preset stays one, unless the change names days. */
export function hrefOf(filter: MovementFilter, change: Partial<MovementFilter>): string {
  const { period, from, to, ...rest } = { ...filter, before: undefined, after: undefined, ...change };
  const hasDays = period === undefined || change.from !== undefined || change.to !== undefined;
  return hrefWith(PATH, { ...(hasDays ? { from, to } : { period }), ...rest });
}

const searchOf = (filter: MovementFilter): string => hrefOf(filter, {}).slice(PATH.length + 1);

/** A provider's own words come beside them once they are asked for. */
const TYPES: readonly string[] = [...ENTRY_WORDS.type, "incoming", "outgoing"];

/** The counterparty that all of a page's rows show, if only by name; null when they differ or none tells it. */
export function soleCounterpart(rows: readonly Pick<Row, "counterpart" | "other">[]): string | null {
  const shown = rows.flatMap(({ counterpart, other }) => counterpart ?? other?.label ?? []);
  const [who = null, ...others] = new Set(shown);
  const [name = null, ...names] = new Set(shown.map((one) => one.split(" · ")[0] ?? one));
  if (others.length === 0) return who;
  return names.length === 0 ? name : null;
}

type FiltersProps = {
  filter: MovementFilter;
  named: string | null;
  counterpartName: string | null;
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
};

function Filters({ filter, named, counterpartName, saved, onSaid }: FiltersProps) {
  const t = useTranslations("movements");
  const typeName = useTypeName();
  const assetName = useAssetName();
  const { period, from, to, kind, account, wallet, direction, state, type, asset, min, max, search, counterpart } =
    filter;
  const typed = period === undefined ? { from, to } : { from: undefined, to: undefined };
  const chosen = [direction, state, type, min, max, typed.from ?? typed.to];
  return (
    <FilterBar
      path={PATH}
      params={{ kind, account, wallet, asset, counterpart }}
      cleared={{ kind, view: "all" }}
      isFiltered={[...chosen, search, asset, account, wallet, counterpart].some((one) => one !== undefined)}
      words={{ apply: t("apply"), clear: t("clear") }}
      chosen={chosen}
      before={
        <>
          <SeekFilter
            label={t("sourceSearch")}
            hint={t("sourceHint")}
            find={findSource}
            hrefOf={(found) => hrefOf(filter, { account: undefined, wallet: undefined, kind: undefined, ...found })}
          />
          <SeekFilter
            label={t("counterpartSearch")}
            hint={t("counterpartHint")}
            find={findCounterpart}
            hrefOf={({ counterpart: one }) => hrefOf(filter, { counterpart: one })}
          />
        </>
      }
      first={
        <>
          <FilterSearch value={search} label={t("searchLabel")} hint={t("searchHint")} pattern={TEXT_OR_ID} />
          <FilterPresets key={`${period} ${typed.from} ${typed.to}`} period={period} isAlwaysBounded {...typed} />
        </>
      }
      more={
        <>
          <FilterChoice
            name="direction"
            label={t("direction")}
            value={direction}
            any={t("anyDirection")}
            options={DIRECTIONS.map((value) => ({ value, label: t(`fromTo.${value}`) }))}
          />
          <FilterChoice
            name="type"
            label={t("type")}
            value={type}
            any={t("anyType")}
            options={[...new Set([...TYPES, ...(type === undefined ? [] : [type])])].map((value) => ({
              value,
              label: typeName(value),
            }))}
          />
          <FilterChoice
            name="state"
            label={t("stateLabel")}
            value={state}
            any={t("anyState")}
            options={LISTED_STATES.map((value) => ({ value, label: t(`listed.${value}`) }))}
          />
          <PeriodDates isByDay {...typed} />
          <FilterAmounts value={{ min, max }} labels={{ min: t("min"), max: t("max") }} />
        </>
      }
      beside={
        <>
          {named === null ? null : (
            <FilterChip
              href={hrefOf(filter, { account: undefined, wallet: undefined })}
              text={t("of", { source: named })}
              clear={t("ofClear")}
            />
          )}
          {asset === undefined ? null : (
            <FilterChip
              href={hrefOf(filter, { asset: undefined })}
              text={t("of", { source: assetName(coinIn(asset)) })}
              clear={t("anyAsset")}
            />
          )}
          {counterpart === undefined ? null : (
            <FilterChip
              href={hrefOf(filter, { counterpart: undefined })}
              text={t("withCounterpart", {
                who: KEY.test(counterpart) ? (counterpartName ?? t("counterpartHidden")) : shortAddress(counterpart),
              })}
              clear={t("counterpartClear")}
            />
          )}
          <SaveView area="movements" search={searchOf(filter)} plainHref={PLAIN_HREF} saved={saved} onSaid={onSaid} />
        </>
      }
    />
  );
}

const isUnread = ({ counts }: MovementPage) =>
  counts !== null && Object.values(counts).every(({ asOf }) => asOf === null);

type MovementListProps = {
  page: MovementPage;
  filter: MovementFilter;
  saved: readonly SavedView[];
  mayExport: boolean;
  children: ReactNode;
};

/** As it was when the page was opened; `children`: what is said of all that is filtered, above its rows. */
export function MovementList({ page, filter, saved, mayExport, children }: MovementListProps) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const [said, setSaid] = useState<string | null>(null);
  const columns = useColumns();
  const open = useOpenRows();
  const { rows, named, older, newer, hasWallets, searched, elsewhere } = page;
  const { from, to, period: ___, before: _, after: __, ...sifted } = filter;
  const period = `${formatDate(from, locale)} – ${formatDate(to, locale)}`;
  return (
    <>
      <div className="tabs-bar border-b border-line px-5">
        <MovementTabs
          kind={filter.kind ?? "all"}
          hasWallets={hasWallets}
          mayExport={mayExport}
          counts={page.counts}
          hrefOf={(kind) => hrefOf(filter, { kind })}
          search={searchOf(filter)}
          saved={saved}
        />
      </div>
      <Filters filter={filter} named={named} counterpartName={soleCounterpart(rows)} saved={saved} onSaid={setSaid} />
      {hasWallets ? null : (
        <Notice tone="info" className={BESIDE_ROWS}>
          {t("accountsOnly")}
        </Notice>
      )}
      {searched === null ? null : (
        <Notice tone="warning" className={BESIDE_ROWS}>
          {t("searched", { count: formatCount(searched, locale) })}
        </Notice>
      )}
      {elsewhere === null ? null : (
        <Notice tone="info" className={BESIDE_ROWS}>
          {t("elsewhere", { count: elsewhere.count })}{" "}
          <Link
            href={hrefWith(PATH, { from: elsewhere.from, to: elsewhere.to, search: filter.search })}
            prefetch={false}
            className="text-accent underline"
          >
            {t("elsewhereShow")}
          </Link>
        </Notice>
      )}
      {children}
      {rows.length === 0 ? (
        <NoRows
          icon="receipt-text"
          isFiltered={Object.values(sifted).some((one) => one !== undefined)}
          plainHref={PLAIN_HREF}
          title={t(isUnread(page) ? "listUnread" : "listEmpty")}
          body={`${t("listEmptyBody")} ${period}`}
          filteredBody={
            filter.counterpart !== undefined && KEY.test(filter.counterpart) ? t("counterpartWhole") : undefined
          }
        />
      ) : (
        <>
          <OpenableTable
            label={t("title")}
            columns={columns}
            rows={rows}
            keyOf={({ source, key }) => `${source.id} ${key}`}
            details={{
              ...open,
              labelOf: ({ id }) => t("list.open", { id: providerText(id) }),
              contentOf: (row) => (
                <MovementDetails row={row} hrefOfCounterpart={(counterpart) => hrefOf(filter, { counterpart })} />
              ),
            }}
            narrow="grid"
          />
          <NeighbourLinks
            newer={newer === null ? null : hrefOf(filter, { after: newer })}
            older={older === null ? null : hrefOf(filter, { before: older })}
          />
        </>
      )}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </>
  );
}
