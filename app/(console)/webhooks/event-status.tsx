import { useTranslations } from "next-intl";
import type { Tone } from "@/components/ui/badge";
import { type Progress, Status } from "@/components/ui/status";
import type { EventState } from "@/lib/db/enums/webhooks";

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
