import { useLocale, useMessages, useTranslations } from "next-intl";
import { EmptyView } from "@/components/layout/empty-view";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { ageOf } from "@/components/freshness/age-of";
import { ProviderText } from "@/components/layout/provider-text";
import type { WatchName } from "@/lib/permission/watches";
import { formatAsOf, formatDateTime, formatTime } from "@/lib/text/format";
import type { Health, WatchVerdict } from "@/lib/health/view";
import { VerdictStatus } from "./verdict-status";

/** A watch of another version has a name and no word. */
export function useWatchName(): (name: string) => string {
  const t = useTranslations("actors");
  const { watches } = useMessages().actors;
  const isKnown = (name: string): name is WatchName => Object.hasOwn(watches, name);
  return (name) => (isKnown(name) ? t(`watches.${name}`) : name);
}

const CELL = "py-1.5 whitespace-normal!";
const HALF_A_DAY_MS = 12 * 60 * 60_000;

/** Where the header is not shown. */
export function NarrowLabel({ children }: { children: string }) {
  return <span className="text-sm text-muted @medium:hidden">{children} </span>;
}

const TOLD = ["unavailable", "rate-limited", "restricted", "forbidden", "malformed"] as const;

function LastError({ failure }: Pick<WatchVerdict, "failure">) {
  const t = useTranslations("health");
  const locale = useLocale();
  if (failure === null) return <span className="text-muted">{t("noError")}</span>;
  const { kind, code, since } = failure;
  const word = kind === null ? "unexpected" : (TOLD.find((told) => told === kind) ?? "refused");
  return (
    <>
      <span className="wrap-anywhere">{t(`errors.${word}`)}</span>
      <span className="block text-sm wrap-anywhere text-muted">
        {t("errorSince", { time: formatDateTime(since, locale) })}
        {code === null ? null : (
          <>
            {" · "}
            <ProviderText text={code} />
          </>
        )}
      </span>
    </>
  );
}

export function WatchTable({ health: { judged, reading } }: { health: Health }) {
  const t = useTranslations("health");
  const ages = useTranslations("age");
  const locale = useLocale();
  const nameOf = useWatchName();
  const atMs = Date.parse(reading.at);
  const before = (ms: number) => ageOf(new Date(atMs - ms).toISOString(), atMs, true);
  const columns: Columns<WatchVerdict> = {
    watch: {
      header: t("columns.watch"),
      width: "text",
      td: `${CELL} font-medium`,
      cell: ({ name, intervalMs }) => (
        <>
          <span className="block first-letter:uppercase">{nameOf(name)}</span>
          <span className="block text-sm font-normal text-muted">{t("every", before(intervalMs))}</span>
        </>
      ),
    },
    state: {
      header: t("columns.state"),
      width: "status",
      td: `${CELL} *:whitespace-normal!`,
      cell: ({ verdict }) => <VerdictStatus verdict={verdict} />,
    },
    success: {
      header: t("columns.success"),
      width: "action",
      td: `${CELL} tabular-nums`,
      cell: ({ asOf }) => (
        <>
          <NarrowLabel>{t("columns.success")}</NarrowLabel>
          {asOf === null ? <span className="text-muted">{t("never")}</span> : formatAsOf(asOf, locale)}
        </>
      ),
    },
    lag: {
      header: t("columns.lag"),
      width: "short",
      align: "end",
      td: "tabular-nums",
      cell: ({ lagMs }) => {
        const { unit, value } = before(lagMs);
        return (
          <>
            <NarrowLabel>{t("columns.lag")}</NarrowLabel>
            {ages(unit, { value })}
          </>
        );
      },
    },
    next: {
      header: t("columns.next"),
      width: "short",
      align: "end",
      from: "medium",
      td: `${CELL} tabular-nums`,
      cell: ({ nextAt }) => {
        if (nextAt === null || Date.parse(nextAt) <= atMs) return t("due");
        return Date.parse(nextAt) - atMs > HALF_A_DAY_MS ? formatDateTime(nextAt, locale) : formatTime(nextAt, locale);
      },
    },
    error: {
      header: t("columns.error"),
      width: "text",
      td: `${CELL} ${BELOW}`,
      cell: ({ failure }) => (
        <>
          <NarrowLabel>{t("columns.error")}</NarrowLabel>
          <LastError failure={failure} />
        </>
      ),
    },
  };
  if (judged.watches.length === 0) return <EmptyView icon="pulse" title={t("noWatches")} body={t("noWatchesBody")} />;
  return (
    <DataTable label={t("watches")} columns={columns} rows={judged.watches} keyOf={({ name }) => name} narrow="grid" />
  );
}
