"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { FailureText } from "@/components/layout/failure-text";
import { useRefresh } from "@/components/live/live-refresh";
import { useStaffId } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { takeEscalation, withdrawEscalation } from "@/lib/kyc/actions";
import { caseCan } from "@/lib/kyc/can";
import type { KycRow } from "@/lib/kyc/queries";

const AnswerDialog = deferred(() => import("./note-dialog").then((loaded) => loaded.AnswerDialog));

type EscalationButtonsProps = {
  subject: KycRow;
  escalation: NonNullable<KycRow["escalation"]>;
  isSecondLevel: boolean;
};

export function EscalationButtons({ subject, escalation, isSecondLevel }: EscalationButtonsProps) {
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
