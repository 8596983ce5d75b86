"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { FieldFrame, useField } from "@/components/ui/field";
import { useAction } from "@/components/session/use-action";
import type { Action } from "@/lib/action";
import { FILE_REASON_LIMIT, type FileRemoval } from "@/lib/notes/view";
import { cn, INPUT_CLASS } from "@/components/ui/cn";

type RemoveDialogProps = {
  recordId: string;
  fileId: string;
  name: string;
  remove: Action<FileRemoval, null>;
  onClose: () => void;
};

export function RemoveDialog({ recordId, fileId, name, remove, onClose }: RemoveDialogProps) {
  const t = useTranslations("casework");
  const router = useRouter();
  const { pending, failure, run } = useAction(remove);
  const [reason, setReason] = useState("");
  const [isChecked, setChecked] = useState(false);
  const missing = isChecked && reason.trim() === "" ? t("removeFirst") : undefined;
  const error = missing ?? failure?.fields?.["reason"];
  const field = useField({ hint: t("removeReasonHint"), error });

  const submit = (form: HTMLFormElement) => {
    setChecked(true);
    if (reason.trim() === "") {
      form.querySelector("textarea")?.focus();
      return;
    }
    run({ id: recordId, fileId, reason }, () => {
      onClose();
      router.refresh();
    });
  };

  return (
    <FormDialog
      title={t("removeTitle")}
      description={t("removeBody", { name })}
      submitLabel={t("removeSubmit")}
      tone="negative"
      pending={pending}
      error={failure}
      isWritten={reason.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <FieldFrame id={field.id} label={t("removeReason")} hint={t("removeReasonHint")} error={error}>
        <textarea
          {...field}
          rows={3}
          maxLength={FILE_REASON_LIMIT}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          className={cn(INPUT_CLASS, "block min-h-18 resize-y py-2")}
        />
      </FieldFrame>
    </FormDialog>
  );
}
