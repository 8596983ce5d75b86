import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { Checks } from "@/app/(console)/webhooks/checks";
import { EventStatus } from "@/app/(console)/webhooks/event-status";
import { KeptHeaderList } from "@/app/(console)/webhooks/kept-header-list";
import { ReplayButton } from "@/app/(console)/webhooks/replay-button";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { NotFoundView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { ProviderText } from "@/components/layout/provider-text";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { LiveRefresh } from "@/components/live/live-refresh";
import { CopyButton } from "@/components/table/copy-button";
import { RecordLink } from "@/components/table/row-details";
import { type Look, Status } from "@/components/ui/status";
import type { ReplayItemState } from "@/lib/db/enums/webhooks";
import { formatDateTime } from "@/lib/text/format";
import { formatSize } from "@/lib/text/measures";
import { shortId } from "@/lib/text/short";
import { type Delivery, type DeliveryReplay, getDelivery } from "@/lib/webhooks/queries";
import { ReceivedFilter } from "@/lib/webhooks/inputs";

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="tabular-nums">
      {formatDateTime(at, useLocale())}
    </time>
  );
}

function Code({ text, copy }: { text: string; copy?: string }) {
  return (
    <>
      <code className="font-mono text-sm wrap-anywhere">
        <ProviderText text={text} />
      </code>
      {copy === undefined ? null : <CopyButton text={text} label={copy} />}
    </>
  );
}

function Facts({ delivery: { row, fingerprint }, seesWallets }: { delivery: Delivery; seesWallets: boolean }) {
  const t = useTranslations();
  const { event, eventId, state, wakes, object, failure, doneAt, receivedAt, sizeBytes } = row;
  return (
    <DescriptionList>
      <Described name={t("received.columns.state")}>
        <EventStatus state={state} />
        <span className="basis-full text-sm text-muted">{t(`received.stateNotes.${state}`)}</span>
      </Described>
      {failure === null ? null : <Described name={t("received.failure")}>{t(`errors.${failure}`)}</Described>}
      <Described name={t("received.received")}>
        <Moment at={receivedAt} />
      </Described>
      {doneAt === null || state !== "DONE" ? null : (
        <Described name={t("received.doneAt")}>
          <Moment at={doneAt} />
        </Described>
      )}
      <Described name={t("received.columns.wakes")}>
        {wakes === null ? t("received.wakesNothing") : t(`received.wakes.${wakes}`)}
      </Described>
      {object === null ? null : (
        <Described name={t("received.columns.object")}>
          <RecordLink object={object} seesWallets={seesWallets} />
        </Described>
      )}
      <Described name={t("received.type")}>{event === "" ? t("received.noType") : <Code text={event} />}</Described>
      <Described name={t("received.eventId")}>
        {eventId === null ? t("received.noEventId") : <Code text={eventId} copy={t("received.copyEventId")} />}
      </Described>
      <Attempts delivery={row} />
      <Described name={t("received.size")}>{formatSize(sizeBytes, useLocale())}</Described>
      <Described name={t("delivery.fingerprint")} title={t("delivery.fingerprintNote")}>
        <Code text={fingerprint} copy={t("delivery.copyFingerprint")} />
      </Described>
    </DescriptionList>
  );
}

function Attempts({ delivery: { arrivals, otherBodies, lastAt } }: { delivery: Delivery["row"] }) {
  const t = useTranslations("received");
  const odd = otherBodies === 0 ? [] : [t("otherBodies", { count: otherBodies })];
  return (
    <>
      <Described name={t("arrivals")}>{[t("times", { count: arrivals }), ...odd].join("; ")}</Described>
      {arrivals > 1 ? (
        <Described name={t("lastArrival")}>
          <Moment at={lastAt} />
        </Described>
      ) : null}
    </>
  );
}

const LOOKS: Readonly<Record<ReplayItemState, Look>> = {
  WAITING: { tone: "info", progress: "moving" },
  DONE: { tone: "positive", progress: "settled" },
  FAILED: { tone: "warning", progress: "settled" },
  STOPPED: { tone: "neutral", progress: "settled" },
};

