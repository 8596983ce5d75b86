"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef } from "react";
import { SentNotice } from "@/app/(console)/ordering/sent-notice";
import { DraftNotice, DraftStatus } from "@/components/draft-status";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { AccountDesk } from "@/lib/onboarding/queries";
import { ContactStep } from "./contact-step";
import { DocumentsStep } from "./documents-step";
import { EarlierNotice } from "./earlier-notice";
import { OwnersStep } from "./owners-step";
import { Progress, useStepName } from "./progress";
import { ReviewStep } from "./review-step";
import { type AccountWork, useAccount } from "./use-account";
import { WhoStep } from "./who-step";

const INVALID = "[aria-invalid=true], [data-invalid=true] input";

function StepFields({ work }: { work: AccountWork }) {
  const { kind, step, fields, draft, forgetErrors } = work;
  if (step === "contact") return <ContactStep kind={kind} fields={fields} />;
  if (step === "owners") return <OwnersStep draft={draft} fields={fields} onOwners={forgetErrors} />;
  if (step === "documents") return <DocumentsStep kind={kind} fields={fields} />;
  return <WhoStep kind={kind} fields={fields} />;
}

function Filling({ work }: { work: AccountWork }) {
  const t = useTranslations("accountForm");
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const opened = useRef(work.step);
  const { kind, step, draft, attempts, isChecking, failure, next, go, forgetErrors } = work;
  const name = useStepName(kind)(step);
  const isLast = step === "documents";

  const isWrong = work.wrong.has(step);

  // Whoever listens instead of looks is taken to what is wrong, or told that the fields are others now.
  useEffect(() => {
    if (attempts > 0 && isWrong) form.current?.querySelector<HTMLElement>(INVALID)?.focus();
    else if (opened.current !== step) heading.current?.focus();
    opened.current = step;
  }, [attempts, step, isWrong]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isChecking) next();
  };
  return (
    <form ref={form} noValidate autoComplete="off" onSubmit={submit} className="px-5">
      <div className="max-w-4xl">
        <h2 ref={heading} tabIndex={-1} className="sr-only">
          {name}
        </h2>
        <div className="pt-4 empty:hidden">
          <DraftNotice draft={draft} />
        </div>
        <StepFields work={work} />
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
          <div className="ml-auto flex gap-2">
            {step === "who" ? null : <Button onClick={() => go(previousOf(work))}>{t("back")}</Button>}
            <Button type="submit" tone="primary" isBusy={isChecking}>
              {isChecking ? t(isLast ? "reviewing" : "checking") : t("next")}
            </Button>
          </div>
        </div>
      </footer>
    </form>
  );
}

function previousOf({ kind, step }: AccountWork) {
  if (step === "documents") return kind === "PJ" ? "owners" : "contact";
  return step === "owners" ? "contact" : "who";
}

/** The form to ask for an account: part by part, then all of it in sight, then the one call. */
export function AccountForm({ desk }: { desk: AccountDesk }) {
  const work = useAccount(desk);
  const { kind, step, draft, review, wrong, go, forgetErrors } = work;
  if (desk.isSent) return <SentNotice words="accountForm" onAnother={work.beginAnother} />;
  const take = (fields: Record<string, string>) => {
    draft.replace(fields);
    forgetErrors();
    go("who");
  };
  return (
    <>
      {desk.earlier === null ? null : (
        <EarlierNotice earlier={desk.earlier} isFilled={Object.keys(draft.values).length > 0} onTake={take} />
      )}
      <Progress kind={kind} current={step} wrong={wrong} onGo={go} />
      {step === "review" && review !== null ? <ReviewStep work={work} review={review} /> : <Filling work={work} />}
    </>
  );
}
