import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { SettingsAreas } from "@/app/(console)/settings/areas";
import { PageHeader } from "@/components/layout/page-header";
import { type Columns, DataTable } from "@/components/table/data-table";
import { Badge } from "@/components/ui/badge";
import { getRetention, type Retention } from "@/lib/privacy/queries";
import { formatCount, formatDateTime } from "@/lib/text/format";
import { DAYS_OF_A_YEAR } from "@/lib/text/time";

const MAX_DAYS = 366;

type RetentionTableProps = { classes: Retention["classes"] };

async function RetentionTable({ classes }: RetentionTableProps) {
  const [t, locale] = await Promise.all([getTranslations("retention"), getLocale()]);
  const columns: Columns<Retention["classes"][number]> = {
    class: {
      header: t("columns.class"),
      width: "text",
      td: "py-1.5 whitespace-normal!",
      cell: ({ name }) => (
        <>
          <span className="block font-medium">{t(`classes.${name}.name`)}</span>
          <span className="block text-sm text-muted">{t(`classes.${name}.what`)}</span>
        </>
      ),
    },
    period: {
      header: t("columns.period"),
      width: "short",
      td: "tabular-nums",
      cell: ({ days }) =>
        days === null
          ? t("forGood")
          : days <= MAX_DAYS
            ? t("days", { days })
            : t("years", { years: Math.floor(days / DAYS_OF_A_YEAR) }),
    },
    how: {
      header: t("columns.how"),
      width: "name",
      from: "medium",
      td: "text-muted",
      cell: ({ days, isShort }) => (days === null ? t("never") : isShort ? t("daily") : t("byCommand")),
    },
    due: {
      header: t("columns.due"),
      width: "short",
      align: "end",
      cell: ({ days, due }) =>
        days === null ? (
          <span className="text-muted">—</span>
        ) : due === 0 ? (
          <span className="text-muted">{formatCount(0, locale)}</span>
        ) : (
          <Badge tone="warning">{formatCount(due, locale)}</Badge>
        ),
    },
  };
  return <DataTable label={t("title")} columns={columns} rows={classes} keyOf={({ name }) => name} />;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("retention"))("title") };
}

async function RetentionPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("settings:manage")) {
    return <ForbiddenView screen="settings" />;
  }
  const [{ classes, lastRunAt }, t, locale] = await Promise.all([getRetention(), getTranslations(), getLocale()]);
  return (
    <>
      <PageHeader title={t("settings.title")} lead={t("retention.lead")}>
        <span className="text-sm text-muted tabular-nums max-wide:hidden">
          {lastRunAt === null
            ? t("retention.neverRun")
            : t("retention.lastRun", { time: formatDateTime(lastRunAt, locale) })}
        </span>
      </PageHeader>
      <SettingsAreas current="data" />
      <p className="max-w-prose px-5 pt-4 pb-3 text-muted">{t("retention.explain")}</p>
      <RetentionTable classes={classes} />
      <div className="max-w-prose space-y-1.5 px-5 py-4 text-sm text-muted">
        <p>{t("retention.byOperator")}</p>
        <p>{t("retention.law")}</p>
      </div>
    </>
  );
}

export default screen("app/(console)/settings/data/page", RetentionPage);
