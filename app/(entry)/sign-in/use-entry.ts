"use client";

import { createContext, use, useState } from "react";
import type { SignInResult } from "@/lib/auth/view";

/** A whole page load, so that nothing read before the session stays visible. */
export const EntryContext = createContext<() => void>(() => window.location.reload());

/** `led`: the result of a form that the browser sent without a script. */
export function useEntry(led: SignInResult | null) {
  const goOn = use(EntryContext);
  const [outcome, setOutcome] = useState(led);
  const [isSending, setSending] = useState(false);
  const isBusy = isSending || outcome?.kind === "done";

  const enter = async (send: () => Promise<SignInResult>, onRefused: (refused: SignInResult) => void) => {
    if (isBusy) return;
    setSending(true);
    const answer = await send();
    setSending(false);
    setOutcome(answer);
    if (answer.kind === "done") goOn();
    else onRefused(answer);
  };
  return { outcome, isBusy, enter, clear: () => setOutcome(null) };
}
