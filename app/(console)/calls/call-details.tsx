import { useLocale, useTranslations } from "next-intl";
import { CopyButton } from "@/components/table/copy-button";
import { useActorName } from "@/components/table/actor-name";
import { Fact, RecordLink, RowDetails } from "@/components/table/row-details";
import { statusCell } from "@/components/ui/status";
import type { CallRow } from "@/lib/calls/queries";
import { formatMoment } from "@/lib/text/format";
import { formatDuration } from "@/lib/text/measures";
import { hrefWith } from "@/lib/text/page";
import { CallName, lookOf, Outcome, StatusCode } from "./call-words";

export function CallDetails({ call, called }: { call: CallRow; called: string | undefined }) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const nameOf = useActorName();
  const { day, time } = formatMoment(call.at, locale);
  const ways = [
    { href: hrefWith("/calls", { search: call.requestId }), label: t("allAttempts") },
    { href: hrefWith("/calls", { actor: call.actor }), label: t("allByActor", { name: nameOf(call) }) },
    ...(call.object === null ? [] : [{ href: hrefWith("/calls", { search: call.object }), label: t("allAbout") }]),
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
          <Fact name={t("columns.actor")}>{nameOf(call)}</Fact>
          {call.object === null ? null : (
            <Fact name={t("columns.object")}>
              <RecordLink object={call.object} called={called} />
            </Fact>
          )}
        </>
      }
    ></RowDetails>
  );
}
