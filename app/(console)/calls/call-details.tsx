import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/copy-button";
import type { CallRow } from "@/lib/calls/queries";
import { formatDuration, formatMoment } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import { CallName, CallObjectLink, CallOutcome, useActorName } from "./call-words";

/** Everything the log knows of one call, and the ways on from it. */
export function CallDetails({ call }: { call: CallRow }) {
  const t = useTranslations("calls");
  const locale = useLocale();
  const nameOf = useActorName();
  const { day, time } = formatMoment(call.at, locale);
  const isSystem = call.byName === null;
  const ways = [
    { sought: call.requestId, label: t("allAttempts") },
    { actor: call.actor, label: t("allByActor", { name: nameOf(call) }) },
    ...(call.object === null ? [] : [{ sought: call.object, label: t("allAbout") }]),
  ];
  return (
    <div className="w-[100cqi] border-b border-line bg-canvas px-5 py-3.5 whitespace-normal">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(18.5rem,100%),1fr))] gap-x-6 gap-y-3">
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
          <CallOutcome call={call} />
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
            <CallObjectLink object={call.object} />
          </Fact>
        )}
      </dl>
      <ul className="mt-3.5 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {ways.map(({ label, ...values }) => (
          <li key={label}>
            <Link
              href={hrefWith("/calls", values)}
              prefetch={false}
              className="inline-flex min-h-6 items-center text-accent hover:underline"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1">{children}</dd>
    </div>
  );
}
