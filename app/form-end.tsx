"use client";

import type { ReactNode } from "react";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/errors/result";

type FormEndProps = {
  /** Field errors are not repeated here. */
  failure: Failure | null;
  refusal?: string | null;
  isBusy: boolean;
  children: ReactNode;
};

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
