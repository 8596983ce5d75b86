"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useStaffId } from "@/components/desk";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import type { KycRow } from "@/lib/kyc/queries";

const AssignDialog = dynamic(() => import("./assign-dialog").then((loaded) => loaded.AssignDialog), { ssr: false });

type CaseHolderProps = {
  subject: KycRow;
  denial: string | null;
  handing: { toggle: (subject: KycRow) => void; isPending: boolean };
  onSaid: (sentence: string) => void;
};

/** The ways to make the case somebody's, or nobody's. */
export function CaseHolder({ subject, denial, handing, onSaid }: CaseHolderProps) {
  const t = useTranslations("triage");
  const me = useStaffId();
  const [isAssigning, setAssigning] = useState(false);
  const { assignee } = subject;
  const isOwn = assignee?.id === me;
  const toggle = assignee === null ? t("claim") : isOwn ? t("release") : t("takeOver.label");
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      {denial === null ? (
        <>
          <Button
            isBusy={handing.isPending}
            onClick={() => !handing.isPending && handing.toggle(subject)}
            aria-keyshortcuts="c"
          >
            {toggle}
          </Button>
          <Button onClick={() => setAssigning(true)}>{t("assign.label")}</Button>
        </>
      ) : (
        <DeniedButton reason={denial} className={buttonClass("plain")}>
          {toggle}
        </DeniedButton>
      )}
      {isAssigning ? (
        <AssignDialog
          subject={subject}
          onClose={() => setAssigning(false)}
          onDone={(sentence) => {
            setAssigning(false);
            onSaid(sentence);
          }}
        />
      ) : null}
    </div>
  );
}
