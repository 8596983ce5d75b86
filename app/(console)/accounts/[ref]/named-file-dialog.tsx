"use client";

import { useTranslations } from "next-intl";
import { ReasonDialog } from "@/app/(console)/privacy/reveal-dialog";
import { useAction } from "@/components/session/use-action";
import { followDownload } from "@/components/layout/save-file";
import { nameAccountFile } from "@/lib/accounts/actions";

export type NamedFileProps = { accountRef: string; file: string; href: string };

export function NamedFileDialog({ accountRef, file, href, onClose }: NamedFileProps & { onClose: () => void }) {
  const t = useTranslations("privacy.file");
  const { pending, failure, run } = useAction(nameAccountFile);
  return (
    <ReasonDialog
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      pending={pending}
      failure={failure}
      onClose={onClose}
      onGiven={(given) =>
        run({ ref: accountRef, file, ...given }, ({ revealId }) => {
          followDownload(`${href}&names=${revealId}`, "");
          onClose();
        })
      }
    />
  );
}
