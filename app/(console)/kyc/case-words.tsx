import { useLocale, useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { formatCount, formatDateTime, unbroken } from "@/lib/text/format";
import { ageOf } from "@/components/freshness/age-of";
import { leftOf } from "@/components/freshness/left-of";
import { ProviderText } from "@/components/layout/provider-text";
import { type Look, Status } from "@/components/ui/status";
import type { KycProcessName, KycType } from "@/lib/contract/kyc";
import type { KycRow } from "@/lib/kyc/queries";
import { STATUSES } from "@/lib/kyc/view";
import { isUnknown, providerText, rawWord } from "@/lib/text/provider-word";
import { HOUR_MS } from "@/lib/text/time";

export function ReadSoFar({ count }: { count: number | null }) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  if (count === null) return null;
  return (
    <Notice tone="info" live="polite" className="mx-5 my-3">
      {t("readSoFar", { count: formatCount(count, locale) })}
    </Notice>
  );
}

type DueRow = Pick<KycRow, "dueAt" | "decidedAt">;

/** `readAt` lets server and browser render the same remaining time. */
type Reading = { readAt: string; dueSoonHours: number };

export function useDue({ readAt, dueSoonHours }: Reading): (row: DueRow) => (Look & { text: string }) | null {
  const t = useTranslations("kycQueue.due");
  const unit = useTranslations("age");
  return ({ dueAt, decidedAt }) => {
    if (dueAt === null || decidedAt !== null) return null;
    const leftMs = Date.parse(dueAt) - Date.parse(readAt);
    const isLate = leftMs < 0;
    const length = isLate ? ageOf(dueAt, Date.parse(readAt)) : leftOf(Date.parse(dueAt), Date.parse(readAt));
    const ofLength = length.unit === "now" || length.unit === "over" ? "minutes" : length.unit;
    const time = unbroken(length.value === 0 ? unit("underMinute") : unit(ofLength, { value: length.value }));
    const [tone, progress] = isLate
      ? (["negative", "settled"] as const)
      : leftMs <= dueSoonHours * HOUR_MS
        ? (["warning", "moving"] as const)
        : (["neutral", "waiting"] as const);
    return { tone, progress, text: t(isLate ? "late" : "in", { time }) };
  };
}

export function DueTag({ row, ...reading }: Reading & { row: DueRow }) {
  const due = useDue(reading)(row);
  if (due === null) return null;
  const { text, ...look } = due;
  return <Status {...look}>{text}</Status>;
}

export function EscalationMark({ row: { escalation } }: { row: Pick<KycRow, "escalation"> }) {
  const t = useTranslations("kycQueue");
  if (escalation === null) return null;
  const { taker, answer } = escalation;
  const name = taker?.name ?? "";
  return (
    <span className="text-warning">
      {" · "}
      {answer === null
        ? t("escalated", { taken: taker === null ? "no" : "yes", name })
        : t("escalationAnswered", { name })}
    </span>
  );
}

export function PutOffMark({ row: { putOff } }: { row: Pick<KycRow, "putOff"> }) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  if (putOff === null) return null;
  const { until, back } = putOff;
  return back === null ? (
    <span className="text-muted"> · {t("putOff", { time: formatDateTime(until, locale) })}</span>
  ) : (
    <span className="text-warning"> · {t("back", { why: back.why })}</span>
  );
}

export function ExposureMark({ row: { exposure } }: { row: Pick<KycRow, "exposure"> }) {
  const t = useTranslations("kycQueue");
  if (exposure !== "yes" && exposure !== "perhaps") return null;
  return <span className="text-warning"> · {t(`exposed.${exposure}`)}</span>;
}

type Doubtful = Pick<KycRow, "status" | "reopened" | "contradiction">;

export function useStatusWord(): (status: string) => string {
  const t = useTranslations("kyc.status");
  return (status) => {
    const known = STATUSES.find((one) => one === status);
    return known === undefined ? providerText(status) : t(known);
  };
}

export function DoubtMark({ row: { reopened, contradiction } }: { row: Doubtful }) {
  const t = useTranslations("kycQueue");
  const wordOf = useStatusWord();
  if (reopened === null && contradiction === null) return null;
  return (
    <span className="text-warning">
      {reopened === null ? null : ` · ${t("reopened", { from: wordOf(reopened.from) })}`}
      {contradiction === null ? null : ` · ${t("contradiction")}`}
    </span>
  );
}

export function DoubtNotices({ row, className = "" }: { row: Doubtful; className?: string }) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  const wordOf = useStatusWord();
  const { reopened, contradiction, status } = row;
  return (
    <>
      {reopened === null ? null : (
        <Notice tone="warning" className={className}>
          {t("reopened", {
            time: formatDateTime(reopened.at, locale),
            from: wordOf(reopened.from),
            to: wordOf(status),
          })}
        </Notice>
      )}
      {contradiction === null ? null : (
        <Notice tone="warning" className={className}>
          <KycStepName process={contradiction.process} />
          {": "}
          {t("contradiction", { status: wordOf(contradiction.status), other: wordOf(contradiction.other) })}
        </Notice>
      )}
    </>
  );
}

export function KycTypeName({ type }: { type: KycType }) {
  const t = useTranslations("kyc.type");
  return isUnknown(type) ? <ProviderText text={rawWord(type)} /> : t(type);
}

export function KycStepName({ process }: { process: KycProcessName }) {
  const t = useTranslations("kyc.process");
  return isUnknown(process) ? <ProviderText text={rawWord(process)} /> : t(process);
}
