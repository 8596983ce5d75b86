import { getLocale, getTranslations } from "next-intl/server";
import { type Column, DataTable } from "@/components/data-table";
import { Badge } from "@/components/ui/badge";
import { formatCount } from "@/lib/format";
import type { Retention } from "@/lib/privacy/queries";

const DAYS_OF_A_YEAR = 365.25;
const MOST_DAYS = 366;

type RetentionTableProps = { classes: Retention["classes"] };

/** What is kept, for how long, and how much of it the next run would take. */
export async function RetentionTable({ classes }: RetentionTableProps) {
  const [t, locale] = await Promise.all([getTranslations("retention"), getLocale()]);
  const columns: Column[] = [
    { header: t("columns.class") },
    { header: t("columns.period"), width: "w-[clamp(5rem,16cqi,11rem)]" },
    { header: t("columns.how"), width: "w-[clamp(8rem,20cqi,13rem)]", from: "medium" },
    { header: t("columns.due"), width: "w-[clamp(5.5rem,14cqi,9rem)]", align: "end" },
  ];
  return (
    <DataTable label={t("title")} columns={columns}>
      {classes.map(({ name, days, isShort, due }) => (
        <tr key={name}>
          <td className="py-1.5 whitespace-normal!">
            <span className="block font-medium">{t(`classes.${name}.name`)}</span>
            <span className="block text-sm text-muted">{t(`classes.${name}.what`)}</span>
          </td>
          <td className="tabular-nums">
            {days === null
              ? t("forGood")
              : days <= MOST_DAYS
                ? t("days", { days })
                : t("years", { years: Math.floor(days / DAYS_OF_A_YEAR) })}
          </td>
          <td data-from="medium" className="text-muted">
            {days === null ? t("never") : isShort ? t("daily") : t("byCommand")}
          </td>
          <td data-align="end">
            {days === null ? (
              <span className="text-muted">—</span>
            ) : due === 0 ? (
              <span className="text-muted">{formatCount(0, locale)}</span>
            ) : (
              <Badge tone="warning">{formatCount(due, locale)}</Badge>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
