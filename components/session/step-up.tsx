"use client";

import { createContext, type ReactNode, use, useCallback, useEffect, useEffectEvent, useState } from "react";
import { deferred } from "@/components/layout/deferred";
import type { Action } from "@/lib/action";
import type { PasskeyRequest } from "@/lib/security/passkey-browser";
import type { ProofInput, ProofResult } from "@/lib/auth/view";

// Loaded on demand, as it is rarely needed.
const StepUpDialog = deferred(() => import("./step-up-dialog").then((loaded) => loaded.StepUpDialog));

type Ask = () => Promise<boolean>;

const StepUpContext = createContext<Ask>(() => Promise.resolve(false));

export const useStepUp = (): Ask => use(StepUpContext);

type StepUpProps = {
  prove: Action<ProofInput, ProofResult>;
  askPasskey: Action<null, PasskeyRequest | null>;
  children: ReactNode;
};

/** One dialog answers every request for proof that is pending. */
export function StepUp({ prove, askPasskey, children }: StepUpProps) {
  const [asking, setAsking] = useState<((isProven: boolean) => void)[]>([]);
  const ask = useCallback<Ask>(() => new Promise((answer) => setAsking((others) => [...others, answer])), []);
  const isAsking = asking.length > 0;
  const settle = (isProven: boolean) => {
    setAsking([]);
    for (const answer of asking) answer(isProven);
  };
  // Leaving the screen cancels what was about to be sent.
  const stepBack = useEffectEvent(() => settle(false));
  useEffect(() => {
    if (!isAsking) return undefined;
    const listen = () => stepBack();
    window.addEventListener("popstate", listen);
    return () => window.removeEventListener("popstate", listen);
  }, [isAsking]);
  return (
    <StepUpContext value={ask}>
      {children}
      {isAsking ? <StepUpDialog prove={prove} askPasskey={askPasskey} onSettled={settle} /> : null}
    </StepUpContext>
  );
}
