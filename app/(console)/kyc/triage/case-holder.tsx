"use client";

import { UserRound } from "lucide-react";
import dynamic from "next/dynamic";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useStaffId } from "@/components/desk";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { formatDateTime } from "@/lib/format";
import type { KycRow } from "@/lib/kyc/queries";

const AssignDialog = dynamic(() => import("./assign-dialog").then((loaded) => loaded.AssignDialog), { ssr: false });

type CaseHolderProps = {
  subject: KycRow;
  denial: string | null;
  handing: { toggle: (subject: KycRow) => void; isPending: boolean };
  onSaid: (sentence: string) => void;
};

/** Whose the case is, and the ways to make it somebody's. */
export function CaseHolder({ subject, denial, handing, onSaid }: CaseHolderProps) {
  const t = useTranslations("triage");
  const locale = useLocale();
  const me = useStaffId();
  const [isAssigning, setAssigning] = useState(false);
  const { assignee, assignedAt } = subject;
  const isOwn = assignee?.id === me;
  const toggle = assignee === null ? t("claim") : isOwn ? t("release") : t("takeOver.label");
  const since = assignedAt === null ? undefined : t("since", { time: formatDateTime(assignedAt, locale) });
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <span className="flex min-w-0 items-center gap-1.5 text-sm" title={since}>
        <UserRound aria-hidden size={14} className="shrink-0 text-muted" />
        <span className="truncate">
          {assignee === null ? t("nobody") : isOwn ? t("withYou") : t("with", { name: assignee.name })}
        </span>
      </span>
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
