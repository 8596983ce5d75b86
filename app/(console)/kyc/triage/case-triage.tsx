"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { isAbout, useLive } from "@/components/live/live-provider";
import { useQuietRead } from "@/components/session/use-read";
import { useRefresh } from "@/components/live/live-refresh";
import { useStaffId } from "@/components/session/scope";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";
import { Notice } from "@/components/ui/notice";
import type { Holder } from "@/lib/errors/result";
import { caseCan } from "@/lib/kyc/can";
import type { KycRow } from "@/lib/kyc/queries";
import { formatDateTime } from "@/lib/text/format";
import { useBlockedReason } from "@/app/(console)/kyc/use-blocked-reason";
import { useCaseKeys } from "./use-case-keys";
import { loadDecisionDialog, NEXT_BUTTON_ID, NextButton, useTriage } from "./use-triage";

const AssignDialog = deferred(() => import("./assign-dialog").then((loaded) => loaded.AssignDialog));

const PutOffDialog = deferred(() => import("./put-off-dialog").then((loaded) => loaded.PutOffDialog));

const EscalateDialog = deferred(() => import("./note-dialog").then((loaded) => loaded.EscalateDialog));

type CaseHolderProps = {
  subject: KycRow;
  denial: string | null;
  handing: { toggle: (subject: KycRow) => void; isPending: boolean };
  onSaid: (sentence: string) => void;
};

function CaseHolder({ subject, denial, handing, onSaid }: CaseHolderProps) {
  const t = useTranslations("triage");
  const me = useStaffId();
  const [opened, setOpened] = useState<"assign" | "put-off" | "escalate" | null>(null);
  const close = () => setOpened(null);
  const done = (sentence: string) => {
    close();
    onSaid(sentence);
  };
  const { assignee, putOff } = subject;
  const isOwn = assignee?.id === me;
  const toggle = assignee === null ? t("claim") : isOwn ? t("release") : t("takeOver.label");
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 max-medium:contents">
      {denial === null ? (
        <>
          <Button
            isBusy={handing.isPending}
            onClick={() => !handing.isPending && handing.toggle(subject)}
            aria-keyshortcuts="c"
          >
            {toggle}
          </Button>
          <Button onClick={() => setOpened("assign")}>{t("assign.label")}</Button>
          {isOwn && caseCan.putOff(subject) === null ? (
            <Button onClick={() => setOpened("put-off")}>
              {t(putOff !== null && putOff.back === null ? "putOff.change" : "putOff.label")}
            </Button>
          ) : null}
          {isOwn && caseCan.escalate(subject) === null ? (
            <Button onClick={() => setOpened("escalate")}>{t("escalate.label")}</Button>
          ) : null}
        </>
      ) : (
        <DeniedButton reason={denial} className={buttonClass("plain")}>
          {toggle}
        </DeniedButton>
      )}
      {opened === "assign" ? <AssignDialog subject={subject} onClose={close} onDone={done} /> : null}
      {opened === "escalate" ? <EscalateDialog subject={subject} onClose={close} onDone={done} /> : null}
      {opened === "put-off" ? <PutOffDialog subject={subject} onClose={close} onDone={done} /> : null}
    </div>
  );
}

/** Unlike the page, this does not wait for unsaved text. */
function TakenOver({ subject: { kycUUID, assignee } }: { subject: KycRow }) {
  const t = useTranslations("triage");
  const common = useTranslations("common");
  const locale = useLocale();
  const me = useStaffId();
  const { follow } = useLive();
  const read = useQuietRead();
  const [wasOwn, setWasOwn] = useState(assignee?.id === me);
  const [other, setOther] = useState<Holder | null>(null);
  if (assignee?.id === me && !wasOwn) setWasOwn(true);

  const refresh = useEffectEvent(async (signal: AbortSignal) => {
    if (!wasOwn) return;
    const address = `/api/kyc/${encodeURIComponent(kycUUID)}/holder`;
    const answer = await read<{ holder: Holder | null }>(address, signal).catch(() => null);
    if (answer === null || signal.aborted) return;
    const { holder } = answer;
    setOther(holder === null || holder.id === me ? null : holder);
  });
  useEffect(() => {
    const aborting = new AbortController();
    const unfollow = follow((signal) => {
      if (isAbout({ topics: ["kyc"], object: kycUUID }, signal)) void refresh(aborting.signal);
    });
    return () => {
      unfollow();
      aborting.abort();
    };
  }, [follow, kycUUID]);

  return (
    <div aria-live="assertive" className="pointer-events-none fixed inset-x-4 top-4 z-60 flex justify-center">
      {other === null ? null : (
        <Notice tone="warning" className="pointer-events-auto flex max-w-xl items-start gap-3 shadow-float">
          <span>{t("takenOver", { name: other.name, time: formatDateTime(other.since, locale) })}</span>
          <button
            type="button"
            aria-label={common("close")}
            onClick={() => setOther(null)}
            className="grid size-5 shrink-0 place-items-center rounded-sm hover:bg-hover"
          >
            <Icon of="x" size={13} />
          </button>
        </Notice>
      )}
    </div>
  );
}

type CaseTriageProps = {
  subject: KycRow;
  queue: string;
  denial: string | null;
};

export function CaseTriage({ subject, queue, denial }: CaseTriageProps) {
  const t = useTranslations("triage");
  const [decisions, setDecisions] = useState(0);
  const [decidedUpon, setDecidedUpon] = useState<KycRow | null>(null);
  const refresh = useRefresh();
  const triage = useTriage({
    onDecided: () => {
      setDecisions(decisions + 1);
      setDecidedUpon(subject);
      refresh();
    },
    onChanged: refresh,
  });
  const blockedReason = useBlockedReason(subject, denial);
  const isOver = decisions > 0 || subject.status === "APPROVED" || subject.status === "REPROVED";
  useCaseKeys({ subject, queue, denial, blockedReason, isOver, triage });
  useFocusOnNext(decisions);
  return (
    <>
      {triage.hint}
      {decidedUpon === subject ? <output className="text-sm text-muted">{t("readingAgain")}</output> : null}
      <CaseHolder subject={subject} denial={denial} handing={triage.handing} onSaid={triage.say} />
      <DecideButton
        subject={subject}
        blockedReason={blockedReason}
        isPrimary={!isOver}
        onDecide={() => triage.begin(subject)}
      />
      <NextButton next={triage.next} denial={denial} isPrimary={isOver} />
      {triage.overlays}
      <TakenOver subject={subject} />
    </>
  );
}

function useFocusOnNext(decisions: number): void {
  useEffect(() => {
    if (decisions === 0) return undefined;
    // Waits until the dialog has returned the focus.
    const timer = setTimeout(() => document.getElementById(NEXT_BUTTON_ID)?.focus(), 0);
    return () => clearTimeout(timer);
  }, [decisions]);
}

const load = () => void loadDecisionDialog();

type DecideButtonProps = { subject: KycRow; blockedReason: string | null; isPrimary: boolean; onDecide: () => void };

function DecideButton({ subject, blockedReason, isPrimary, onDecide }: DecideButtonProps) {
  const t = useTranslations("kyc");
  const { status, needsSecond } = subject;
  const again = needsSecond ? t("askReview") : t("decideAgain");
  const label = status === "APPROVED" || status === "REPROVED" ? again : t("decide");
  if (blockedReason !== null) {
    return (
      <DeniedButton reason={blockedReason} className={buttonClass("plain")}>
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
