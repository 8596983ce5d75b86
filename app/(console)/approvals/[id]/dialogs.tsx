"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ApprovalKindName, ApprovalStateBadge } from "@/app/(console)/approvals/approval-words";
import { ShownValue } from "@/app/(console)/approvals/shown-value";
import { useRuleChange, useSpokenValue } from "@/app/(console)/approvals/spoken-value";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { refuseApproval, withdrawApproval } from "@/lib/approvals/actions";
import { authoriseAccess, authoriseApproval } from "@/lib/writes/actions";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import { decidingPermission, doneOf, isCompletedByMaker, isSentAtOnce, TEXT_MAX_LENGTH } from "@/lib/approvals/view";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import { refuseAccess } from "@/lib/staff/actions";
import type { Delivered } from "@/lib/staff/inputs";
import type { Failure } from "@/lib/errors/result";
import { WordsField } from "./comments";
import { FactTable } from "./fact-table";
import { Notice } from "@/components/ui/notice";

type DialogProps = {
  record: ApprovalRecord;
  /** False once it has ended, perhaps in another window. */
  isReady: boolean;
  onClose: () => void;
  onAnswered: (state: ApprovalState | null, delivered?: Delivered) => void;
};

/** Without an answer there is nothing new to read. */
const wasAnswered = ({ kind }: Failure) => kind !== "unavailable";

function Subject({ record: { row, shown } }: { record: ApprovalRecord }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line bg-canvas px-3 py-2.5">
      <span className="font-medium tabular-nums">{shown === null ? null : <ShownValue value={shown.headline} />}</span>
      <span className="text-sm text-muted">
        <ApprovalKindName kind={row.kind} /> · <bdi>{row.makerName}</bdi>
      </span>
      {row.state === "PENDING" ? null : <ApprovalStateBadge word={row.word} />}
    </div>
  );
}

function Consequence({ record: { row, shown } }: { record: ApprovalRecord }) {
  const t = useTranslations("approvals.consequence");
  const spoken = useSpokenValue();
  const changeOf = useRuleChange();
  const fact = (name: string) => shown?.facts.find((one) => one.name === name);
  const rule = fact("rule");
  const change = rule === undefined ? null : changeOf(rule);
  return (
    <p>
      {t(row.kind, {
        headline: spoken(shown?.headline),
        before: spoken(fact("status")?.before),
        after: spoken(fact("status")?.after),
        from: spoken(fact("from")?.after),
        to: spoken(fact("to")?.after),
        recipient: spoken(fact("recipient")?.after),
        email: spoken(fact("email")?.after),
        roles: spoken(fact("roles")?.after),
        rule: change === null ? spoken(rule?.after) : change.after.join("; "),
        about: spoken(fact("about")?.after),
        ruleBefore: change === null ? spoken(rule?.before) : change.before.join("; "),
      })}
    </p>
  );
}

type AuthoriseEffectProps = { record: ApprovalRecord; warnings: ReactNode; isOver: boolean; why: string | null };

const isNoWarning = ({ name }: { name: string }) => name !== "firstUse";

/** What authorising does, or why it had no effect once the page knows. */
export function AuthoriseEffect({ record, warnings, isOver, why }: AuthoriseEffectProps) {
  const t = useTranslations("approvals");
  const { row, shown } = record;
  if (isOver)
    return (
      <Notice tone="negative" live="assertive" className="wrap-anywhere">
        {why ?? t("done.FAILED")}
      </Notice>
    );
  return (
    <>
      <div aria-live="polite" className="space-y-2 empty:hidden">
        {warnings}
      </div>
      {row.kind === "crypto.transfer" && shown !== null ? (
        <div className="-mx-5">
          <FactTable kind={row.kind} facts={shown.facts.filter(isNoWarning)} label={t("change")} hasBefore={false} />
        </div>
      ) : null}
      {row.moved === null ? <Consequence record={record} /> : null}
    </>
  );
}

type Titled = Pick<ApprovalRecord["row"], "kind" | "state" | "word">;

export function authoriseTitle({ kind, state, word }: Titled, isOver: boolean) {
  if (!isOver) return isCompletedByMaker(kind) ? "authoriseReadyTitle" : "authoriseTitle";
  if (state !== "FAILED") return "states.FAILED";
  return word === "PROVIDER_REFUSED" ? "refusedByProvider" : (`states.${word}` as const);
}

