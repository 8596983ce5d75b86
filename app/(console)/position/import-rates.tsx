"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";
import { useRefresh } from "@/components/live/live-refresh";

const loadDialog = () => import("./import-dialog").then((loaded) => loaded.ImportDialog);
const ImportDialog = deferred(loadDialog);

export function ImportRates({ denial }: { denial: string | null }) {
  const t = useTranslations("position.file");
  const refresh = useRefresh();
  return (
    <DialogButton label={t("button")} denial={denial} load={loadDialog}>
      {(close) => (
        <ImportDialog
          onClose={() => {
            close();
            refresh();
          }}
        />
      )}
    </DialogButton>
  );
}
