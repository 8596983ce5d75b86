"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";

const loadDialog = () => import("./pix-key-dialog").then((loaded) => loaded.PixKeyDialog);
const PixKeyDialog = deferred(loadDialog);

export function PixKeyButton({ denial }: { denial: string | null }) {
  const t = useTranslations("pixKey");
  return (
    <DialogButton label={t("button")} denial={denial} load={loadDialog}>
      {(close) => <PixKeyDialog onClose={close} />}
    </DialogButton>
  );
}
