"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { carryOutAccountClosure } from "@/lib/accounts/actions";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import { formatDateTime } from "@/lib/text/format";
import { forgetRefused, HolderFields, holderProofIn, useMissingProof } from "./holder-fields";

export type Agreed = {
  approvalId: string;
  account: string;
  decider: string;
  expiresAt: string;
};

type CarryOutDialogProps = {
  agreed: Agreed;
  onClose: () => void;
  onDone: (state: ApprovalState) => void;
  onRefused: () => void;
};

export function CarryOutDialog({ agreed, onClose, onDone, onRefused }: CarryOutDialogProps) {
  const t = useTranslations("closing");
  const locale = useLocale();
  const { pending, failure, run } = useAction(carryOutAccountClosure);
  const missingIn = useMissingProof();
  const [missing, setMissing] = useState<ReturnType<typeof missingIn>>({});
  const [isWritten, setWritten] = useState(false);
  const { approvalId, account, decider, expiresAt } = agreed;

  const submit = (form: HTMLFormElement) => {
    const proof = holderProofIn(form);
    const left = missingIn(proof);
    setMissing(left);
    const [first] = Object.keys(left);
    if (first !== undefined) {
      const field = form.elements.namedItem(first);
      if (field instanceof HTMLElement) field.focus();
      return;
    }
    run(
      { approvalId, ...proof },
      ({ state }) => onDone(state),
      (refusal) => {
        forgetRefused(form, refusal);
        onRefused();
      },
    );
  };
  return (
    <FormDialog
      title={t("carryOutTitle")}
      description={t("carryOutBody")}
      submitLabel={t("submit")}
      tone="negative"
      slow="unanswered"
      pending={pending}
      error={failure}
      isWritten={isWritten}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="rounded border border-line bg-canvas px-3 py-2.5">
        <p className="font-medium tabular-nums">{account}</p>
        <p className="text-sm text-muted">
          {t("agreedBy", { name: decider, time: formatDateTime(expiresAt, locale) })} {t("consequence.final")}
        </p>
      </div>
      <HolderFields errors={{ ...failure?.fields, ...missing }} onTyped={() => setWritten(true)} />
    </FormDialog>
  );
}
