"use client";

import { useLocale, useTranslations } from "next-intl";
import { Checks } from "@/app/(console)/webhooks/checks";
import { KeptHeaderList } from "@/app/(console)/webhooks/kept-header-list";
import { ProviderText } from "@/components/layout/provider-text";
import { CopyButton } from "@/components/table/copy-button";
import { Fact, RowDetails } from "@/components/table/row-details";
import { formatMoment } from "@/lib/text/format";
import { formatSize } from "@/lib/text/measures";
import { hrefWith } from "@/lib/text/page";
import { ANSWERED, type RefusedRow } from "@/lib/webhooks/view";

const hasLetter = (text: string | null): text is string => text !== null && /[a-f]/.test(text);

export function RefusedDetails({ row }: { row: RefusedRow }) {
  const t = useTranslations();
  const { acceptedAs, fingerprint, headers } = row;
  return (
    <RowDetails
      ways={[
        ...(acceptedAs === null ? [] : [{ href: `/webhooks/${acceptedAs}`, label: t("refusedDeliveries.acceptedAs") }]),
        ...(hasLetter(fingerprint)
          ? [
              {
                href: hrefWith("/webhooks/refused", { search: fingerprint }),
                label: t("refusedDeliveries.sameFingerprint"),
              },
            ]
          : []),
      ]}
      facts={<Facts row={row} />}
    >
      <section aria-label={t("delivery.checks")} className="mt-3.5 border-t border-line pt-3">
        <h2 className="text-sm text-muted">{t("delivery.checks")}</h2>
        <Checks came={row} />
      </section>
      <section aria-label={t("delivery.headers")} className="mt-3.5 border-t border-line pt-3">
        <h2 className="text-sm text-muted">
          {t("delivery.headers")} <span className="text-faint">· {t("delivery.headersNote")}</span>
        </h2>
        <KeptHeaderList headers={headers} />
      </section>
    </RowDetails>
  );
}

function Facts({ row: { at, why, event, eventId, sizeBytes, fingerprint } }: { row: RefusedRow }) {
  const t = useTranslations();
  const locale = useLocale();
  const { day, time } = formatMoment(at, locale);
  return (
    <>
      <Fact name={t("refusedDeliveries.columns.at")}>
        <time dateTime={at} className="tabular-nums">
          {day} {time}
        </time>
      </Fact>
      <Fact name={t("refusedDeliveries.columns.why")}>{t(`refusedDeliveries.why.${why}`)}</Fact>
      <Fact name={t("refusedDeliveries.status")}>
        <span className="tabular-nums">HTTP {ANSWERED[why]}</span>
      </Fact>
      <Fact name={t("received.type")}>
        <code className="font-mono text-sm wrap-anywhere">
          {event === "" ? t("received.noType") : <ProviderText text={event} />}
        </code>
      </Fact>
      <Fact name={t("received.eventId")}>
        {eventId === null ? (
          t("received.noEventId")
        ) : (
          <>
            <code className="font-mono text-sm wrap-anywhere">
              <ProviderText text={eventId} />
            </code>
            <CopyButton text={eventId} label={t("received.copyEventId")} />
          </>
        )}
      </Fact>
      <Fact name={t("received.size")}>
        {sizeBytes === null ? t("refusedDeliveries.notWhole") : formatSize(sizeBytes, locale)}
      </Fact>
      {fingerprint === null ? null : (
        <Fact name={<span title={t("delivery.fingerprintNote")}>{t("delivery.fingerprint")}</span>}>
          <code className="font-mono text-sm">{fingerprint}</code>
          <CopyButton text={fingerprint} label={t("delivery.copyFingerprint")} />
        </Fact>
      )}
    </>
  );
}