function Replays({ replays }: { replays: readonly DeliveryReplay[] }) {
  const t = useTranslations();
  const locale = useLocale();
  return (
    <ol className="divide-y divide-line border-y border-line">
      {replays.map(({ replayId, byName, at, state, failure }) => (
        <li key={replayId} className="px-5 py-2">
          <Status {...LOOKS[state]}>{t(`replays.itemStates.${state}`)}</Status>
          <p className="text-sm text-muted">
            {t("delivery.replayBy", { name: byName, time: formatDateTime(at, locale) })}
          </p>
          {failure === null ? null : <p className="text-sm text-muted">{t(`errors.${failure}`)}</p>}
        </li>
      ))}
    </ol>
  );
}

function Part({ children }: { children: ReactNode }) {
  return <div className="px-5">{children}</div>;
}

function Content({ body, isCut }: Pick<Delivery, "body" | "isCut">) {
  const t = useTranslations("delivery");
  const received = useTranslations("received");
  if (body === null) return <p className="px-5 text-sm text-muted">{t("bodySealed")}</p>;
  return (
    <Part>
      <p className="text-sm text-muted">{received("bodyNote")}</p>
      <pre className="mt-2 rounded border border-line bg-canvas p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        <ProviderText text={body} />
      </pre>
      {isCut ? <p className="mt-1 text-sm text-muted">{t("bodyCut")}</p> : null}
    </Part>
  );
}

export async function generateMetadata({ params }: { params: Promise<{ id: string }> }): Promise<Metadata> {
  const { id } = await params;
  return { title: `${(await getTranslations("delivery"))("title")} ${shortId(id)}` };
}

async function DeliveryPage({ params }: { params: Promise<{ id: string }> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("webhooks:read")) return <ForbiddenView screen="webhooks" />;
  const { id } = await params;
  const [delivery, t] = await Promise.all([getDelivery(id), getTranslations()]);
  if (delivery === null) return <NotFoundView />;
  const { row, headers, body, isCut, replays, denial } = delivery;
  const notNow = denial === null ? null : t(`failures.${denial.code}`);
  const replayDenial = (await deniedReason(scope.permissions, "webhooks:replay")) ?? notNow;
  const replayed = { delivery: row.id, filter: ReceivedFilter.parse({}) };
  return (
    <>
      <LiveRefresh topics={["webhooks"]} />
      <PageHeader
        title={`${t("delivery.title")} ${shortId(row.id)}`}
        parent={{ href: "/webhooks", label: t("webhooks.title") }}
      >
        <ReplayButton scope={replayed} denial={replayDenial} />
      </PageHeader>
      <RecordColumns
        aside={
          <>
            <RecordSection id="checks" title={t("delivery.checks")}>
              <Part>
                <p className="text-sm text-muted">{t("delivery.checksNote")}</p>
                <Checks came={row} />
              </Part>
            </RecordSection>
            <RecordSection
              id="replays"
              title={t("delivery.replays")}
              {...(replays.length === 0 && { empty: t("delivery.replaysNone") })}
            >
              {replays.length === 0 ? undefined : <Replays replays={replays} />}
            </RecordSection>
          </>
        }
      >
        <RecordSection id="facts" title={t("delivery.facts")}>
          <Facts delivery={delivery} seesWallets={scope.permissions.includes("wallets:read")} />
        </RecordSection>
        <RecordSection id="headers" title={t("delivery.headers")}>
          <Part>
            <p className="text-sm text-muted">
              {t(headers === null ? "delivery.headersBefore" : "delivery.headersNote")}
            </p>
            {headers === null ? null : <KeptHeaderList headers={headers} />}
          </Part>
        </RecordSection>
        <RecordSection
          id="body"
          title={t("received.body")}
          action={body === null ? null : <CopyButton text={body} label={t("delivery.copyBody")} />}
        >
          <Content body={body} isCut={isCut} />
        </RecordSection>
      </RecordColumns>
    </>
  );
}

export default screen("app/(console)/webhooks/[id]/page", DeliveryPage);
