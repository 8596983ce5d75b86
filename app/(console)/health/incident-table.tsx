import { useLocale, useTranslations } from "next-intl";
import { type Columns, DataTable } from "@/components/table/data-table";
import { formatAsOf, formatDateTime } from "@/lib/text/format";
import type { Health, IncidentRow } from "@/lib/health/view";
import { NarrowLabel, useWatchName } from "./watch-table";

type MailedProps = { incident: IncidentRow; hasMailServer: boolean };

/** What is known of its mails, and no more: a mail that waits was sent to nobody. */
function Mailed({ incident: { mailed, mailedEnd, waiting }, hasMailServer }: MailedProps) {
  const t = useTranslations("health.mail");
  if (waiting > 0) return t("waiting");
  if (mailed === 0 && mailedEnd === 0) return t(hasMailServer ? "none" : "off");
  return (
    <>
      {t("sent", { count: Math.max(mailed, mailedEnd) })}
      {mailed > 0 && mailedEnd > 0 ? <span className="block text-sm text-muted">{t("ended")}</span> : null}
    </>
  );
}

type IncidentTableProps = { label: string; incidents: readonly IncidentRow[]; health: Health };

export function IncidentTable({ label, incidents, health: { hasMailServer } }: IncidentTableProps) {
  const t = useTranslations("health");
  const locale = useLocale();
  const nameOf = useWatchName();
  const isOver = incidents.every(({ endedAt }) => endedAt !== null);
  const began = { header: t("columns.began"), width: "date", td: "tabular-nums text-muted" } as const;
  const columns: Columns<IncidentRow> = {
    what: {
      header: t("columns.what"),
      width: "text",
      td: "py-1.5 font-medium whitespace-normal!",
      cell: ({ kind, subject, endedAt, wellSince }) => (
        <>
          {t(`kinds.${kind}`, { name: nameOf(subject) })}
          {endedAt !== null || wellSince === null ? null : (
            <span className="block text-sm font-normal text-muted tabular-nums">
              {t("wellSince", { time: formatAsOf(wellSince, locale) })}
            </span>
          )}
        </>
      ),
    },
    began: {
      ...began,
      cell: ({ openedAt }) => (
        <>
          <NarrowLabel>{t("columns.began")}</NarrowLabel>
          {formatDateTime(openedAt, locale)}
        </>
      ),
    },
    ...(isOver && {
      ended: {
        ...began,
        header: t("columns.ended"),
        cell: ({ endedAt }: IncidentRow) => (
          <>
            <NarrowLabel>{t("columns.ended")}</NarrowLabel>
            {endedAt === null ? null : formatDateTime(endedAt, locale)}
          </>
        ),
      },
    }),
    mail: {
      header: t("columns.mail"),
      width: "address",
      td: "py-1.5 whitespace-normal!",
      cell: (incident) => (
        <>
          <NarrowLabel>{t("columns.mail")}</NarrowLabel>
          <Mailed incident={incident} hasMailServer={hasMailServer} />
        </>
      ),
    },
  };
  return <DataTable label={label} columns={columns} rows={incidents} keyOf={({ id }) => id} narrow="block" />;
}
