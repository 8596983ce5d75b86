"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import type { Absence } from "@/lib/kyc/queries";

export const AwayNotice = dynamic(() => import("./away-banner").then((loaded) => loaded.AwayBanner));

const AwayDialog = deferred(() => import("./away-dialog").then((loaded) => loaded.AwayDialog));

type AwayButtonProps = {
  absence: Absence;
  suggestion: string;
};

export function AwayButton({ absence, suggestion }: AwayButtonProps) {
  const t = useTranslations("triage.away");
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      <Button tone="quiet" onClick={() => setOpen(true)}>
        <Icon of="calendar-off" size={14} />
        <span className="max-medium:sr-only">{t(absence.until === null ? "label" : "change")}</span>
      </Button>
      {isOpen ? (
        <AwayDialog
          absence={absence}
          suggestion={suggestion}
          onClose={() => setOpen(false)}
          onDone={(sentence) => {
            setOpen(false);
            setDone(sentence);
          }}
        />
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
