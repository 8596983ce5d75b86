"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/use-action";
import { type HeldDraft, useDraft } from "@/components/use-draft";
import { type Fields, useFieldErrors } from "@/components/use-field-errors";
import { useRefresh } from "@/components/use-refresh";
import { type AccountReview, FORM_STEPS, type FormStep, stepOf } from "@/lib/account-creation";
import { checkAccount, createAccount, keepAccountDraft, reviewAccount } from "@/lib/onboarding/actions";
import type { AccountDesk } from "@/lib/onboarding/queries";
import type { OnboardingKind } from "@/lib/onboarding-view";
import type { Failure } from "@/lib/result";
import { typedForm } from "./form-values";

type Sending = { transactionPassword: string; passwordAgain: string; seen: string[] };

export type AccountWork = {
  kind: OnboardingKind;
  draft: HeldDraft;
  fields: Fields;
  /** Counts the times that something was found wrong. */
  attempts: number;
  step: FormStep;
  wrong: ReadonlySet<FormStep>;
  review: AccountReview | null;
  isChecking: boolean;
  isSending: boolean;
  failure: Failure | null;
  next: () => void;
  go: (step: FormStep) => void;
  /** `onAnswer` runs once there is an answer, whichever it is. */
  send: (sending: Sending, onAnswer: () => void) => void;
  forgetErrors: () => void;
  beginAnother: () => void;
};

function openStep(to: FormStep): void {
  const address = new URL(window.location.href);
  address.searchParams.set("step", to);
  window.history.pushState(null, "", `${address.pathname}${address.search}`);
  window.scrollTo({ top: 0 });
}

/** The step as the address names it; a form with nothing in it shows the first, and a review that is gone the last before it. */
function useStep(kind: OnboardingKind, { isReviewed, isTyped }: { isReviewed: boolean; isTyped: boolean }) {
  const asked = useSearchParams().get("step");
  const steps: readonly FormStep[] = FORM_STEPS[kind];
  const named = steps.find((one) => isTyped && one === asked) ?? "who";
  return { steps, step: named === "review" && !isReviewed ? "documents" : named };
}

/** What is wrong in this part of the form or in one before it: what comes after was not asked for yet. */
function wrongUpTo(fields: Record<string, string>, steps: readonly FormStep[]): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => steps.includes(stepOf(name))));
}

const firstWrong = (fields: Readonly<Record<string, string>>, steps: readonly FormStep[]) =>
  steps.find((step) => Object.keys(fields).some((name) => stepOf(name) === step));

/** The parts of the form, which one is open, and what is known to be wrong or in the way. */
function useParts(desk: AccountDesk) {
  const { kind } = desk;
  const draft = useDraft({ opened: desk.draft, keep: (order, at) => keepAccountDraft({ type: kind, order }, at) });
  const { fields, errors, attempts, show, forget } = useFieldErrors(draft);
  const [review, setReview] = useState<AccountReview | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { step, steps } = useStep(kind, {
    isReviewed: review !== null,
    isTyped: Object.keys(draft.values).length > 0,
  });
  const go = (to: FormStep) => {
    setFailure(null);
    if (to !== "review") setReview(null);
    openStep(to);
  };
  /** Takes whoever typed it to the first thing that is wrong; false when nothing of it concerns these parts. */
  const meet = (failed: Failure, upTo: readonly FormStep[]): boolean => {
    const wrong = wrongUpTo(failed.fields ?? {}, upTo);
    const first = firstWrong(wrong, steps);
    if (failed.fields !== undefined && first === undefined) return false;
    setFailure(failed.fields === undefined ? failed : null);
    show(wrong);
    if (first !== undefined && first !== step) go(first);
    return true;
  };
  const shown = { kind, draft, fields, attempts, step, review, failure, go, forgetErrors: forget };
  return { shown, wrong: new Set(Object.keys(errors).map(stepOf)), steps, setReview, setFailure, meet };
}

/** A request for an account on its way: filled in part by part, shown as it will be sent, and sent once under its draft's name. */
export function useAccount(desk: AccountDesk): AccountWork {
  const { kind, earlier } = desk;
  const router = useRouter();
  const { shown, wrong, steps, setReview, setFailure, meet } = useParts(desk);
  const { draft, step, go, forgetErrors } = shown;
  const checking = useAction(checkAccount);
  const reviewing = useAction(reviewAccount);
  const sending = useAction(createAccount);
  const refresh = useRefresh();

  const look = (told: Failure | null) => {
    const show = (found: AccountReview) => {
      setReview(found);
      setFailure(told);
      if (step !== "review") openStep("review");
    };
    reviewing.run(typedForm(kind, draft), show, (failed) => void meet(failed, steps));
  };
  const next = () => {
    const to = steps[steps.indexOf(step) + 1] ?? "review";
    draft.flush();
    if (to === "review") return look(null);
    const advance = () => {
      forgetErrors();
      go(to);
    };
    const reached = steps.slice(0, steps.indexOf(to));
    checking.run(typedForm(kind, draft), advance, (failed) => meet(failed, reached) || advance());
  };
  const done = ({ id }: { id: string }) => {
    draft.end();
    router.push(`/onboarding/${id}?created=yes`);
  };
  const refuse = (failed: Failure) => {
    if (failed.fields !== undefined) return void meet(failed, steps);
    setFailure(failed);
    // Somebody may have asked for the same account meanwhile.
    if (failed.kind === "conflict") look(failed);
    refresh();
  };
  const send = ({ seen, ...password }: Sending, onAnswer: () => void) => {
    const named = { seen, intentId: draft.draftId, from: earlier?.id ?? null };
    const answered =
      <Told>(then: (told: Told) => void) =>
      (told: Told) => {
        onAnswer();
        then(told);
      };
    sending.run({ ...typedForm(kind, draft), ...password, ...named }, answered(done), answered(refuse));
  };
  const beginAnother = async () => {
    if (await draft.discard()) refresh();
  };
  const isChecking = checking.pending || reviewing.pending;
  const deeds = { next, send, beginAnother: () => void beginAnother() };
  return { ...shown, ...deeds, wrong, isChecking, isSending: sending.pending };
}
