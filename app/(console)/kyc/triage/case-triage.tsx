"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { useRefresh } from "@/components/use-refresh";
import type { KycRow } from "@/lib/kyc/queries";
import { CaseHolder } from "./case-holder";
import { NEXT_BUTTON_ID, NextButton } from "./next-button";
import { TakenOver } from "./taken-over";
import { useCaseKeys } from "./use-case-keys";
import { loadDecisionDialog } from "./use-decision";
import { useTriage } from "./use-triage";

type CaseTriageProps = {
  subject: KycRow;
  /** The address of the list that it stands in. */
  queue: string;
  /** Why the person may not work cases; null when they may. */
  denial: string | null;
  /** Whether shortcuts of one key are on. */
  shortcuts: boolean;
  reasonLimit: number;
};

/** Who has the case and what can be done with it, by pointer and by keyboard: one line at the top of its page. */
export function CaseTriage({ subject, queue, denial, shortcuts, reasonLimit }: CaseTriageProps) {
  const approvals = useTranslations("approvals");
  const [decisions, setDecisions] = useState(0);
  const refresh = useRefresh();
  const triage = useTriage({
    shortcuts,
    reasonLimit,
    onDecided: () => {
      setDecisions(decisions + 1);
      refresh();
    },
    onChanged: refresh,
  });
  const { proposal } = subject;
  const hindrance = denial ?? (proposal && approvals("alreadyWaits", { name: proposal.makerName }));
  const isOver = decisions > 0 || subject.status === "APPROVED" || subject.status === "REPROVED";
  useCaseKeys({ subject, queue, isOn: shortcuts, denial, hindrance, isOver, triage });
  useFocusOnNext(decisions);
  return (
    <>
      {triage.hint}
      <CaseHolder subject={subject} denial={denial} handing={triage.handing} onSaid={triage.say} />
      <DecideButton
        subject={subject}
        hindrance={hindrance}
        isPrimary={!isOver}
        onDecide={() => triage.begin(subject)}
      />
      <NextButton next={triage.next} denial={denial} isPrimary={isOver} />
      {triage.front}
      <TakenOver subject={subject} />
    </>
  );
}

/** After a decision the person stands before the next case. */
function useFocusOnNext(decisions: number): void {
  useEffect(() => {
    if (decisions === 0) return undefined;
    // After the dialog, which gives the focus back to what opened it once it is gone.
    const timer = setTimeout(() => document.getElementById(NEXT_BUTTON_ID)?.focus(), 0);
    return () => clearTimeout(timer);
  }, [decisions]);
}

const load = () => void loadDecisionDialog();

type DecideButtonProps = { subject: KycRow; hindrance: string | null; isPrimary: boolean; onDecide: () => void };

function DecideButton({ subject, hindrance, isPrimary, onDecide }: DecideButtonProps) {
  const t = useTranslations("kyc");
  const { status, needsSecond } = subject;
  const again = needsSecond ? t("askReview") : t("decideAgain");
  const label = status === "APPROVED" || status === "REPROVED" ? again : t("decide");
  if (hindrance !== null) {
    return (
      <DeniedButton reason={hindrance} className={buttonClass("plain")}>
        {label}
      </DeniedButton>
    );
  }
  return (
    <Button tone={isPrimary ? "primary" : "plain"} onClick={onDecide} onFocus={load} onPointerEnter={load}>
      {label}
    </Button>
  );
}
