import { Icon, type IconName } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { PersonName } from "@/components/layout/person-name";
import { RecordSection, RecordColumns } from "@/components/layout/record-columns";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { ONBOARDING_STATUSES } from "@/lib/contract/onboarding";
import { type EventView, getOnboarding, type OnboardingRecordView } from "@/lib/onboarding/queries";
import { STAGES } from "@/lib/db/enums/onboarding";
import { formatDateTime, formatTime } from "@/lib/text/format";
import { shortId } from "@/lib/text/short";
import { providerText } from "@/lib/text/provider-word";
import { getTranslations, getLocale } from "next-intl/server";
import { DoneNotice } from "@/components/layout/confirmation";
import { NotFoundView } from "@/components/layout/empty-view";
import type { Metadata } from "next";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { Notes } from "@/app/(console)/notes/notes";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { AccessLog } from "@/app/(console)/privacy/access-log";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { Notice } from "@/components/ui/notice";
import { addOnboardingNote, retractOnboardingNote } from "@/lib/onboarding/actions";
import { Attempts } from "./attempts";
import { BiometricLink } from "./biometric-link";
import { CheckButton } from "./record-actions";
import { Details, Diagnostics, Holder, Progress, Related } from "./holder";

type Value = EventView["detail"][string] | undefined;

/** Unknown words appear as written. */
const asItCame = (word: Value) => providerText(`${word ?? ""}`);

function useEventText(): (event: EventView) => string {
  const t = useTranslations();
  const statusOf = (word: Value): string => {
    const status = ONBOARDING_STATUSES.find((known) => known === word);
    return status === undefined ? asItCame(word) : t(`onboarding.status.${status}`);
  };
  const stageOf = (word: Value): string => {
    const stage = STAGES.find((known) => known === word);
    return stage === undefined ? t("onboardingRecord.otherProcess") : t(`onboarding.stage.${stage}`);
  };
  return ({ kind, detail }) =>
    t(`onboardingRecord.event.${kind}`, {
      status: statusOf(detail["status"]),
      from: kind === "moved" ? statusOf(detail["from"]) : stageOf(detail["from"]),
      to: kind === "moved" ? statusOf(detail["to"]) : stageOf(detail["to"]),
      stage: stageOf(detail["stage"]),
      times: Number(detail["times"] ?? 1),
      process: stageOf(detail["process"]),
      required: detail["required"] === true ? "yes" : "no",
    });
}

const ICONS: Record<EventView["kind"], IconName> = {
  seen: "eye",
  moved: "arrow-right-left",
  stage: "route",
  returned: "undo-2",
  message: "message-square",
  "link-appeared": "link-2",
  "link-changed": "link-2",
  "link-gone": "link-2off",
  "link-shown": "qr-code",
  "link-copied": "copy",
  "account-opened": "banknote",
  requested: "plus",
  followed: "plus",
  "attempt-linked": "repeat-2",
  "attempt-unlinked": "repeat-2",
  noted: "notebook-pen",
  "note-retracted": "notebook-pen",
  "file-added": "file-plus",
  "file-removed": "file-x",
};

function Timeline({ events }: { events: readonly EventView[] }) {
  const t = useTranslations("onboardingRecord");
  return (
    <RecordSection id="timeline" title={t("timeline")}>
      {events.length === 0 ? (
        <p className="border-y border-line px-5 py-3 text-muted">{t("timelineNone")}</p>
      ) : (
        <ol className="border-y border-line py-1.5">
          {events.map((event) => (
            <Event key={event.id} event={event} />
          ))}
        </ol>
      )}
    </RecordSection>
  );
}

function Event({ event }: { event: EventView }) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  const textOf = useEventText();
  const icon = ICONS[event.kind];
  return (
    <li className="flex items-start gap-2.5 px-5 py-1.5">
      <Icon of={icon} size={14} className={cn("mt-0.75 shrink-0", event.isNew ? "text-warning" : "text-faint")} />
      <p className="min-w-0 flex-1 wrap-anywhere">
        {textOf(event)}
        {event.byName === null ? null : (
          <span className="text-muted">
            {" · "}
            <PersonName name={t("byName", { name: event.byName })} you={event.isMine ? t("byYou") : null} />
          </span>
        )}
        {event.isNew ? (
          <span className="ml-2 align-middle">
            <Badge tone="warning" isDotted={false}>
              {t("newEvent")}
            </Badge>
          </span>
        ) : null}
      </p>
      <time dateTime={event.at} className="shrink-0 text-sm text-muted tabular-nums">
        {formatDateTime(event.at, locale)}
      </time>
    </li>
  );
}

async function Created() {
  const t = await getTranslations("accountForm");
  return <DoneNotice said={t("created")} />;
}

export async function generateMetadata({ params }: OnboardingPageProps): Promise<Metadata> {
  const { id } = await params;
  return { title: `${(await getTranslations("onboarding"))("one")} ${shortId(id)}` };
}

type OnboardingPageProps = {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, unknown>>;
};

async function OnboardingRecordPage({ params, searchParams }: OnboardingPageProps) {
  const { id } = await params;
  const { known, created } = await searchParams;
  const [scope, record, t, locale] = await Promise.all([
    requireScope(),
    getOnboarding(id),
    getTranslations(),
    getLocale(),
  ]);
  if (!record) return <NotFoundView />;
  const [revealDenial, followDenial, createDenial] = await Promise.all([
    deniedReason(scope.permissions, "pii:reveal"),
    deniedReason(scope.permissions, "onboarding:follow"),
    deniedReason(scope.permissions, "onboarding:create"),
  ]);
  const { row } = record;
  return (
    <>
      <LiveRefresh topics={["onboarding"]} object={row.id} />
      <PageHeader title={row.document} parent={{ href: "/onboarding", label: t("onboarding.title") }}>
        <span className="text-sm text-muted tabular-nums max-wide:hidden">
          {t("onboarding.checked", { time: formatTime(row.checkedAt, locale) })}
        </span>
        <CheckButton key={row.id} id={row.id} />
      </PageHeader>
      {created === "yes" ? <Created /> : null}
      {known === "yes" ? (
        <Notice tone="info" className="mx-5 mb-3">
          {t("onboarding.alreadyFollowed")}
        </Notice>
      ) : null}
      <RecordColumns
        aside={
          <>
            <Details record={record} denial={revealDenial} />
            <Attempts key={row.id} record={record} denial={followDenial} />
            <Related record={record} />
            <Diagnostics record={record} />
            <ObjectCalls kind="onboarding" id={row.id} />
            <AccessLog kind="onboarding" id={row.id} search={await searchParams} />
          </>
        }
      >
        <Progress record={record} denial={createDenial} />
        <Holder key={row.id} record={record} denial={followDenial} />
        <BiometricLink key={row.id} record={record} denial={followDenial} />
        <TeamNotes record={record} denial={followDenial} />
        <Timeline events={record.events} />
      </RecordColumns>
    </>
  );
}

async function TeamNotes({ record, denial }: { record: OnboardingRecordView; denial: string | null }) {
  const t = await getTranslations("casework");
  const { row, notes } = record;
  if (!notes.isReadable) {
    return (
      <RecordSection id="notes" title={t("notes")}>
        <p className="border-y border-line px-5 py-3 text-muted">{t("hidden", { count: notes.count })}</p>
      </RecordSection>
    );
  }
  return (
    <Notes
      id={row.id}
      notes={notes.notes}
      denial={denial}
      heldReason={null}
      add={addOnboardingNote}
      retract={retractOnboardingNote}
    />
  );
}

export default screen("app/(console)/onboarding/[id]/page", OnboardingRecordPage);
