"use client";

import { createContext, use, useState } from "react";
import type { SignInOutcome } from "@/lib/auth/view";

/**
 * What comes after a sign-in: a whole page load, for nothing read before the session began may stay in sight. The server
 * leads on from the sign-in screen to what was asked for.
 */
export const EntryContext = createContext<() => void>(() => window.location.reload());

/** One way in at a time: what came of the last try. */
export function useEntry() {
  const goOn = use(EntryContext);
  const [outcome, setOutcome] = useState<SignInOutcome | null>(null);
  const [isSending, setSending] = useState(false);
  const isBusy = isSending || outcome?.kind === "done";

  const enter = async (send: () => Promise<SignInOutcome>, onRefused: (refused: SignInOutcome) => void) => {
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
