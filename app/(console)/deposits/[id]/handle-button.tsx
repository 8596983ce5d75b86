"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";
import { useRefresh } from "@/components/live/live-refresh";
import type { HandledDeposit } from "./handle-dialog";

const loadDialog = () => import("./handle-dialog");
const HandleDialog = deferred(() => loadDialog().then((loaded) => loaded.HandleDialog));

export function HandleButton({ of, denial }: { of: HandledDeposit; denial: string | null }) {
  const t = useTranslations("deposits.handle");
  const refresh = useRefresh();
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      <DialogButton label={t("button")} denial={denial} load={loadDialog}>
        {(close) => (
          <HandleDialog
            of={of}
            onClose={close}
            onRefused={refresh}
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
