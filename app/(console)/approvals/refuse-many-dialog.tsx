"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CountedField } from "@/components/form/fields";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { refuseApprovals } from "@/lib/approvals/actions";
import { TEXT_MAX_LENGTH } from "@/lib/approvals/view";

type RefuseManyDialogProps = {
  ids: readonly string[];
  onClose: () => void;
  onDone: (sentence: string) => void;
};

export function RefuseManyDialog({ ids, onClose, onDone }: RefuseManyDialogProps) {
  const t = useTranslations("approvals.many");
  const { pending, failure, run } = useAction(refuseApprovals);
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const missing = isTried && reason.trim() === "" ? t("reasonFirst") : undefined;
  const submit = (form: HTMLFormElement) => {
    setTried(true);
    if (reason.trim() === "" || reason.length > TEXT_MAX_LENGTH) return form.querySelector("textarea")?.focus();
    run({ approvalIds: [...ids], reason }, ({ refused, left }) =>
      onDone(t("done", { refused: refused.length, left: left.length })),
    );
  };
  return (
    <FormDialog
      title={t("title", { count: ids.length })}
      description={t("body")}
      submitLabel={t("submit", { count: ids.length })}
      tone="negative"
      pending={pending}
      error={failure?.fields ? null : failure}
      isWritten={reason.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <CountedField
        name="reason"
        label={t("reason")}
        hint={t("reasonHint")}
        tooLong={t("tooLong", { limit: TEXT_MAX_LENGTH })}
        limit={TEXT_MAX_LENGTH}
        value={reason}
        error={missing ?? failure?.fields?.["reason"]}
        onChange={setReason}
        isSentByKeys
      />
    </FormDialog>
  );
}
