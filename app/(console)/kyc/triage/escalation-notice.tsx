"use client";

import { useLocale, useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import { Notice } from "@/components/ui/notice";
import type { KycRow } from "@/lib/kyc/queries";
import { formatDateTime } from "@/lib/text/format";

const EscalationButtons = dynamic(() => import("./escalation-buttons").then((loaded) => loaded.EscalationButtons));

type Escalation = NonNullable<KycRow["escalation"]>;

type EscalationNoticeProps = {
  subject: KycRow;
  escalation: Escalation;
  /** Null where they were deleted, or the reader may not see notes. */
  texts: { question: string | null; answer: string | null };
  isSecondLevel: boolean;
};

export function EscalationNotice({ subject, escalation, texts, isSecondLevel }: EscalationNoticeProps) {
  const t = useTranslations("triage.escalate");
  const locale = useLocale();
  const { byName: name, at, taker, answer } = escalation;
  const asked = { name, time: formatDateTime(at, locale) };
  const answered = { name: taker?.name ?? "", time: formatDateTime(answer?.at ?? at, locale) };
  const { question, answer: told } = texts;
  return (
    <Notice
      tone={answer === null ? "warning" : "info"}
      className="mx-5 mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2"
    >
      <div className="min-w-0 space-y-1 wrap-anywhere whitespace-pre-line">
        <p>{question === null ? t("waits", asked) : t("waitsBecause", { ...asked, text: question })}</p>
        {answer === null ? null : (
          <p>{told === null ? t("answered", answered) : t("answeredSo", { ...answered, text: told })}</p>
        )}
        {answer !== null || taker === null ? null : (
          <p>{t("taken", { name: taker.name, time: formatDateTime(taker.since, locale) })}</p>
        )}
      </div>
      {escalation.isOpen ? (
        <EscalationButtons subject={subject} escalation={escalation} isSecondLevel={isSecondLevel} />
      ) : null}
    </Notice>
  );
}
