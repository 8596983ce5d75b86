"use client";

import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { KycStatusBadge } from "@/components/layout/badges";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { DecisionTerms, KycRow } from "@/lib/kyc/queries";
import { formatDateTime } from "@/lib/text/format";
import { DoubtNotices, KycStepName, KycTypeName } from "./case-words";
import { DecisionFields } from "./decision-fields";
import { takeDigit } from "./digit-ahead";
import { isWritten, type Missing, missingOf, type Step, useDeciding, type Decision } from "./use-deciding";

type BeforeDecidingProps = {
  step: Step;
  row: KycRow;
  deciding: Pick<ReturnType<typeof useDeciding>, "isReading" | "readAgain">;
};

export function BeforeDeciding({ step, row, deciding }: BeforeDecidingProps) {
  const t = useTranslations();
  const locale = useLocale();
  switch (step) {
    case "reading":
    case "ready":
      return <FieldsSkeleton />;
    case "failed":
      return (
        <Notice tone="negative" live="assertive">
          <p>{t("kyc.termsFailed")}</p>
          <Button size="small" className="mt-2" isBusy={deciding.isReading} onClick={deciding.readAgain}>
            {t("common.retry")}
          </Button>
        </Notice>
      );
    case "proposed":
      return (
        <Notice tone="warning">
          {t(row.pendingApproval?.isUnderWay === true ? "approvals.underWay" : "approvals.waitsFor", {
            name: row.pendingApproval?.makerName ?? "",
          })}
        </Notice>
      );
    case "escalated":
      return <Notice tone="warning">{t("triage.escalate.blocked")}</Notice>;
    case "held":
      return (
        <p>
          {t("kyc.heldBy", {
            name: row.assignee?.name ?? "",
            time: row.assignedAt === null ? "" : formatDateTime(row.assignedAt, locale),
          })}
        </p>
      );
  }
}

/** As tall as the final form, so the buttons stay in place. */
function FieldsSkeleton() {
  const t = useTranslations("kyc");
  return (
    <div className="space-y-4">
      <output className="sr-only">{t("termsReading")}</output>
      <div className="grid gap-2 medium:grid-cols-2">
        <Skeleton className="h-18 rounded" />
        <Skeleton className="h-18 rounded" />
      </div>
      <Skeleton className="h-20 rounded" />
      <Skeleton className="h-24 rounded" />
    </div>
  );
}

type Compared = { before: DecisionTerms; after: DecisionTerms };
type Change = { name: string; before: ReactNode; after: ReactNode };

function useChanges({ before, after }: Compared): Change[] {
  const t = useTranslations("kyc");
  const was = before.row;
  const is = after.row;
  const changes: (Change | null)[] = [
    was.status === is.status
      ? null
      : {
          name: t("columns.status"),
          before: <KycStatusBadge status={was.status} />,
          after: <KycStatusBadge status={is.status} />,
        },
    was.process === is.process
      ? null
      : {
          name: t("columns.process"),
          before: <KycStepName process={was.process} />,
          after: <KycStepName process={is.process} />,
        },
    // Becoming the assignee is the person's own act, not news.
    after.isMine || was.assignee?.id === is.assignee?.id
      ? null
      : { name: t("with"), before: was.assignee?.name ?? t("nobody"), after: is.assignee?.name ?? t("nobody") },
    before.rulesVersion === after.rulesVersion
      ? null
      : {
          name: t("rules"),
          before: t("version", { version: before.rulesVersion }),
          after: t("version", { version: after.rulesVersion }),
        },
  ];
  return changes.filter((change) => change !== null);
}

export function WhatChanged({ isRefused, ...compared }: Compared & { isRefused: boolean }) {
  const t = useTranslations("kyc");
  const place = useRef<HTMLDivElement>(null);
  const changes = useChanges(compared);
  const isWhy = isRefused && changes.length > 0;
  // Focus moves to the reason only after a refused attempt.
  useEffect(() => {
    if (!isWhy) return undefined;
    const frame = requestAnimationFrame(() => place.current?.scrollIntoView({ block: "center" }));
    return () => cancelAnimationFrame(frame);
  }, [isWhy]);
  return (
    <div ref={place} aria-live="polite">
      {changes.length === 0 ? null : (
        <Notice tone="warning">
          <p className="font-medium">{t("changedTitle")}</p>
          <DecidedMeanwhile {...compared} />
          <ChangeTable changes={changes} />
          <p className="mt-1.5">{t("changedBody")}</p>
        </Notice>
      )}
    </div>
  );
}

function DecidedMeanwhile({ before, after }: Compared) {
  const t = useTranslations("kyc");
  const locale = useLocale();
  const { lastDecision: last } = after;
  if (last === null || last.at === before.lastDecision?.at) return null;
  const time = formatDateTime(last.at, locale);
  return <p>{t("decidedMeanwhile", { decision: last.decision, name: last.byName, time })}</p>;
}

