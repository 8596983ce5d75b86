"use client";

import { unstable_rethrow as rethrowNavigation } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import type { Action } from "@/lib/action";
import { type ActionResult, type Failure, STEP_UP } from "@/lib/errors/result";
import { useScope } from "./scope";
import { useStepUp } from "./step-up";
import { lostAnswer } from "./lost-answer";
import { reportSlowCalls } from "./use-read";

const isTurnedAway = (outcome: PromiseSettledResult<ActionResult<unknown>>) =>
  outcome.status === "fulfilled" &&
  !outcome.value.ok &&
  (outcome.value.error.kind === "rate-limited" || outcome.value.error.kind === "unavailable");

const asksForProof = <Data>(result: ActionResult<Data>) => !result.ok && result.error.code === STEP_UP;

/** A lost connection must not reach the error page, which discards the text. Asks for a recent proof when needed. */
export function useAction<Input, Data>(action: Action<Input, Data>) {
  const t = useTranslations("states");
  const scope = useScope();
  const askForProof = useStepUp();
  const [pending, startTransition] = useTransition();
  const [isAskedForProof, setAskedForProof] = useState(false);
  const [failed, setFailed] = useState<{ failure: Failure; returns: number } | null>(null);
  const isOver = failed?.failure.kind === "unauthenticated" && failed.returns !== scope.returns;

  const run = (input: Input, onDone: (data: Data) => void, onFailed?: (failed: Failure) => void) => {
    if (pending) return;
    const send = () =>
      reportSlowCalls(action(input, scope.id), isTurnedAway).then(
        (answer) => answer,
        (error: unknown): ActionResult<Data> => {
          rethrowNavigation(error);
          return { ok: false, error: lostAnswer(error, t) };
        },
      );
    startTransition(async () => {
      let result = await send();
      if (asksForProof(result)) {
        setAskedForProof(true);
        const isProven = await askForProof();
        setAskedForProof(false);
        if (!isProven) return;
        result = await send();
      }
      if (!result.ok && (result.error.kind === "conflict" || result.error.kind === "unauthenticated"))
        scope.revalidate();
      startTransition(() => {
        setFailed(result.ok ? null : { failure: result.error, returns: scope.returns });
        if (result.ok) onDone(result.data);
        else onFailed?.(result.error);
      });
    });
  };

  return { pending: pending && !isAskedForProof, failure: isOver ? null : (failed?.failure ?? null), run };
}
