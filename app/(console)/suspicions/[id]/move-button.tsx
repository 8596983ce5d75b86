"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";
import { useRefresh } from "@/components/live/live-refresh";
import type { SuspicionState } from "@/lib/db/enums/suspicions";
import type { SuspicionRecord } from "@/lib/suspicions/view";

const loadDialog = () => import("./move-dialog");
const MoveDialog = deferred(() => loadDialog().then((loaded) => loaded.MoveDialog));

type MoveButtonProps = { of: SuspicionRecord; to: SuspicionState; isPrimary?: boolean };

export function MoveButton({ of, to, isPrimary = false }: MoveButtonProps) {
  const t = useTranslations("suspicions");
  const refresh = useRefresh();
  const [done, setDone] = useState<string | null>(null);
  const isNote = to === of.row.state;
  return (
    <>
      <DialogButton
        label={isNote ? t("note.button") : t(`to.${to}`)}
        tone={isPrimary ? "primary" : "plain"}
        load={loadDialog}
      >
        {(close) => (
          <MoveDialog
            of={of}
            to={to}
            onClose={close}
            onRefused={refresh}
            onDone={() => {
              close();
              setDone(t("saved"));
              refresh();
            }}
          />
        )}
      </DialogButton>
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
