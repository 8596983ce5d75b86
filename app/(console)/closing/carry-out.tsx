"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import type { ApprovalState } from "@/lib/approvals/view";
import type { Agreed } from "./carry-out-dialog";

const loadDialog = () => import("./carry-out-dialog");
const preload = () => void loadDialog();
const CarryOutDialog = deferred(() => loadDialog().then((loaded) => loaded.CarryOutDialog));

type CarryOutProps = {
  agreed: Agreed;
  /** Null when it was refused, and the page may be old. */
  onAnswered: (state: ApprovalState | null) => void;
};

export function CarryOut({ agreed, onAnswered }: CarryOutProps) {
  const t = useTranslations("closing");
  const [isOpen, setOpen] = useState(false);
  const [wasRefused, setRefused] = useState(false);
  const close = () => {
    setOpen(false);
    // Not earlier: the refusal would go with the button.
    if (wasRefused) onAnswered(null);
    setRefused(false);
  };
  const done = (state: ApprovalState) => {
    setOpen(false);
    onAnswered(state);
  };
  return (
    <>
      <Button tone="primary" onClick={() => setOpen(true)} onFocus={preload} onPointerEnter={preload}>
        {t("carryOut")}
      </Button>
      {isOpen ? (
        <CarryOutDialog agreed={agreed} onClose={close} onDone={done} onRefused={() => setRefused(true)} />
      ) : null}
    </>
  );
}