function ChangeTable({ changes }: { changes: Change[] }) {
  const t = useTranslations("kyc");
  return (
    <table className="mt-1.5 w-full table-fixed text-start">
      <thead className="sr-only">
        <tr>
          <th scope="col">{t("changedWhat")}</th>
          <th scope="col">{t("changedBefore")}</th>
          <th scope="col">{t("changedAfter")}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name} className="align-baseline">
            <th scope="row" className="w-24 py-0.5 text-start font-normal text-muted">
              {name}
            </th>
            <td className="py-0.5 pr-3 text-muted">{before}</td>
            <td className="py-0.5 font-medium">{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type DecisionCaseProps = {
  row: KycRow;
  /** Null until read. */
  opened: DecisionTerms | null;
  terms: DecisionTerms | undefined;
  isRefused: boolean;
};

export function DecisionCase({ row, opened, terms, isRefused }: DecisionCaseProps) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line bg-canvas px-3 py-2.5">
        <span className="font-medium tabular-nums">{row.vatNumber}</span>
        <KycStatusBadge status={row.status} />
        <span className="text-sm text-muted">
          <KycTypeName type={row.kycType} /> · <KycStepName process={row.process} />
        </span>
      </div>
      {opened === null || terms === undefined ? null : (
        <WhatChanged before={opened} after={terms} isRefused={isRefused} />
      )}
      <DoubtNotices row={row} />
      {row.unconfirmed ? <UnconfirmedNotice last={row.unconfirmed} /> : null}
      <StandingNotice row={row} last={terms?.lastDecision ?? null} />
    </>
  );
}

function UnconfirmedNotice({ last }: { last: NonNullable<KycRow["unconfirmed"]> }) {
  const t = useTranslations("kyc");
  const locale = useLocale();
  const time = formatDateTime(last.at, locale);
  return <Notice tone="warning">{t("unconfirmed", { decision: last.decision, name: last.byName, time })}</Notice>;
}

type Standing = { row: KycRow; last: DecisionTerms["lastDecision"] };

/** A decision cannot be undone, only overruled. */
function StandingNotice({ row: { status, needsSecond }, last }: Standing) {
  const t = useTranslations();
  const locale = useLocale();
  if (status === "APPROVED" || status === "REPROVED") {
    const by =
      last?.decision === status ? { who: "one", name: last.byName, time: formatDateTime(last.at, locale) } : null;
    return (
      <Notice tone={needsSecond ? "info" : "warning"}>
        {t("kyc.overwrites", { status: t(`kyc.status.${status}`) })}{" "}
        {by === null ? null : `${t("kyc.decidedBefore", { decision: status, ...by })} `}
        {needsSecond ? t("kyc.reviewBody") : null}
      </Notice>
    );
  }
  return (
    <>
      {status === "PROCESSING" ? <Notice tone="info">{t("kyc.stillProcessing")}</Notice> : null}
      {needsSecond ? <Notice tone="info">{t("approvals.willPropose")}</Notice> : null}
    </>
  );
}

type DecisionDialogProps = {
  subject: KycRow;
  initialDecision?: Decision;
  onClose: () => void;
  onDone: (confirmation: string) => void;
};

const FIRST_FIELD: Record<NonNullable<Missing>, string> = {
  decision: "input[name=decision]",
  reasonCode: "input[name=reasonCode]",
  checklist: "input[name=checklist]:not(:checked)",
  reason: "textarea[name=addition]",
};

/** Compared again on every change, and by the server before sending. */
export function DecisionDialog({ subject, initialDecision, onClose, onDone }: DecisionDialogProps) {
  const deciding = useDeciding({ subject, initialDecision: initialDecision ?? null, onDone });
  const { step, terms, opened, draft, failure } = deciding;
  const t = useTranslations("kyc");
  const [triedUpon, setTriedUpon] = useState<string | null>(null);
  useEffect(() => () => void takeDigit(), []);
  const words = useWords(step, { row: terms?.row ?? subject, decision: draft.decision });

  const submit = (form: HTMLFormElement, intentId: string) => {
    if (step === "held") return deciding.claim();
    if (terms === undefined) return;
    setTriedUpon(terms.row.status);
    const missing = missingOf(draft, terms);
    if (missing === null) deciding.send(intentId);
    else form.querySelector<HTMLElement>(FIRST_FIELD[missing])?.focus();
  };

  return (
    <FormDialog
      {...words}
      slow={step === "held" ? undefined : "undecided"}
      pending={deciding.pending}
      error={failure}
      isReady={step === "ready" || step === "held"}
      isWritten={isWritten(draft)}
      onSubmit={submit}
      onClose={() => {
        deciding.forget();
        onClose();
      }}
    >
      <DecisionCase row={terms?.row ?? subject} opened={opened} terms={terms} isRefused={failure !== null} />
      {step === "ready" && terms?.isMine === false ? <p className="mb-4 text-muted">{t("nobodyHas")}</p> : null}
      {terms !== undefined && step === "ready" ? (
        <DecisionFields
          terms={terms}
          draft={draft}
          isTried={triedUpon === terms.row.status}
          found={failure?.fields ?? {}}
          onChange={deciding.change}
        />
      ) : (
        <BeforeDeciding step={step} row={terms?.row ?? subject} deciding={deciding} />
      )}
    </FormDialog>
  );
}

type Worded = { row: KycRow; decision: Decision | null };

function useWords(step: Step, { row, decision }: Worded) {
  const t = useTranslations("kyc");
  const approvals = useTranslations("approvals");
  const { needsSecond, status } = row;
  const isReview = needsSecond && (status === "APPROVED" || status === "REPROVED");
  const title = isReview ? t("reviewTitle") : t("dialogTitle");
  const description = needsSecond ? approvals("proposeBody") : t("dialogBody");
  if (step === "held") return { title, description: t("heldBody"), submitLabel: t("takeOver") };
  if (needsSecond) return { title, description, submitLabel: approvals("submitPropose") };
  if (decision === null) return { title, description, submitLabel: t("submitNone") };
  const tone = decision === "REPROVED" ? ("negative" as const) : ("primary" as const);
  return { title, description, tone, submitLabel: t(decision === "APPROVED" ? "submitApprove" : "submitReprove") };
}
