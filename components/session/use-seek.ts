"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState, useTransition } from "react";
import type { Action } from "@/lib/action";
import type { Failure } from "@/lib/errors/result";
import { useAction } from "./use-action";

type Seeking<Input, Data> = {
  text: string;
  input: Input;
  onDone: (data: Data) => void;
  onFailed: ((failed: Failure) => void) | undefined;
};

/** An answer, and the page that it opens, count only while its text stands; a text sent meanwhile is sought next. */
export function useSeek<Input, Data>(action: Action<Input, Data>, typed: string) {
  const { pending, failure, run } = useAction(action);
  const [sent, setSent] = useState<string | null>(null);
  const [isOpening, open] = useTransition();
  const [answered, setAnswered] = useState<string | null>(null);
  const waiting = useRef<Seeking<Input, Data> | null>(null);
  const current = useRef(typed);
  const router = useRouter();
  // A later navigation discards one that is under way.
  const stayHere = useEffectEvent(() => {
    if (isOpening) router.replace(`${location.pathname}${location.search}`, { scroll: false });
  });
  useEffect(() => {
    current.current = typed;
    stayHere();
  }, [typed]);

  const send = ({ text, input, onDone, onFailed }: Seeking<Input, Data>) =>
    run(
      input,
      (data) => {
        setAnswered(text);
        if (current.current === text) open(() => onDone(data));
      },
      (failed) => {
        setAnswered(text);
        if (current.current === text) onFailed?.(failed);
      },
    );
  const sendWaiting = useEffectEvent(() => {
    const next = waiting.current;
    waiting.current = null;
    if (next?.text === typed) send(next);
  });
  useEffect(() => {
    if (!pending) sendWaiting();
  }, [pending]);

  const seek = (input: Input, onDone: (data: Data) => void, onFailed?: (failed: Failure) => void) => {
    const seeking = { text: typed, input, onDone, onFailed };
    setSent(typed);
    if (pending) waiting.current = seeking;
    else send(seeking);
  };
  const isAnswered = answered === typed && !pending;
  return { pending: (pending && sent === typed) || isOpening, failure: isAnswered ? failure : null, seek };
}
