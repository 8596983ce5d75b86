"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form-dialog";
import { KycStatusBadge } from "@/components/status-badge";
import { useAction } from "@/components/use-action";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/format";
import { decideCase } from "@/lib/kyc/actions";
import type { KycRow } from "@/lib/kyc/queries";
import type { Standing } from "@/lib/result";
import { KycStepName, KycTypeName } from "./case-words";
import { DecisionChoice, type Decision } from "./decision-choice";
import { ReasonField } from "./reason-field";

type DecisionDialogProps = {
  /** The case as it stood when the dialog opened: the server refuses if it has changed since. */
  subject: KycRow;
  reasonLimit: number;
  onClose: () => void;
  onDone: (confirmation: string) => void;
};

export function DecisionDialog({ subject, reasonLimit, onClose, onDone }: DecisionDialogProps) {
  const t = useTranslations("kyc");
  const approvals = useTranslations("approvals");
  const { pending, failure, run } = useAction(decideCase);
  const [decision, setDecision] = useState<Decision | null>(null);
  const [reason, setReason] = useState("");
  // What the person sees and decides upon: after a refusal, the state that the server then told of.
  const [standing, setStanding] = useState<Standing>({ status: subject.status, process: subject.process });
  const [isChecked, setChecked] = useState(false);

  const fields = {
    decision: isChecked && decision === null ? t("chooseFirst") : failure?.fields?.["decision"],
    reason: isChecked && reason.trim() === "" ? t("reasonFirst") : failure?.fields?.["reason"],
  };

  const submit = (form: HTMLFormElement, intentId: string) => {
    setChecked(true);
    if (decision === null || reason.trim() === "" || reason.length > reasonLimit) {
      form.querySelector<HTMLElement>(decision === null ? "input" : "textarea")?.focus();
      return;
    }
    const { kycUUID, vatNumber } = subject;
    run(
      { kycUUID, decision, reason, expected: standing, intentId },
      (decided) => {
        if (decided.state === "PROPOSED") onDone(approvals("proposedDone", { document: vatNumber }));
        else onDone(t(decided.decision === "APPROVED" ? "approvedDone" : "reprovedDone", { document: vatNumber }));
      },
      (failed) => setStanding(failed.current ?? standing),
    );
  };

  const { needsSecond } = subject;
  const submitLabels = needsSecond
    ? { APPROVED: approvals("submitPropose"), REPROVED: approvals("submitPropose") }
    : { APPROVED: t("submitApprove"), REPROVED: t("submitReprove") };
  return (
    <FormDialog
      title={t("dialogTitle")}
      description={needsSecond ? approvals("proposeBody") : t("dialogBody")}
      submitLabel={decision === null ? t("submitNone") : submitLabels[decision]}
      tone={decision === "REPROVED" && !needsSecond ? "negative" : "primary"}
      pending={pending}
      error={failure}
      isWritten={reason.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line bg-canvas px-3 py-2.5">
        <span className="font-medium tabular-nums">{subject.vatNumber}</span>
        <KycStatusBadge status={standing.status} />
        <span className="text-sm text-muted">
          <KycTypeName type={subject.kycType} /> · <KycStepName process={standing.process} />
        </span>
      </div>
      {subject.unconfirmed ? <UnconfirmedNotice last={subject.unconfirmed} /> : null}
      <StandingNotice status={standing.status} />
      {needsSecond ? <Notice tone="info">{approvals("willPropose")}</Notice> : null}
      <DecisionChoice chosen={decision} error={fields.decision} onChoose={setDecision} />
      <ReasonField value={reason} limit={reasonLimit} error={fields.reason} onChange={setReason} />
    </FormDialog>
  );
}

/** Somebody decided already, and what became of it is not known: deciding again may be deciding twice. */
function UnconfirmedNotice({ last }: { last: NonNullable<KycRow["unconfirmed"]> }) {
  const t = useTranslations("kyc");
  const locale = useLocale();
  const time = formatDateTime(last.at, locale);
  return <Notice tone="warning">{t("unconfirmed", { decision: last.decision, name: last.byName, time })}</Notice>;
}

/** What the decision would overrule. */
function StandingNotice({ status }: { status: KycRow["status"] }) {
  const t = useTranslations("kyc");
  if (status === "PROCESSING") return <Notice tone="info">{t("stillProcessing")}</Notice>;
  if (status !== "APPROVED" && status !== "REPROVED") return null;
  return <Notice tone="warning">{t("overwrites", { status: t(`status.${status}`) })}</Notice>;
}
