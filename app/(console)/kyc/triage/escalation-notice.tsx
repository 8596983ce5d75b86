"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { FailureText } from "@/components/layout/failure-text";
import { useRefresh } from "@/components/live/live-refresh";
import { useStaffId } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { takeEscalation, withdrawEscalation } from "@/lib/kyc/actions";
import { caseCan } from "@/lib/kyc/can";
import type { KycRow } from "@/lib/kyc/queries";
import { formatDateTime } from "@/lib/text/format";

const AnswerDialog = deferred(() => import("./note-dialog").then((loaded) => loaded.AnswerDialog));

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

type EscalationButtonsProps = Pick<EscalationNoticeProps, "subject" | "escalation" | "isSecondLevel">;

function EscalationButtons({ subject, escalation, isSecondLevel }: EscalationButtonsProps) {
  const t = useTranslations("triage.escalate");
  const me = useStaffId();
  const refresh = useRefresh();
  const taking = useAction(takeEscalation);
  const withdrawing = useAction(withdrawEscalation);
  const [isAnswering, setAnswering] = useState(false);
  const { id: escalationId, byId, taker } = escalation;
  const { kycUUID, assignee } = subject;
  const failure = taking.failure ?? withdrawing.failure;
  const mayTake = isSecondLevel && taker?.id !== me && caseCan.takeEscalation({ isMine: byId === me }) === null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {failure ? <FailureText failure={failure} /> : null}
      {taker === null && assignee?.id === me ? (
        <Button
          size="small"
          isBusy={withdrawing.pending}
          onClick={() => withdrawing.run({ kycUUID, escalationId }, refresh)}
        >
          {t("withdraw")}
        </Button>
      ) : null}
      {mayTake ? (
        <Button
          size="small"
          isBusy={taking.pending}
          onClick={() => taking.run({ kycUUID, escalationId, takeFrom: taker?.id ?? null }, refresh)}
        >
          {taker === null ? t("take") : t("takeOver", { name: taker.name })}
        </Button>
      ) : null}
      {isSecondLevel && taker?.id === me ? (
        <Button size="small" tone="primary" onClick={() => setAnswering(true)}>
          {t("answer")}
        </Button>
      ) : null}
      {isAnswering ? (
        <AnswerDialog subject={subject} escalationId={escalationId} onClose={() => setAnswering(false)} />
      ) : null}
    </div>
  );
}
