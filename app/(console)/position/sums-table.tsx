import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Amount } from "@/components/layout/amount";
import { RecordSection } from "@/components/layout/record-columns";
import { type Column, DataTable } from "@/components/table/data-table";
import type { Position } from "@/lib/position/queries";
import { idOfSum, type PositionSum } from "@/lib/position/view";
import { POSITION_KINDS, type SumKey } from "@/lib/db/enums/position";
import { formatAsOf, formatBrl, formatDate, isZero } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { SumAmount, useSumName } from "./position-words";
import { OPENED_ID } from "./opened-sum";
import { RateButton } from "./rate-button";

type SumsTableProps = {
  position: Position;
  rateDenial: string | null;
  opened: SumKey | null;
  hrefOf: (key: SumKey) => string;
};

/** One table a kind: what belongs to different people is not added up. */
export function SumsTable({ position, rateDenial, opened, hrefOf }: SumsTableProps) {
  const t = useTranslations("position");
  const locale = useLocale();
  const { sums, against } = position;
  const openedId = opened === null ? null : idOfSum(opened);
  return POSITION_KINDS.flatMap((kind) => {
    const own = sums.filter((sum) => sum.kind === kind);
    if (own.length === 0) return [];
    const columns: Column[] = [
      { header: t("columns.what") },
      { header: t("columns.amount"), width: "w-[max(24cqi,11.5rem)]", align: "end" },
      {
        header: against === null ? t("columns.difference") : t("columns.since", { day: formatDate(against, locale) }),
        width: "w-[max(22cqi,11.5rem)]",
        align: "end",
      },
      ...(kind === "account" ? [] : [{ header: t("columns.value"), width: "w-[22cqi]", align: "end" } as const]),
    ];
    return [
      <RecordSection key={kind} id={`position-${kind}`} title={t(`kinds.${kind}`)}>
        <DataTable label={t(`kinds.${kind}`)} columns={columns} isStacked>
          {own.map((sum) => (
            <SumRow
              key={idOfSum(sum)}
              sum={sum}
              rateDenial={rateDenial}
              isOpened={idOfSum(sum) === openedId}
              href={`${hrefOf(sum)}#${OPENED_ID}`}
            />
          ))}
        </DataTable>
      </RecordSection>,
    ];
  });
}

/** In place of the header where each row is a block of cells. */
function NarrowLabel({ children }: { children: string }) {
  return (
    <span aria-hidden className="me-1.5 text-sm text-muted @min-[38rem]:hidden">
      {children}
    </span>
  );
}

type SumRowProps = { sum: PositionSum; rateDenial: string | null; isOpened: boolean; href: string };

function SumRow({ sum, rateDenial, isOpened, href }: SumRowProps) {
  const t = useTranslations("position");
  const locale = useLocale();
  const nameOf = useSumName();
  const { amount, unread, oldestAt, difference, isDifferencePartial, isGone } = sum;
  return (
    <tr aria-current={isOpened || undefined} className="aria-[current]:bg-accent-tint">
      <td className="py-1.5 whitespace-normal!">
        {sum.asset === "" ? (
          <span className="font-medium">{nameOf(sum)}</span>
        ) : (
          <Link href={href} prefetch={false} aria-current={isOpened || undefined} className="row-link font-medium">
            {nameOf(sum)}
          </Link>
        )}
        <span className="block text-sm text-muted tabular-nums">
          {oldestAt === null ? t(isGone ? "gone" : "neverRead") : t("oldest", { time: formatAsOf(oldestAt, locale) })}
        </span>
        {unread === 0 ? null : <span className="block text-sm text-warning">{t("unread", { count: unread })}</span>}
      </td>
      <td data-align="end" className="tabular-nums wrap-anywhere whitespace-normal!">
        <NarrowLabel>{t("columns.amount")}</NarrowLabel>
        {amount === null ? (
          <span className="text-muted">{t("unknown")}</span>
        ) : (
          <>
            <SumAmount sum={sum} decimal={amount} />
            {unread === 0 ? null : <span className="block text-sm text-warning">{t("notWhole")}</span>}
          </>
        )}
      </td>
      <td data-align="end" className="tabular-nums wrap-anywhere whitespace-normal!">
        <NarrowLabel>{t("columns.difference")}</NarrowLabel>
        {difference === null ? (
          <span className="text-muted">{t("unknown")}</span>
        ) : (
          <SumAmount
            sum={sum}
            decimal={difference}
            sign={difference.startsWith("-") || isZero(difference) ? "" : "+"}
          />
        )}
        {isDifferencePartial ? <span className="block text-sm text-warning">{t("notWhole")}</span> : null}
      </td>
      {sum.kind === "account" ? null : <ValueCell sum={sum} rateDenial={rateDenial} />}
    </tr>
  );
}

function ValueCell({ sum, rateDenial }: Pick<SumRowProps, "sum" | "rateDenial">) {
  const t = useTranslations("position");
  const locale = useLocale();
  const { rate, value, network, asset, token } = sum;
  return (
    <td data-align="end" className="tabular-nums wrap-anywhere whitespace-normal!">
      <NarrowLabel>{t("columns.value")}</NarrowLabel>
      {rate === null || value === null ? (
        <span className="block text-muted">{t("noRate")}</span>
      ) : (
        <>
          <span className="block">
            <Amount number={formatBrl(value, locale)} />
          </span>
          <span className="block text-sm text-muted">
            {t("rateFrom", {
              rate: formatBrl(rate.value, locale),
              day: formatDate(rate.day, locale),
              source: providerText(rate.source),
            })}
          </span>
        </>
      )}
      {rateDenial !== null || asset === "" ? null : <RateButton asset={{ network, asset, token }} />}
    </td>
  );
}
