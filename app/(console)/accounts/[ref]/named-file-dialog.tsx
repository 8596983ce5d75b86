"use client";

import { useTranslations } from "next-intl";
import { RevealReasonFields, useRevealReason } from "@/app/(console)/privacy/reveal-dialog";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/form/use-action";
import { followDownload } from "@/components/layout/save-file";
import { nameAccountFile } from "@/lib/accounts/actions";
import type { NamedFileProps } from "./named-file";

export function NamedFileDialog({ accountRef, file, href, onClose }: NamedFileProps & { onClose: () => void }) {
  const t = useTranslations("privacy.file");
  const { pending, failure, run } = useAction(nameAccountFile);
  const why = useRevealReason();
  const submit = (form: HTMLFormElement) => {
    const given = why.take(form);
    if (given === null) return;
    run({ ref: accountRef, file, ...given }, ({ revealId }) => {
      followDownload(`${href}&names=${revealId}`, "");
      onClose();
    });
  };
  return (
    <FormDialog
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      pending={pending}
      error={failure}
      isWritten={why.isWritten}
      onSubmit={submit}
      onClose={onClose}
    >
      <RevealReasonFields why={why} failure={failure} />
    </FormDialog>
  );
}
