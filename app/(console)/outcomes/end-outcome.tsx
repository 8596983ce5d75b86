"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAnnounce } from "@/components/layout/announcer";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";

const loadDialog = () => import("./end-outcome-dialog");
const preload = () => void loadDialog();
const EndOutcomeDialog = deferred(() => loadDialog().then((loaded) => loaded.EndOutcomeDialog));

type EndOutcomeProps = {
  intentId: string;
  needsApproval: boolean;
  denial: string | null;
};

export function EndOutcome({ intentId, needsApproval, denial }: EndOutcomeProps) {
  const t = useTranslations("outcomes");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const announce = useAnnounce();
  if (denial !== null)
    return (
      <DeniedButton reason={denial} className={buttonClass("plain", "small")}>
        {t("end")}
      </DeniedButton>
    );
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} onFocus={preload} onPointerEnter={preload}>
        {t("end")}
      </Button>
      {isOpen ? (
        <EndOutcomeDialog
          endedId={intentId}
          needsApproval={needsApproval}
          onClose={() => setOpen(false)}
          onDone={(state) => {
            setOpen(false);
            announce(t(state === "PROPOSED" ? "proposedDone" : "ended"));
            router.refresh();
          }}
        />
      ) : null}
    </>
  );
}
