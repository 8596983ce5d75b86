import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { Amount } from "@/components/layout/amount";
import { RecordSection } from "@/components/layout/record-columns";
import { type Columns, DataTable } from "@/components/table/data-table";
import { Fold } from "@/components/ui/fold";
import type { Position } from "@/lib/position/queries";
import {
  bySize,
  groupWord,
  idOfSum,
  isAtZero,
  isByNetwork,
  kindWord,
  POSITION_GROUPS,
  type PositionSum,
} from "@/lib/position/view";
import { isInReais, type PositionKind, type SumKey } from "@/lib/db/enums/position";
import { formatAsOf, formatBrl, formatDate, isZero, plusOf } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { SupplyDoubt, useMoment, usePlaceName, useSumName } from "./position-words";
import { SumAmount } from "./sum-amount";
import { RateButton } from "./rate-button";

type SumsTableProps = {
  position: Position;
  rateDenial: string | null;
  opened: SumKey | null;
  hrefOf: (key: SumKey) => string;
};

/** Nothing is known of its network yet, not even which assets are there. */
const isUntouched = ({ asset, token, amount, unread }: PositionSum) =>
  asset === "" && token === "" && amount === null && unread > 0;

/** One table a kind, our own first, since different owners' funds are never added. */
export function SumsTable({ position, rateDenial, opened, hrefOf }: SumsTableProps) {
  const t = useTranslations("position");
  const placeOf = usePlaceName();
  const openedId = opened === null ? null : idOfSum(opened);
  const isOpened = (sum: PositionSum) => idOfSum(sum) === openedId || undefined;
  const columns = useSumColumns(position, (sum) => <SumHead sum={sum} isOpened={isOpened(sum)} href={hrefOf(sum)} />);
  const numbers = { width: "text", th: "wraps", align: "end", td: NUMBER } as const;
  const valued: Columns<PositionSum> = {
    ...columns,
    amount: {
      ...columns.amount,
      th: "wraps @max-wide:w-[23%]",
      cell: (sum) => (
        <>
          <Balance sum={sum} />
          {sum.difference !== null && isZero(sum.difference) && !sum.isDifferencePartial ? null : (
            <span className="block text-sm text-muted @wide:hidden">
              <span className={sum.difference === null ? undefined : "@medium:sr-only"}>
                {`${t("columns.difference")} `}
              </span>
              <Difference sum={sum} />
            </span>
          )}
        </>
      ),
    },
    difference: { ...columns.difference, from: "wide" },
    rate: {
      ...numbers,
      header: t("columns.rate"),
      cell: (sum) => <Rate sum={sum} day={position.day} rateDenial={rateDenial} />,
    },
    value: { ...numbers, header: t("columns.value"), cell: (sum) => <Value sum={sum} /> },
  };
  const tableOf = (kind: PositionKind, label: string, sums: readonly PositionSum[]) =>
    sums.length === 0 ? null : (
      <DataTable
        label={label}
        columns={isInReais(kind) ? columns : valued}
        rows={sums}
        keyOf={idOfSum}
        tr={(sum) => ({ "aria-current": isOpened(sum), className: "aria-[current]:bg-accent-tint" })}
        narrow="block"
      />
    );
  const sectionOf = (kind: PositionKind) => {
    const sums = position.sums.filter((sum) => sum.kind === kind).toSorted(bySize);
    if (sums.length === 0) return null;
    const name = t(`kinds.${kindWord(kind, position)}`);
    const isFolded = (sum: PositionSum) => !isInReais(kind) && isAtZero(sum) && isOpened(sum) === undefined;
    const folded = sums.filter(isFolded);
    const unread = sums.filter(isUntouched);
    const placed = unread.map((sum) => t("unreadOn", { network: placeOf(sum), count: sum.unread }));
    const atZero = t("atZero", { count: folded.length });
    return (
      <RecordSection key={kind} id={`position-${kind}`} title={name}>
        {kind === "account" && !position.tellsOwn ? (
          <p className="px-5 pb-2 text-sm text-muted">{t("ownUntold")}</p>
        ) : null}
        {tableOf(
          kind,
          name,
          sums.filter((sum) => !isFolded(sum) && !isUntouched(sum)),
        )}
        {unread.length === 0 ? null : (
          <p className="px-5 py-2 text-sm text-warning">{t("assetsUnread", { networks: placed.join(" · ") })}</p>
        )}
        {folded.length === 0 ? null : (
          <Fold summary={atZero} tone="px-5 py-1.5 text-sm text-muted hover:text-ink">
            {tableOf(kind, `${name} · ${atZero}`, folded)}
          </Fold>
        )}
      </RecordSection>
    );
  };
  const sumsOf = (kinds: readonly PositionKind[]) => position.sums.filter(({ kind }) => kinds.includes(kind));
  return POSITION_GROUPS.filter(({ kinds }) => sumsOf(kinds).length > 0).map(({ group, kinds }) => (
    <section key={group} aria-labelledby={`position-${group}-group`}>
      <h2 id={`position-${group}-group`} className="border-t border-line px-5 pt-5 text-md font-semibold">
        {t(`groups.${groupWord(group, position)}`)}
      </h2>
      {isByNetwork(sumsOf(kinds)) ? <p className="px-5 pt-1 text-sm text-muted">{t("byNetwork")}</p> : null}
      {kinds.map(sectionOf)}
    </section>
  ));
}

