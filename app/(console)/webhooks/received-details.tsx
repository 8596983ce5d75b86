"use client";

import { useLocale, useTranslations } from "next-intl";
import { CopyButton } from "@/components/table/copy-button";
import { ProviderText } from "@/components/layout/provider-text";
import { AskedFor, Fact, RecordLink, RowDetails } from "@/components/table/row-details";
import { ShownFields } from "@/components/table/unread-records";
import { formatMoment } from "@/lib/text/format";
import { formatSize } from "@/lib/text/measures";
import { hrefWith } from "@/lib/text/page";
import type { ShownBody } from "@/lib/text/shown-body";
import type { ReceivedRow } from "@/lib/webhooks/queries";

function ReceivedBody({ id }: { id: string }) {
  const t = useTranslations("received");
  return (
    <section aria-label={t("body")} className="mt-3.5 border-t border-line pt-3">
      <h3 className="text-sm text-muted">
        {t("body")} <span className="text-faint">· {t("bodyNote")}</span>
      </h3>
      <AskedFor<ShownBody | null> address={`/api/webhooks/${id}`} failed={t("bodyFailed")}>
        {(body) =>
          body === null ? <p className="mt-1 text-sm text-muted">{t("bodyGone")}</p> : <ShownFields body={body} />
        }
      </AskedFor>
    </section>
  );
}

/** A URL never holds a possible document. */
const isSeekable = (text: string) => /^(?=.*[A-Za-z])[\w.:-]{1,120}$/.test(text);

const seek = (search: string | null, label: string) =>
  search !== null && isSeekable(search) ? [{ href: hrefWith("/webhooks", { search }), label }] : [];

type ReceivedDetailsProps = { row: ReceivedRow; seesWallets: boolean };

export function ReceivedDetails({ row, seesWallets }: ReceivedDetailsProps) {
  const t = useTranslations("received");
  return (
    <RowDetails
      ways={[
        { href: `/webhooks/${row.id}`, label: t("open") },
        ...seek(row.object, t("sameObject")),
        ...seek(row.event, t("sameType")),
      ]}
      facts={<Facts row={row} seesWallets={seesWallets} />}
    >
      <p className="mt-3 text-sm text-muted">{t(`stateNotes.${row.state}`)}</p>
      <ReceivedBody id={row.id} />
    </RowDetails>
  );
}

function Facts({ row, seesWallets }: ReceivedDetailsProps) {
  const t = useTranslations("received");
  const errors = useTranslations("errors");
  const { eventId } = row;
  return (
    <>
      <Fact name={t("type")}>
        <code className="font-mono text-sm wrap-anywhere">
          {row.event === "" ? t("noType") : <ProviderText text={row.event} />}
        </code>
      </Fact>
      <Fact name={t("eventId")}>
        {eventId === null ? (
          t("noEventId")
        ) : (
          <>
            <code className="font-mono text-sm wrap-anywhere">
              <ProviderText text={eventId} />
            </code>
            <CopyButton text={eventId} label={t("copyEventId")} />
          </>
        )}
      </Fact>
      <Fact name={t("signature")}>{t(row.isByPreviousSecret ? "signedByPrevious" : "signedByCurrent")}</Fact>
      <Arrivals row={row} />
      <Moment name={t("received")} at={row.receivedAt} />
      {row.arrivals > 1 ? <Moment name={t("lastArrival")} at={row.lastAt} /> : null}
      <Fact name={t("columns.wakes")}>{row.wakes === null ? t("wakesNothing") : t(`wakes.${row.wakes}`)}</Fact>
      {row.doneAt === null || row.state !== "DONE" ? null : <Moment name={t("doneAt")} at={row.doneAt} />}
      {row.object === null ? null : (
        <Fact name={t("columns.object")}>
          <RecordLink object={row.object} seesWallets={seesWallets} />
        </Fact>
      )}
      {row.failure === null ? null : <Fact name={t("failure")}>{errors(row.failure)}</Fact>}
    </>
  );
}

function Moment({ name, at }: { name: string; at: string }) {
  const { day, time } = formatMoment(at, useLocale());
  return (
    <Fact name={name}>
      <time dateTime={at} className="tabular-nums">
        {day} {time}
      </time>
    </Fact>
  );
}

function Arrivals({ row: { arrivals, otherBodies, sizeBytes } }: { row: ReceivedRow }) {
  const t = useTranslations("received");
  const odd = otherBodies === 0 ? [] : [t("otherBodies", { count: otherBodies })];
  return (
    <>
      <Fact name={t("arrivals")}>{[t("times", { count: arrivals }), ...odd].join("; ")}</Fact>
      <Fact name={t("size")}>{formatSize(sizeBytes, useLocale())}</Fact>
    </>
  );
}
