"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirmation } from "@/components/confirmation";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import type { KycRow } from "@/lib/kyc/queries";

const loadDialog = () => import("@/app/(console)/kyc/decision-dialog");
// Without ssr: false the dialog would suspend the whole screen while it loads.
const DecisionDialog = dynamic(() => loadDialog().then((loaded) => loaded.DecisionDialog), { ssr: false });

type DecideButtonProps = { subject: KycRow; denial: string | null; reasonLimit: number };

export function DecideButton({ subject, denial, reasonLimit }: DecideButtonProps) {
  const t = useTranslations("kyc");
  const approvals = useTranslations("approvals");
  const router = useRouter();
  const [opened, setOpened] = useState<KycRow | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const isDecided = subject.status === "APPROVED" || subject.status === "REPROVED";
  const again = subject.needsSecond ? t("askReview") : t("decideAgain");
  const label = isDecided ? again : t("decide");

  const { proposal } = subject;
  const hindrance = denial ?? (proposal && approvals("alreadyWaits", { name: proposal.makerName }));

  // What was confirmed stays in sight when the button it came from can no longer be used.
  return (
    <>
      {hindrance === null ? (
        <Button
          tone={isDecided ? "plain" : "primary"}
          onClick={() => setOpened(subject)}
          onFocus={() => void loadDialog()}
          onPointerEnter={() => void loadDialog()}
        >
          {label}
        </Button>
      ) : (
        <DeniedButton reason={hindrance} className={buttonClass("plain")}>
          {label}
        </DeniedButton>
      )}
      {opened ? (
        <DecisionDialog
          subject={opened}
          reasonLimit={reasonLimit}
          onClose={() => setOpened(null)}
          onDone={(message) => {
            setOpened(null);
            setDone(message);
            router.refresh();
          }}
        />
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
