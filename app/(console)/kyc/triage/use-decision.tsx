"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { KycRow } from "@/lib/kyc/queries";
import type { Decision } from "@/app/(console)/kyc/decision-choice";

export const loadDecisionDialog = () => import("@/app/(console)/kyc/decision-dialog");
// Without ssr: false the dialog would suspend the whole screen while it loads.
const DecisionDialog = dynamic(() => loadDecisionDialog().then((loaded) => loaded.DecisionDialog), { ssr: false });

type Wish = { subject: KycRow; decision: Decision | null };

export type Deciding = {
  /** Opens the dialog, which claims the case, or asks before it takes a colleague's. */
  begin: (subject: KycRow, decision?: Decision | null) => void;
  dialog: ReactNode;
};

type Options = {
  reasonLimit: number;
  onDone: (confirmation: string, subject: KycRow) => void;
  onClose?: () => void;
};

export function useDecision({ reasonLimit, onDone, onClose }: Options): Deciding {
  const [wish, setWish] = useState<Wish | null>(null);
  return {
    begin: (subject, decision = null) => setWish({ subject, decision }),
    dialog:
      wish === null ? null : (
        <DecisionDialog
          key={wish.subject.kycUUID}
          subject={wish.subject}
          {...(wish.decision !== null && { initialDecision: wish.decision })}
          reasonLimit={reasonLimit}
          onClose={() => {
            setWish(null);
            onClose?.();
          }}
          onDone={(confirmation) => {
            setWish(null);
            onDone(confirmation, wish.subject);
          }}
        />
      ),
  };
}
