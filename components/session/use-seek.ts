"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Action } from "@/lib/action";
import type { Failure } from "@/lib/errors/result";
import { useAction } from "./use-action";

type Seeking<Input, Data> = {
  input: Input;
  onDone: (data: Data) => void;
  onFailed: ((failed: Failure) => void) | undefined;
};

export function useSeek<Input, Data>(action: Action<Input, Data>, typed: string) {
  const { pending, failure, run } = useAction(action);
  const [sent, setSent] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<(Seeking<Input, Data> & { typed: string }) | null>(null);
  const current = useRef(typed);
  useEffect(() => {
    current.current = typed;
  }, [typed]);

  const seek = (input: Input, onDone: (data: Data) => void, onFailed?: (failed: Failure) => void) => {
    if (pending) return setWaiting({ typed, input, onDone, onFailed });
    setSent(typed);
    const isStill = () => current.current === typed;
    run(
      input,
      (data) => isStill() && onDone(data),
      (failed) => isStill() && onFailed?.(failed),
    );
  };
  const seekWaiting = useEffectEvent(() => {
    if (waiting?.typed === typed) seek(waiting.input, waiting.onDone, waiting.onFailed);
    setWaiting(null);
  });
  useEffect(() => {
    if (!pending) seekWaiting();
  }, [pending]);

  const isOfTyped = sent === typed || waiting?.typed === typed;
  return { pending: pending && isOfTyped, failure: sent === typed ? failure : null, seek };
}
