"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { RevealReasonFields, useRevealReason } from "@/app/(console)/privacy/reveal-dialog";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/form/use-action";
import { followDownload } from "@/components/layout/save-file";
import { Button, type ButtonSize, type ButtonTone } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";
import { nameAccountFile } from "@/lib/accounts/actions";

type NamedFileProps = { accountRef: string; file: string; href: string };

/** The file at `href` with names in clear: asked why first, as a reveal is. */
export function NamedFile({ tone, size, ...asked }: NamedFileProps & { tone: ButtonTone; size: ButtonSize }) {
  const t = useTranslations("privacy.file");
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button tone={tone} size={size} onClick={() => setAsking(true)}>
        <Icon of="eye" size={13} />
        {t("button")}
      </Button>
      {isAsking ? <NamedFileDialog {...asked} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function NamedFileDialog({ accountRef, file, href, onClose }: NamedFileProps & { onClose: () => void }) {
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
