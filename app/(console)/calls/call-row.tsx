"use client";

import { useLocale, useTranslations } from "next-intl";
import { statusCell } from "@/components/ui/status";
import type { CallFileColumn, CallRow } from "@/lib/calls/queries";
import { formatMoment } from "@/lib/text/format";
import { formatDuration } from "@/lib/text/measures";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import { deferred } from "@/components/layout/deferred";
import type { useOpenRows } from "@/components/table/use-steady-rows";
import { BELOW, type Columns, RowMoment } from "@/components/table/data-table";
import { OpenableTable } from "@/components/table/openable-table";
import { useActorName } from "@/components/table/actor-name";
import { RecordLink } from "@/components/table/row-details";
import { lookOf, MethodAndPath, Outcome, slowClass, StatusCode } from "./call-words";

const loadDetails = () => import("./call-details").then((loaded) => loaded.CallDetails);
const CallDetails = deferred(loadDetails);

type Names = Readonly<Record<string, string>>;

/** Columns of the file that the screen shows within others, or with a row's details. */
type Within = "status" | "code" | "method" | "person" | "waited" | "attempt" | "reference" | "providerReference";

function useCallColumns(names: Names, hasDays: boolean): Columns<CallRow, Exclude<CallFileColumn, Within>> {
  const t = useTranslations("calls");
  const locale = useLocale();
  const actorOf = useActorName();
  return {
    at: {
      header: t("columns.at"),
      width: "date",
      cell: ({ at }) => <RowMoment at={at} hasDay={hasDays} />,
    },
    outcome: {
      header: t("columns.outcome"),
      width: "status",
      td: (call) => ({ className: statusCell(lookOf(call)) }),
      cell: (call) => (
        <>
          <Outcome call={call} />
          <StatusCode call={call} />
        </>
      ),
    },
    call: {
      header: t("columns.call"),
      width: "text",
      td: ({ method, path }) => ({
        title: `${method} ${path}`,
        className: cn(BELOW, "py-1.5 font-mono text-sm wraps"),
      }),
      cell: (call) => (
        <>
          {call.attempt > 1 ? <Again attempt={call.attempt} /> : null}
          <MethodAndPath call={call} />
        </>
      ),
    },
    object: {
      header: t("columns.object"),
      width: "address",
      td: cn(BELOW, "py-1.5 wraps"),
      cell: ({ object }) => (object === null ? null : <RecordLink object={object} called={names[object]} />),
    },
    actor: {
      header: t("columns.actor"),
      width: "name",
      from: "widest",
      td: (call) => ({ title: actorOf(call), className: "py-1.5 wraps text-muted" }),
      cell: actorOf,
    },
    lane: {
      header: t("columns.lane"),
      width: "short",
      th: "whitespace-normal!",
      from: "widest",
      td: "text-muted whitespace-normal!",
      cell: ({ lane, waitedMs }) => (
        <>
          {t(`lanes.${lane}`)}
          {waitedMs > 0 ? <span className="text-faint">{` · ${formatDuration(waitedMs, locale)}`}</span> : null}
        </>
      ),
    },
    duration: {
      header: t("columns.duration"),
      width: "short",
      align: "end",
      td: (call) => ({ className: cn(BELOW, slowClass(call)) }),
      cell: ({ durationMs }) => formatDuration(durationMs, locale),
    },
  };
}

type CallTableProps = ReturnType<typeof useOpenRows> & { calls: readonly CallRow[]; names: Names; hasDays: boolean };

export function CallTable({ calls, names, hasDays, ...opening }: CallTableProps) {
  const t = useTranslations("calls");
  const locale = useLocale();
  return (
    <OpenableTable
      label={t("title")}
      columns={useCallColumns(names, hasDays)}
      rows={calls}
      keyOf={({ seq }) => seq}
      details={{
        ...opening,
        labelOf: ({ at }) => t("details", { time: formatMoment(at, locale).time }),
        contentOf: (call) => <CallDetails call={call} called={call.object === null ? undefined : names[call.object]} />,
        onIntent: () => void loadDetails(),
      }}
      narrow="grid"
    />
  );
}

function Again({ attempt }: { attempt: number }) {
  const t = useTranslations("calls");
  return (
    <span
      title={t("attempt", { number: attempt })}
      className="mr-2 inline-flex items-center align-bottom gap-0.5 font-sans text-sm text-warning"
    >
      <span className="sr-only">{t("attempt", { number: attempt })}</span>
      <Icon of="repeat-2" size={13} />
      <span aria-hidden>{attempt}</span>
    </span>
  );
}
