import { useTranslations } from "next-intl";
import { ONBOARDING_STATUSES } from "@/lib/contract/onboarding";
import type { EventView } from "@/lib/onboarding/queries";
import { STAGES } from "@/lib/onboarding-view";
import { providerText } from "@/lib/unknown";

type Value = EventView["detail"][string] | undefined;

/** What the provider said and the interface does not name is told as it came. */
const asItCame = (word: Value) => providerText(`${word ?? ""}`);

/** A sentence for each thing that can happen to an onboarding. */
export function useEventText(): (event: EventView) => string {
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