const NUMBER = "py-1.5 tabular-nums wraps";

type Against = Pick<Position, "day" | "against" | "againstMoment">;

function useSumColumns(
  { day, against, againstMoment }: Against,
  headOf: (sum: PositionSum) => ReactNode,
): Columns<PositionSum, "what" | "amount" | "difference"> {
  const t = useTranslations("position");
  const momentOf = useMoment();
  return {
    what: { header: t("columns.what"), width: "text", th: "w-[36%] @wide:w-[28%]", td: "py-1.5 wraps", cell: headOf },
    amount: {
      header: t("columns.amount"),
      width: "text",
      th: "wraps",
      align: "end",
      td: NUMBER,
      cell: (sum) => <Balance sum={sum} />,
    },
    difference: {
      header:
        against === null
          ? t("columns.difference")
          : t(against > day ? "columns.from" : "columns.since", { day: momentOf(against, againstMoment) }),
      width: "text",
      th: "wraps",
      align: "end",
      td: NUMBER,
      cell: (sum) => (
        <>
          <NarrowLabel>{t("columns.difference")}</NarrowLabel>
          <Difference sum={sum} />
        </>
      ),
    },
  };
}

function Balance({ sum }: { sum: PositionSum }) {
  const t = useTranslations("position");
  return (
    <>
      <NarrowLabel>{t("columns.amount")}</NarrowLabel>
      {sum.amount === null ? (
        <span className="text-muted">{t("unknown")}</span>
      ) : (
        <>
          <SumAmount sum={sum} decimal={sum.amount} />
          {sum.unread === 0 ? null : <span className="block text-sm text-warning">{t("notWhole")}</span>}
          <SupplyDoubt sum={sum} />
        </>
      )}
    </>
  );
}

/** Replaces the header on narrow windows. */
function NarrowLabel({ children }: { children: string }) {
  return (
    <span aria-hidden className="me-1.5 text-sm text-muted @medium:hidden">
      {children}
    </span>
  );
}

type SumHeadProps = { sum: PositionSum; isOpened: true | undefined; href: string };

function SumHead({ sum, isOpened, href }: SumHeadProps) {
  const t = useTranslations("position");
  const locale = useLocale();
  const name = useSumName()(sum);
  const { asset, token, amount, oldestAt, isGone, unread } = sum;
  const unreadWord = isGone ? "gone" : amount === null ? "neverRead" : "notThen";
  return (
    <>
      {asset === "" && token === "" ? (
        <span className="font-medium">{name}</span>
      ) : (
        <Link href={href} scroll={false} prefetch={false} aria-current={isOpened} className="row-link font-medium">
          {name}
        </Link>
      )}
      <span className="block text-sm text-muted tabular-nums">
        {oldestAt === null ? t(unreadWord) : t("oldest", { time: formatAsOf(oldestAt, locale) })}
      </span>
      {unread === 0 ? null : <span className="block text-sm text-warning">{t("unread", { count: unread })}</span>}
    </>
  );
}

function Difference({ sum }: { sum: PositionSum }) {
  const t = useTranslations("position");
  const { difference, isDifferencePartial } = sum;
  return (
    <>
      {difference === null ? (
        <span className="text-muted">{t("unknown")}</span>
      ) : (
        <SumAmount sum={sum} decimal={difference} sign={plusOf(difference)} />
      )}
      {isDifferencePartial ? <span className="block text-sm text-warning">{t("notWhole")}</span> : null}
    </>
  );
}

type RateProps = { sum: PositionSum; day: string; rateDenial: string | null };

function Rate({ sum: { rate, network, asset, token }, day, rateDenial }: RateProps) {
  const t = useTranslations("position");
  const locale = useLocale();
  const source =
    rate === null ? null : t("rateFrom", { day: formatDate(rate.day, locale), source: providerText(rate.source) });
  return (
    <>
      <span className="inline-flex max-w-full items-center gap-1">
        <span>
          <NarrowLabel>{t("columns.rate")}</NarrowLabel>
          {rate === null ? (
            <span className="text-muted">{t("noRate")}</span>
          ) : (
            <Amount number={formatBrl(rate.value, locale)} />
          )}
        </span>
        {rateDenial !== null || (asset === "" && token === "") ? null : (
          <RateButton asset={{ network, asset, token }} day={day} />
        )}
      </span>
      {source === null ? null : (
        <span className="block text-sm text-muted @medium:line-clamp-2" title={source}>
          {source}
        </span>
      )}
    </>
  );
}

function Value({ sum: { value } }: { sum: PositionSum }) {
  const t = useTranslations("position.columns");
  const locale = useLocale();
  if (value === null) return <span className="cell-dash @max-medium:hidden" />;
  return (
    <>
      <NarrowLabel>{t("value")}</NarrowLabel>
      <Amount number={formatBrl(value, locale)} />
    </>
  );
}
