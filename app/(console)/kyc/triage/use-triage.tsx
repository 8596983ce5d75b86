"use client";

import { type ReactNode, useState } from "react";
import { Confirmation } from "@/components/confirmation";
import type { KycRow } from "@/lib/kyc/queries";
import { type Next, useNext } from "./next-button";
import { ShortcutHint } from "./shortcut-hint";
import { useClaiming } from "./use-claiming";
import { type Deciding, useDecision } from "./use-decision";
import { type Handing, useHanding } from "./use-handing";

type Options = {
  /** Whether shortcuts of one key are on. */
  shortcuts: boolean;
  reasonLimit: number;
  /** The dialog is about to open. */
  onBegin?: () => void;
  onDecided: (subject: KycRow) => void;
  /** Somebody has another case, or none, by now. */
  onChanged: () => void;
};

export type Triage = {
  begin: Deciding["begin"];
  handing: Handing;
  next: Next;
  /** Says a sentence over the page. */
  say: (sentence: string) => void;
  showHelp: () => void;
  /** Where the keys are told of. */
  hint: ReactNode;
  /** The dialogs, and what is said; anywhere on the screen. */
  front: ReactNode;
};

/** What is done with cases from the list and from their own pages alike. */
export function useTriage({ shortcuts, reasonLimit, onBegin, onDecided, onChanged }: Options): Triage {
  const [said, setSaid] = useState<string | null>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const deciding = useDecision({
    reasonLimit,
    onDone: (confirmation, subject) => {
      setSaid(confirmation);
      onDecided(subject);
    },
    // It may have claimed the case.
    onClose: onChanged,
  });
  const claiming = useClaiming();
  const handing = useHanding({ claiming, onSaid: setSaid, onChanged });
  const next = useNext();
  const dismiss = () => {
    claiming.dismiss();
    next.dismiss();
    setSaid(null);
  };
  return {
    begin: (...wish) => {
      onBegin?.();
      deciding.begin(...wish);
    },
    handing,
    next,
    say: setSaid,
    showHelp: () => setHelpOpen(true),
    hint: (
      <ShortcutHint
        isOn={shortcuts}
        isOpen={isHelpOpen}
        onOpen={() => setHelpOpen(true)}
        onClose={() => setHelpOpen(false)}
      />
    ),
    front: (
      <>
        {deciding.dialog}
        {claiming.dialog}
        <Confirmation onDismiss={dismiss}>{claiming.refusal ?? next.message ?? said}</Confirmation>
      </>
    ),
  };
}
