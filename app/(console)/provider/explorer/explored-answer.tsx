"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { lookOf, Outcome, StatusCode } from "@/app/(console)/calls/call-words";
import { DifferenceBadge, DifferenceNote, FieldName } from "@/app/(console)/provider/difference-words";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { ProviderText } from "@/components/layout/provider-text";
import { CopyButton } from "@/components/table/copy-button";
import { ShownFields } from "@/components/table/unread-records";
import { Notice } from "@/components/ui/notice";
import { Status } from "@/components/ui/status";
import type { Explored } from "@/lib/conformance/view";
import { formatTime } from "@/lib/text/format";
import { formatDuration, formatSize } from "@/lib/text/measures";
import { hrefWith } from "@/lib/text/page";

function Part({ title, note, children }: { title: ReactNode; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="border-b border-line px-5 py-4">
      <h3 className="flex items-center gap-1.5 font-medium">
        {title}
        {note}
      </h3>
      <div className="mt-2">{children}</div>
    </section>
  );
}

function Verdict({ explored: { kind, verdict } }: { explored: Explored }) {
  const t = useTranslations("explorer");
  if (kind !== "ok") return <p className="text-sm text-muted">{t("refused")}</p>;
  if (verdict === null) return <p className="text-sm text-muted">{t("unjudged")}</p>;
  if (verdict.length === 0) return <Notice tone="positive">{t("sound")}</Notice>;
  return (
    <>
      <p>{t("differs", { count: verdict.length })}</p>
      <ul className="mt-1.5 space-y-1.5">
        {verdict.map((one) => (
          <li key={`${one.is} ${one.field} ${one.found}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <DifferenceBadge is={one.is} />
            <FieldName field={one.field} />
            <span className="text-sm text-muted">
              <DifferenceNote {...one} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Facts({ explored }: { explored: Explored }) {
  const t = useTranslations("explorer");
  const locale = useLocale();
  const { durationMs, waitedMs, sizeBytes, requestId, said } = explored;
  return (
    <DescriptionList>
      <Described name={t("facts.outcome")}>
        <Status {...lookOf(explored)}>
          <Outcome call={explored} />
          <StatusCode call={explored} />
        </Status>
      </Described>
      {said === "" ? null : (
        <Described name={t("facts.said")}>
          <ProviderText text={said} />
        </Described>
      )}
      {durationMs === null ? null : (
        <Described name={t("facts.duration")}>{formatDuration(durationMs, locale)}</Described>
      )}
      {waitedMs === null ? null : <Described name={t("facts.waited")}>{formatDuration(waitedMs, locale)}</Described>}
      {sizeBytes === null ? null : <Described name={t("facts.size")}>{formatSize(sizeBytes, locale)}</Described>}
      <Described name={t("facts.reference")}>
        <code className="font-mono text-sm wrap-anywhere">{requestId}</code>
        <CopyButton text={requestId} label={t("copyReference")} />
        <Link href={hrefWith("/calls", { search: requestId })} prefetch={false} className="text-accent hover:underline">
          {t("seeCall")}
        </Link>
      </Described>
    </DescriptionList>
  );
}

export function ExploredAnswer({ explored }: { explored: Explored }) {
  const t = useTranslations("explorer");
  const locale = useLocale();
  const { operation, asOf, curl, body } = explored;
  return (
    <>
      <div className="px-5 py-4">
        <h2 className="font-mono text-sm font-semibold wrap-anywhere">{operation}</h2>
        <p className="text-sm text-muted tabular-nums">{t("asked", { time: formatTime(asOf, locale) })}</p>
      </div>
      <Facts explored={explored} />
      <Part title={t("verdict")}>
        <Verdict explored={explored} />
      </Part>
      <Part title={t("curl")} note={<CopyButton text={curl} label={t("copyCurl")} />}>
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls, also by keys
          tabIndex={0}
          aria-label={t("curl")}
          className="overflow-x-auto rounded border border-line bg-canvas p-3 font-mono text-sm"
          translate="no"
        >
          {curl}
        </pre>
        <p className="mt-1.5 text-sm text-muted">{t("curlNote")}</p>
      </Part>
      {body === null ? null : (
        <Part title={t("body")} note={<span className="text-sm font-normal text-faint">· {t("bodyNote")}</span>}>
          <ShownFields body={body} hasPaths />
        </Part>
      )}
    </>
  );
}
