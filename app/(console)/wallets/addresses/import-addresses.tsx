"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";

const loadDialog = () => import("./import-dialog").then((loaded) => loaded.ImportDialog);
const ImportDialog = deferred(loadDialog);

export function ImportAddressesButton({ denial }: { denial: string | null }) {
  const t = useTranslations("walletForm.import");
  return (
    <DialogButton label={t("button")} denial={denial} load={loadDialog}>
      {(close) => <ImportDialog onClose={close} />}
    </DialogButton>
  );
}
