"use client";

import { useState } from "react";
import type { SignInOutcome } from "@/lib/sign-in";

/** One way in at a time: what came of the last try, and a whole page load once somebody is in. */
export function useEntry() {
  const [outcome, setOutcome] = useState<SignInOutcome | null>(null);
  const [isSending, setSending] = useState(false);
  const isBusy = isSending || outcome?.kind === "done";

  const enter = async (send: () => Promise<SignInOutcome>, onRefused: (refused: SignInOutcome) => void) => {
    if (isBusy) return;
    setSending(true);
    const answer = await send();
    setSending(false);
    setOutcome(answer);
    // Nothing read before the session began may stay in sight.
    if (answer.kind === "done") window.location.assign("/");
    else onRefused(answer);
  };
  return { outcome, isBusy, enter, clear: () => setOutcome(null) };
}
