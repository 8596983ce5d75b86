"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";
import { useRefresh } from "@/components/live/live-refresh";

const loadDialog = () => import("./withdraw-dialog");
const WithdrawDialog = deferred(() => loadDialog().then((loaded) => loaded.WithdrawDialog));

type WithdrawButtonProps = { id: string; version: string; what: string; isOpen: boolean; denial: string | null };

/** `isOpen`: what is expected has not arrived, and nobody withdrew it. */
export function WithdrawButton({ id, version, what, isOpen, denial }: WithdrawButtonProps) {
  const t = useTranslations("deposits.withdraw");
  const refresh = useRefresh();
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      {isOpen ? (
        <DialogButton label={t("button")} denial={denial} load={loadDialog}>
          {(close) => (
            <WithdrawDialog
              id={id}
              version={version}
              what={what}
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
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
