import {
  ArrowRightLeft,
  Banknote,
  Copy,
  Eye,
  FilePlus,
  FileX,
  Link2,
  Link2Off,
  type LucideIcon,
  MessageSquare,
  NotebookPen,
  Plus,
  QrCode,
  Repeat2,
  Route,
  Undo2,
} from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { PersonName } from "@/components/layout/person-name";
import { RecordSection } from "@/components/layout/record-columns";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { ONBOARDING_STATUSES } from "@/lib/contract/onboarding";
import type { EventView } from "@/lib/onboarding/queries";
import { STAGES } from "@/lib/onboarding/view";
import { formatDateTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/typed";

type Value = EventView["detail"][string] | undefined;

/** Unknown words stand as they came. */
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

const ICONS: Record<EventView["kind"], LucideIcon> = {
  seen: Eye,
  moved: ArrowRightLeft,
  stage: Route,
  returned: Undo2,
  message: MessageSquare,
  "link-appeared": Link2,
  "link-changed": Link2,
  "link-gone": Link2Off,
  "link-shown": QrCode,
  "link-copied": Copy,
  "account-opened": Banknote,
  requested: Plus,
  followed: Plus,
  "attempt-linked": Repeat2,
  "attempt-unlinked": Repeat2,
  noted: NotebookPen,
  "note-retracted": NotebookPen,
  "file-added": FilePlus,
  "file-removed": FileX,
};

export function Timeline({ events }: { events: readonly EventView[] }) {
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
  const Icon = ICONS[event.kind];
  return (
    <li className="flex items-start gap-2.5 px-5 py-1.5">
      <Icon aria-hidden size={14} className={cn("mt-0.75 shrink-0", event.isNew ? "text-warning" : "text-faint")} />
      <p className="min-w-0 flex-1 wrap-anywhere">
        {textOf(event)}
        {event.byName === null ? null : (
          <span className="text-muted">
            {" "}
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