type AuthoriseDialogProps = DialogProps & {
  warnings: ReactNode;
  silentSince: string | null;
  failed: string | null;
};

type Sendable = Pick<ApprovalRecord["row"], "kind" | "moved">;

export function authoriseBody({ kind, moved }: Sendable, silentSince: string | null) {
  if (moved !== null) return "authoriseMoved";
  if (isCompletedByMaker(kind)) return "authoriseReadyBody";
  if (!isSentAtOnce(kind)) return "authoriseAccessBody";
  return silentSince === null ? "authoriseBody" : "authoriseUnanswered";
}

export function AuthoriseDialog({ record, warnings, silentSince, failed, ...dialog }: AuthoriseDialogProps) {
  const { isReady, onClose, onAnswered } = dialog;
  const t = useTranslations("approvals");
  const [done, setDone] = useState<ApprovalState | null>(null);
  const isOfAdmins = decidingPermission(record.row.kind) === "staff:manage";
  const act: typeof authoriseAccess = isOfAdmins ? authoriseAccess : authoriseApproval;
  const { pending, failure, run } = useAction(act);
  const { kind } = record.row;
  const isOver = done === "FAILED";
  return (
    <FormDialog
      title={t(authoriseTitle(record.row, isOver))}
      description={isOver ? t(`done.${doneOf(kind, done)}`) : t(authoriseBody(record.row, silentSince))}
      submitLabel={t("authoriseSubmit")}
      isReady={isReady}
      isOver={isOver}
      slow={isSentAtOnce(kind) ? "unanswered" : undefined}
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={() =>
        run(
          { approvalId: record.row.id },
          ({ state, delivered }) => {
            setDone(state);
            onAnswered(state, delivered);
          },
          (refused) => wasAnswered(refused) && onAnswered(null),
        )
      }
      onClose={onClose}
    >
      <Subject record={record} />
      <AuthoriseEffect record={record} warnings={warnings} isOver={isOver} why={failed} />
    </FormDialog>
  );
}

export function RefuseDialog({ record, isReady, onClose, onAnswered }: DialogProps) {
  const t = useTranslations("approvals");
  const { pending, failure, run } = useAction(
    decidingPermission(record.row.kind) === "staff:manage" ? refuseAccess : refuseApproval,
  );
  const [reason, setReason] = useState("");
  const [isChecked, setChecked] = useState(false);
  const missing = isChecked && reason.trim() === "" ? t("reasonFirst") : undefined;
  const submit = (form: HTMLFormElement) => {
    setChecked(true);
    if (reason.trim() === "" || reason.length > TEXT_MAX_LENGTH) {
      form.querySelector("textarea")?.focus();
      return;
    }
    run(
      { approvalId: record.row.id, reason },
      ({ state }) => onAnswered(state),
      (failed) => wasAnswered(failed) && onAnswered(null),
    );
  };
  return (
    <FormDialog
      title={t("refuseTitle")}
      description={t("refuseBody")}
      submitLabel={t("refuseSubmit")}
      tone="negative"
      isReady={isReady}
      pending={pending}
      error={failure}
      isWritten={reason.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <Subject record={record} />
      <WordsField
        label={t("reason")}
        hint={t("reasonHint")}
        value={reason}
        limit={TEXT_MAX_LENGTH}
        error={missing ?? failure?.fields?.["reason"]}
        onChange={setReason}
      />
    </FormDialog>
  );
}

export function WithdrawDialog({ record, isReady, onClose, onAnswered }: DialogProps) {
  const t = useTranslations("approvals");
  const { pending, failure, run } = useAction(withdrawApproval);
  return (
    <FormDialog
      title={t("withdrawTitle")}
      description={t("withdrawBody")}
      submitLabel={t("withdrawSubmit")}
      tone="negative"
      isReady={isReady}
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={() =>
        run(
          { approvalId: record.row.id },
          ({ state }) => onAnswered(state),
          (failed) => wasAnswered(failed) && onAnswered(null),
        )
      }
      onClose={onClose}
    >
      <Subject record={record} />
      <p>{t("withdrawSure")}</p>
    </FormDialog>
  );
}
