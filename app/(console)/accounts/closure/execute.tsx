"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import type { Agreed } from "./execute-dialog";

const loadDialog = () => import("./execute-dialog").then((loaded) => loaded.CarryOutDialog);
const CarryOutDialog = deferred(loadDialog);

type CarryOutProps = {
  agreed: Agreed;
  /** Null means that it was refused, so the page may be out of date. */
  onAnswered: (state: ApprovalState | null) => void;
};

export function CarryOut({ agreed, onAnswered }: CarryOutProps) {
  const t = useTranslations("closing");
  const [wasRefused, setRefused] = useState(false);
  return (
    <DialogButton label={t("carryOut")} tone="primary" load={loadDialog}>
      {(close) => (
        <CarryOutDialog
          agreed={agreed}
          onClose={() => {
            close();
            // Refreshing earlier would remove the error with the button.
            if (wasRefused) onAnswered(null);
            setRefused(false);
          }}
          onDone={(state) => {
            close();
            onAnswered(state);
          }}
          onRefused={() => setRefused(true)}
        />
      )}
    </DialogButton>
  );
}
