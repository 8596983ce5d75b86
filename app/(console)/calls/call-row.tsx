"use client";

import { useLocale, useTranslations } from "next-intl";
import type { Tone } from "@/components/ui/badge";
import { type Look, statusCell } from "@/components/ui/status";
import { SLOW_MS } from "@/lib/calls/view";
import type { CallRow } from "@/lib/calls/queries";
import { formatDuration, formatMoment } from "@/lib/text/format";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import { CopyButton } from "@/components/table/copy-button";
import { BELOW, type Column, RowMoment, WIDE_ONLY } from "@/components/table/data-table";
import { Fact, OpenableRow, RecordLink, RowDetails } from "@/components/table/row-details";
import { hrefWith } from "@/lib/text/page";

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

function StatusCode({ call: { status } }: { call: Ended }) {
  return status === null ? null : <span className="ml-2 text-sm text-faint">{status}</span>;
}

export const slowClass = ({ durationMs }: Pick<CallRow, "durationMs">): string | undefined =>
  durationMs >= SLOW_MS ? "font-medium text-warning" : undefined;

const WATCHES = ["kyc", "onboarding", "wallets", "token", "transfers", "webhooks"] as const;

export function useActorName(): (call: Pick<CallRow, "actor" | "byName">) => string {
  const t = useTranslations("calls");
  return ({ actor, byName }) => {
    if (byName !== null) return byName;
    const watch = actor.replace(/^watch:/, "");
    const known = WATCHES.find((name) => name === watch);
    return t("byWatch", { name: known ? t(`watches.${known}`) : watch });
  };
}

export function CallName({ call }: { call: Pick<CallRow, "method" | "path"> }) {
  return (
    <code className="font-mono text-sm">
      <span className={call.method === "GET" ? "text-faint" : "font-semibold text-accent"}>{call.method}</span>{" "}
      {call.path}
    </code>
  );
}

function CallDetails({ call }: { call: CallRow }) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const nameOf = useActorName();
  const { day, time } = formatMoment(call.at, locale);
  const isSystem = call.byName === null;
  const ways = [
    { href: hrefWith("/calls", { sought: call.requestId }), label: t("allAttempts") },
    { href: hrefWith("/calls", { actor: call.actor }), label: t("allByActor", { name: nameOf(call) }) },
    ...(call.object === null ? [] : [{ href: hrefWith("/calls", { sought: call.object }), label: t("allAbout") }]),
  ];
  return (
    <RowDetails
      ways={ways}
      facts={
        <>
          <Fact name={t("reference")}>
            <code className="font-mono text-sm wrap-anywhere">{call.requestId}</code>
            <CopyButton text={call.requestId} label={t("copyReference")} />
          </Fact>
          {call.providerRequestId === null ? null : (
            <Fact name={t("providerReference")}>
              <code className="font-mono text-sm wrap-anywhere">{call.providerRequestId}</code>
              <CopyButton text={call.providerRequestId} label={t("copyProviderReference")} />
            </Fact>
          )}
          <Fact name={t("columns.call")}>
            <CallName call={call} />
          </Fact>
          <Fact name={t("columns.outcome")}>
            <span className={statusCell(lookOf(call))}>
              <Outcome call={call} />
              <StatusCode call={call} />
            </span>
          </Fact>
          {call.code === null ? null : (
            <Fact name={t("code")}>
              <code className="font-mono text-sm wrap-anywhere">{call.code}</code>
            </Fact>
          )}
          <Fact name={t("atName")}>
            {day} {time}
          </Fact>
          <Fact name={t("columns.duration")}>{formatDuration(call.durationMs, locale)}</Fact>
          <Fact name={t("waitName")}>{formatDuration(call.waitedMs, locale)}</Fact>
          <Fact name={t("laneName")}>{t(`lanes.${call.lane}`)}</Fact>
          <Fact name={t("attemptName")}>{call.attempt}</Fact>
          <Fact name={t("columns.actor")}>
            {isSystem ? <code className="font-mono text-sm">{call.actor}</code> : call.byName}
          </Fact>
          {call.object === null ? null : (
            <Fact name={t("columns.object")}>
              <RecordLink object={call.object} />
            </Fact>
          )}
        </>
      }
    ></RowDetails>
  );
}

export function useCallColumns(hasDays: boolean): Column[] {
  const t = useTranslations("calls.columns");
  return [
    { header: t("at"), width: hasDays ? "w-[12.75rem]" : "w-[9.5rem]" },
    { header: t("outcome"), width: "w-[11rem]" },
    { header: t("call") },
    { header: t("object"), width: "w-[clamp(6rem,11.5cqi,11rem)]", from: "wide" },
    { header: t("actor"), width: "w-[clamp(10rem,16.5cqi,12rem)]", from: "wide" },
    { header: t("lane"), width: "w-[clamp(5.5rem,10.5cqi,9rem)]", from: "wide" },
    { header: t("duration"), width: "w-[5.75rem]", align: "end", from: "medium" },
  ];
}

type CallTableRowProps = {
  call: CallRow;
  hasDays: boolean;
  isOpen: boolean;
  onToggle: () => void;
};

export function CallTableRow({ call, hasDays, isOpen, onToggle }: CallTableRowProps) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const nameOf = useActorName();
  const { time } = formatMoment(call.at, locale);
  return (
    <OpenableRow
      label={t("details", { time })}
      head={<RowMoment at={call.at} hasDay={hasDays} />}
      isOpen={isOpen}
      onToggle={onToggle}
      details={<CallDetails call={call} />}
    >
      <td className={cn(BELOW, statusCell(lookOf(call)))}>
        <Outcome call={call} />
        <StatusCode call={call} />
      </td>
      <td title={`${call.method} ${call.path}`} className={BELOW}>
        {call.attempt > 1 ? <Again attempt={call.attempt} /> : null}
        <CallName call={call} />
      </td>
      <td data-from="wide" className={WIDE_ONLY}>
        {call.object === null ? null : <RecordLink object={call.object} />}
      </td>
      <td data-from="wide" className={cn(WIDE_ONLY, "text-muted")}>
        {nameOf(call)}
      </td>
      <td data-from="wide" className={cn(WIDE_ONLY, "text-muted")}>
        {t(`lanes.${call.lane}`)}
        {call.waitedMs > 0 ? <span className="text-faint"> · {formatDuration(call.waitedMs, locale)}</span> : null}
      </td>
      <td data-from="medium" data-align="end" className={slowClass(call)}>
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
      className="mr-2 inline-flex items-center align-bottom gap-0.5 text-sm text-warning"
    >
      <span className="sr-only">{t("attempt", { number: attempt })}</span>
      <Icon of="repeat-2" size={13} />
      <span aria-hidden>{attempt}</span>
    </span>
  );
}
