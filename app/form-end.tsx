"use client";

import type { ReactNode } from "react";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/errors/result";

type FormEndProps = {
  /** What stands at a field is not said here once more. */
  failure: Failure | null;
  /** Why it was answered with no, in a sentence, where that is no failure. */
  refusal?: string | null;
  isBusy: boolean;
  /** What the button says. */
  children: ReactNode;
};

/** How a form outside the desk ends: what came of the last try, and the button for another. */
export function FormEnd({ failure, refusal = null, isBusy, children }: FormEndProps) {
  const said = failure && failure.kind !== "invalid" ? <FailureText failure={failure} /> : refusal;
  return (
    <>
      <div role="alert">{said === null ? null : <Notice tone="negative">{said}</Notice>}</div>
      <Button type="submit" tone="primary" size="large" isBusy={isBusy} className="w-full">
        {children}
      </Button>
    </>
  );
}
