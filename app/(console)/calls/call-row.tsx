"use client";

import { useLocale, useTranslations } from "next-intl";
import type { Tone } from "@/components/ui/badge";
import { type Look, statusCell } from "@/components/ui/status";
import { SLOW_MS } from "@/lib/calls/view";
import type { CallRow } from "@/lib/calls/queries";
import { formatDuration, formatMoment } from "@/lib/text/format";
import { Icon } from "@/components/ui/icons";
import { deferred } from "@/components/layout/deferred";
import { type Column, RowMoment } from "@/components/table/data-table";
import { OpenableRow, RecordLink, useActorName } from "@/components/table/row-details";

const TONES: Record<CallRow["kind"], Tone> = {
  ok: "positive",
  held: "info",
  invalid: "neutral",
  "not-found": "neutral",
  conflict: "warning",
  "rate-limited": "warning",
  unauthenticated: "negative",
  forbidden: "negative",
  restricted: "negative",
  blocked: "negative",
  unavailable: "negative",
  malformed: "negative",
};

type Ended = Pick<CallRow, "kind" | "status">;

export const lookOf = ({ kind, status }: Ended): Look => ({
  tone: TONES[kind],
  progress: status === null ? "waiting" : "settled",
});

export function Outcome({ call }: { call: Ended }) {
  const t = useTranslations("calls");
  return call.status === null && call.kind === "unavailable" ? t("noAnswer") : t(`kinds.${call.kind}`);
}

export function StatusCode({ call: { status } }: { call: Ended }) {
  return status === null ? null : <span className="ml-2 text-sm text-faint">{status}</span>;
}

export const slowClass = ({ durationMs }: Pick<CallRow, "durationMs">): string | undefined =>
  durationMs >= SLOW_MS ? "font-medium text-warning" : undefined;

type Called = Pick<CallRow, "method" | "path">;

function MethodAndPath({ call: { method, path } }: { call: Called }) {
  return (
    <>
      <span className={method === "GET" ? "text-faint" : "font-semibold text-accent"}>{method}</span>
      {` ${path}`}
    </>
  );
}

export function CallName({ call }: { call: Called }) {
  return (
    <code className="font-mono text-sm">
      <MethodAndPath call={call} />
    </code>
  );
}

const loadDetails = () => import("./call-details").then((loaded) => loaded.CallDetails);
const CallDetails = deferred(loadDetails);

export function useCallColumns(hasDays: boolean): Column[] {
  const t = useTranslations("calls.columns");
  return [
    { header: t("at"), width: hasDays ? "w-[12.75rem]" : "w-[9.5rem]" },
    { header: t("outcome"), width: "w-[9.5rem]" },
    { header: t("call") },
    { header: t("object"), width: "w-[clamp(9.5rem,15.5cqi,13rem)]", from: "doubled" },
    { header: t("actor"), width: "w-[clamp(9rem,14.75cqi,12rem)]", from: "doubled" },
    { header: t("lane"), width: "w-[clamp(7rem,11.25cqi,9rem)]", from: "doubled" },
    { header: t("duration"), width: "w-[5.75rem]", align: "end" },
  ];
}

type CallTableRowProps = {
  call: CallRow;
  called: string | undefined;
  hasDays: boolean;
  isOpen: boolean;
  onToggle: () => void;
};

export function CallTableRow({ call, called, hasDays, isOpen, onToggle }: CallTableRowProps) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const actor = useActorName()(call);
  const { time } = formatMoment(call.at, locale);
  return (
    <OpenableRow
      label={t("details", { time })}
      head={<RowMoment at={call.at} hasDay={hasDays} />}
      isOpen={isOpen}
      onToggle={onToggle}
      onIntent={() => void loadDetails()}
      details={<CallDetails call={call} called={called} />}
    >
      <td className={statusCell(lookOf(call))}>
        <Outcome call={call} />
        <StatusCode call={call} />
      </td>
      <td title={`${call.method} ${call.path}`} className="font-mono text-sm">
        {call.attempt > 1 ? <Again attempt={call.attempt} /> : null}
        <MethodAndPath call={call} />
      </td>
      <td data-from="doubled" className="py-1.5 wrap-anywhere whitespace-normal!">
        {call.object === null ? null : <RecordLink object={call.object} called={called} />}
      </td>
      <td data-from="doubled" title={actor} className="py-1.5 wrap-anywhere whitespace-normal! text-muted">
        {actor}
      </td>
      <td data-from="doubled" className="text-muted">
        {t(`lanes.${call.lane}`)}
        {call.waitedMs > 0 ? <span className="text-faint">{` · ${formatDuration(call.waitedMs, locale)}`}</span> : null}
      </td>
      <td data-align="end" className={slowClass(call)}>
        {formatDuration(call.durationMs, locale)}
      </td>
    </OpenableRow>
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
