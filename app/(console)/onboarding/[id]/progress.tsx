import { Check, CircleDot, CircleX, Circle } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { RecordSection } from "@/components/record-columns";
import { useNamedReason } from "@/components/stale-notice";
import { cn } from "@/lib/cn";
import { formatTime } from "@/lib/format";
import type { OnboardingRecordView } from "@/lib/onboarding/queries";
import { TryAgain } from "./try-again";

type Step = OnboardingRecordView["steps"][number];

const LOOKS = {
  passed: { icon: Check, colour: "text-positive" },
  current: { icon: CircleDot, colour: "text-info" },
  refused: { icon: CircleX, colour: "text-negative" },
  ahead: { icon: Circle, colour: "text-faint" },
} as const satisfies Record<Step["state"], unknown>;

/** Where the proposal stands, who has to move, and when it is looked at again by itself. */
export function Progress({ record, denial }: { record: OnboardingRecordView; denial: string | null }) {
  const t = useTranslations("onboardingRecord");
  const { row, steps } = record;
  const isUrgent = row.whoActs === "holder" || row.whoActs === "us";
  return (
    <RecordSection id="now" title={t("now")}>
      <div className="space-y-3 border-y border-line px-5 py-3.5">
        <div>
          <p className={cn("text-md font-semibold", isUrgent && "text-warning")}>{t(`whoActs.${row.whoActs}`)}</p>
          <p className="mt-0.5 max-w-prose text-muted">
            <Why record={record} />
          </p>
        </div>
        <ol aria-label={t("steps")} className="grid gap-x-5 gap-y-1.5 sm:flex sm:flex-wrap">
          {steps.map(({ step, state }) => (
            <StepMark key={step} step={step} state={state} />
          ))}
        </ol>
        <Rhythm record={record} />
        {row.status === "ERROR" && row.whoActs !== "nobody" ? <TryAgain id={row.id} denial={denial} /> : null}
      </div>
    </RecordSection>
  );
}

function Why({ record: { row, links, messages } }: { record: OnboardingRecordView }) {
  const t = useTranslations("onboardingRecord.why");
  if (row.whoActs === "nobody") return t(row.status === "CONFIRMED" ? "done" : "superseded");
  if (row.whoActs === "provider") return t("provider");
  if (row.whoActs === "us") return t(row.status === "ERROR" ? "us-refused" : "us-unknown");
  if (row.biometric?.isSafe === false) return t("holder-unsafe");
  const hasLink = links.some(({ goneAt }) => goneAt === null);
  return t(hasLink && !messages.some(({ actionRequired }) => actionRequired) ? "holder-link" : "holder-message");
}

function StepMark({ step, state }: Step) {
  const t = useTranslations();
  const { icon: Icon, colour } = LOOKS[state];
  return (
    <li
      aria-current={state === "current" || state === "refused" ? "step" : undefined}
      className="flex items-center gap-1.5"
    >
      <Icon aria-hidden size={14} className={cn("shrink-0", colour)} />
      <span className={state === "ahead" ? "text-muted" : "font-medium"}>{t(`onboarding.stage.${step}`)}</span>
      <span className={state === "passed" || state === "ahead" ? "sr-only" : "text-sm text-muted"}>
        {t(`onboardingRecord.stepState.${state}`)}
      </span>
    </li>
  );
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

function useEvery(): (ms: number) => string {
  const t = useTranslations("onboardingRecord.every");
  return (ms) => {
    if (ms < MINUTE_MS) return t("seconds", { value: ms / SECOND_MS });
    return ms < HOUR_MS ? t("minutes", { value: ms / MINUTE_MS }) : t("hours", { value: ms / HOUR_MS });
  };
}

/** The provider may be asked often only at first: later on it is said how seldom that is. */
function Rhythm({ record: { rhythm } }: { record: OnboardingRecordView }) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  const everyOf = useEvery();
  const reason = useNamedReason(rhythm?.failure ?? null);
  if (rhythm === null) return <p className="text-sm text-muted">{t("rhythmEnded")}</p>;
  const { everyMs, nextAt, isStale } = rhythm;
  if (isStale) return <p className="text-sm font-medium text-warning">{reason ?? t("rhythmStale")}</p>;
  const told = { every: everyOf(everyMs), time: formatTime(nextAt, locale) };
  return <p className="text-sm text-muted">{everyMs < MINUTE_MS ? t("rhythm", told) : t("rhythmSlow", told)}</p>;
}
