"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { forgetRefused, HolderFields, holderProofIn, useMissingProof } from "@/app/(console)/closing/holder-fields";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/ui/field";
import { useAction } from "@/components/form/use-action";
import { CLOSING_REASON_MAX, CLOSING_USER_MAX } from "@/lib/accounts/view";
import { closeAccountNow, proposeAccountClosure } from "@/lib/accounts/actions";
import type { Failure } from "@/lib/errors/result";
import { Conditions, Consequences } from "./closing-conditions";
import { useClosingTerms } from "./use-closing-terms";

export type CloseDialogProps = {
  accountRef: string;
  onClose: () => void;
  onDone: (done: "proposed" | "closed") => void;
  /** The answer was no, or there was none: what the page behind says may be old. */
  onRefused: () => void;
};

type Missing = Partial<Record<"userId" | "reason" | "userAccessToken" | "code", string>>;

/** What somebody who closes an account is told and must say; the holder's two secrets only where nobody else is asked. */
export function CloseDialog({ accountRef: ref, onClose, onDone, onRefused }: CloseDialogProps) {
  const t = useTranslations("closing");
  const read = useClosingTerms(ref);
  const proposing = useAction(proposeAccountClosure);
  const closing = useAction(closeAccountNow);
  const missingIn = useMissingProof();
  const [missing, setMissing] = useState<Missing>({});
  const [order, setOrder] = useState({ userId: "", reason: "" });
  const [hasProof, setHasProof] = useState(false);
  const isAlone = !read.needsApproval;
  const [asked, other] = isAlone ? [closing, proposing] : [proposing, closing];
  const { pending } = asked;
  // A policy that changed meanwhile was refused the other way.
  const failure = asked.failure ?? other.failure;
  const isReady = read.terms !== undefined && read.terms.obstacles.length === 0;
  const errors: Missing = { ...failure?.fields, ...missing };

  const refused = (form: HTMLFormElement, refusal: Failure) => {
    forgetRefused(form, refusal);
    if (refusal.kind === "conflict") read.readAgain();
    onRefused();
  };
  const submit = (form: HTMLFormElement, intentId: string) => {
    const proof = holderProofIn(form);
    const left: Missing = {
      ...(order.userId.trim() === "" && { userId: t("userFirst") }),
      ...(order.reason.trim() === "" && { reason: t("reasonFirst") }),
      ...(isAlone ? missingIn(proof) : {}),
    };
    setMissing(left);
    const [first] = Object.keys(left);
    if (first !== undefined || order.reason.length > CLOSING_REASON_MAX) {
      const field = form.elements.namedItem(first ?? "reason");
      if (field instanceof HTMLElement) field.focus();
      return;
    }
    const ordered = { intentId, ref, ...order };
    const onFailed = (refusal: Failure) => refused(form, refusal);
    if (isAlone) closing.run({ ...ordered, ...proof }, () => onDone("closed"), onFailed);
    else proposing.run(ordered, () => onDone("proposed"), onFailed);
  };

  return (
    <FormDialog
      title={t("dialogTitle")}
      description={isAlone ? t("dialogBodyAlone") : t("dialogBodyProposed")}
      submitLabel={isAlone ? t("submit") : t("propose")}
      tone={isAlone ? "negative" : "primary"}
      isReady={isReady}
      pending={pending}
      error={failure}
      isWritten={hasProof || `${order.userId}${order.reason}`.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <Consequences />
      <Conditions read={read} />
      <OrderFields order={order} errors={errors} onChange={setOrder} />
      {isAlone ? <HolderFields errors={errors} onTyped={() => setHasProof(true)} /> : null}
    </FormDialog>
  );
}

type Order = Record<"userId" | "reason", string>;
type OrderFieldsProps = { order: Order; errors: Missing; onChange: (order: Order) => void };

function OrderFields({ order, errors, onChange }: OrderFieldsProps) {
  const t = useTranslations("closing");
  return (
    <>
      <TextField
        name="userId"
        label={t("user")}
        hint={t("userHint")}
        error={errors.userId}
        value={order.userId}
        maxLength={CLOSING_USER_MAX}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ ...order, userId: event.target.value })}
      />
      <CountedField
        name="reason"
        label={t("reason")}
        hint={t("reasonHint")}
        tooLong={t("tooLong", { limit: CLOSING_REASON_MAX })}
        value={order.reason}
        limit={CLOSING_REASON_MAX}
        error={errors.reason}
        onChange={(reason) => onChange({ ...order, reason })}
      />
    </>
  );
}
