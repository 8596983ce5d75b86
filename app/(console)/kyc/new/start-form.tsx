"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef } from "react";
import { SentNotice } from "@/app/(console)/ordering/sent-notice";
import { DraftNotice, DraftStatus } from "@/components/draft-status";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { StartDesk } from "@/lib/kyc/queries";
import type { StartType } from "@/lib/kyc-start";
import { FormSteps } from "./form-steps";
import { ReviewStep } from "./review-step";
import { type Start, useStart } from "./use-start";

const INVALID = "[aria-invalid=true], [data-invalid=true] input";

function Filling({ type, work }: { type: StartType; work: Start }) {
  const t = useTranslations("kycStart");
  const form = useRef<HTMLFormElement>(null);
  const { draft, fields, attempts, isChecking, failure, check, forgetErrors } = work;

  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>(INVALID)?.focus();
  }, [attempts]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isChecking) check();
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="px-5">
      <div className="max-w-4xl">
        <div className="pt-4 empty:hidden">
          <DraftNotice draft={draft} />
        </div>
        <FormSteps type={type} draft={draft} fields={fields} onPartners={forgetErrors} />
        <div aria-live="assertive">
          {failure ? (
            <Notice tone="negative" className="mt-4">
              <FailureText failure={failure} />
            </Notice>
          ) : null}
        </div>
      </div>
      <footer className="sticky bottom-0 -mx-5 mt-4 border-t border-line bg-surface px-5 py-3">
        <div className="flex max-w-4xl flex-wrap items-center justify-between gap-3">
          <DraftStatus draft={draft} onDiscarded={forgetErrors} />
          <Button type="submit" tone="primary" isBusy={isChecking} className="ml-auto">
            {isChecking ? t("checking") : t("toReview")}
          </Button>
        </div>
      </footer>
    </form>
  );
}

/** The form to start a case: what is typed, then what it costs and whether it was done before, then the one call. */
export function StartForm({ type, desk }: { type: StartType; desk: StartDesk }) {
  const work = useStart(type, desk);
  const { draft, review, isStarting, failure, correct, start } = work;
  if (desk.isSent) return <SentNotice words="kycStart" onAnother={work.beginAnother} />;
  if (review === null) return <Filling type={type} work={work} />;
  return (
    <ReviewStep review={review} draft={draft} pending={isStarting} failure={failure} onBack={correct} onStart={start} />
  );
}
