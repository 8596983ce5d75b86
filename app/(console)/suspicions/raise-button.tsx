"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";
import { useRefresh } from "@/components/live/live-refresh";

const loadDialog = () => import("./raise-dialog");
const RaiseDialog = deferred(() => loadDialog().then((loaded) => loaded.RaiseDialog));

export function RaiseButton({ kycUUID }: { kycUUID: string }) {
  const t = useTranslations("suspicions.raise");
  const refresh = useRefresh();
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      <DialogButton label={t("button")} size="small" load={loadDialog}>
        {(close) => (
          <RaiseDialog
            kycUUID={kycUUID}
            onClose={close}
            onDone={() => {
              close();
              setDone(t("done"));
              refresh();
            }}
          />
        )}
      </DialogButton>
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
