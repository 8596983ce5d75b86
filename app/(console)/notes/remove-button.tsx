"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";
import type { Action } from "@/lib/action";
import type { FileRemoval } from "@/lib/notes/view";

const loadDialog = () => import("./remove-dialog").then((loaded) => loaded.RemoveDialog);
const RemoveDialog = deferred(loadDialog);

type RemoveButtonProps = { recordId: string; fileId: string; name: string; remove: Action<FileRemoval, null> };

export function RemoveButton(props: RemoveButtonProps) {
  const t = useTranslations("casework");
  const name = t("removeNamed", { name: props.name });
  return (
    <DialogButton label={t("remove")} name={name} tone="quiet" size="small" load={loadDialog}>
      {(close) => <RemoveDialog {...props} onClose={close} />}
    </DialogButton>
  );
}
