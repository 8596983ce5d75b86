import { useTranslations } from "next-intl";
import Link from "next/link";
import { ProviderText } from "@/components/table/provider-text";
import { Badge, type Tone } from "@/components/ui/badge";
import { type Progress, Status } from "@/components/ui/status";
import { screenOf } from "@/lib/calls/view";
import { WEBHOOK_EVENT_NAMES, type EventState } from "@/lib/webhooks/view";
import { namingHidden } from "@/lib/text/safe-link";

const LOOKS: Record<EventState, [Tone, Progress]> = {
  WAITING: ["info", "moving"],
  DONE: ["positive", "settled"],
  KEPT: ["neutral", "settled"],
  FOREIGN: ["negative", "settled"],
  GIVEN_UP: ["warning", "settled"],
};

export function EventStatus({ state }: { state: EventState }) {
  const t = useTranslations("received.states");
  const [tone, progress] = LOOKS[state];
  return (
    <Status tone={tone} progress={progress}>
      <span className="truncate">{t(state)}</span>
    </Status>
  );
}

/** The sender's words where we have none. */
export function EventName({ event }: { event: string }) {
  const t = useTranslations();
  const known = WEBHOOK_EVENT_NAMES.find((name) => name === event);
  if (known !== undefined) return t(`webhooks.events.${known}`);
  if (event === "") return <span className="text-muted">{t("received.noType")}</span>;
  return (
    <Badge tone="neutral" isDotted={false}>
      <span className="truncate">
        <ProviderText text={event} />
      </span>
    </Badge>
  );
}

const SHORT_ID = 6;

export function EventObject({ object }: { object: string | null }) {
  const t = useTranslations("received");
  if (object === null) return <span className="text-faint">–</span>;
  const screen = screenOf(object);
  if (screen === null) return <ProviderText text={object} />;
  return (
    <Link
      href={screen.href}
      prefetch={false}
      title={namingHidden(screen.id)}
      className="relative z-1 text-accent hover:underline"
    >
      {t("objectNamed", { object: t(`objects.${screen.kind}`), id: namingHidden(screen.id.slice(0, SHORT_ID)) })}
    </Link>
  );
}
